"use strict";
// Puts a copy button after each command, and after each text that is worth copying.
const copyButtons = (root) => {
  for (const text of root.querySelectorAll(".cmd, pre.copyable")) {
    if (text.nextElementSibling?.matches(".copy")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy: " + text.textContent.slice(0, 60));
    text.after(button);
  }
};
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button.copy");
  if (!button) return;
  const text = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(text.textContent);
  } catch {
    // Without the right to write to the clipboard, the text is selected, and the old command copies it.
    getSelection().selectAllChildren(text);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});
document.addEventListener("DOMContentLoaded", () => {
  document.documentElement.classList.add("script");
  copyButtons(document);
});
