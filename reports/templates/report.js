"use strict";
// The page is complete without this: filters, search, theme and tooltips only.
(() => {
  const root = document.documentElement;
  root.classList.add("script");
  const THEMES = ["system", "light", "dark"];
  const VERDICTS = ["pass", "fail", "crash", "timeout", "device-lost", "latitude", "unsupported", "not-run", "unexpected"];
  const KEYS = ["q", "op", "domain", "dtype", "backend", "verdict"];
  const FIRST_TYPE = 3; // cells before the first type in a row of the matrix

  // Storage may be forbidden, to a file on disk for example.
  const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* not kept */ } };
  let theme = THEMES.includes(remembered()) ? remembered() : "system";
  const showTheme = () => {
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
  };
  showTheme();

  document.addEventListener("DOMContentLoaded", () => {
    const form = document.getElementById("filters");
    const field = (key) => form.elements.namedItem(key);
    const shown = document.getElementById("shown");
    const noneShown = document.getElementById("none-shown");
    const matrix = document.getElementById("m");
    const types = [...matrix.tHead.rows[0].cells].slice(FIRST_TYPE).map((cell) => cell.textContent);
    const groups = [...matrix.querySelectorAll("tbody.g")].map((body) => ({
      body,
      section: document.getElementById(body.dataset.o),
      id: body.dataset.o.toLowerCase(),
      name: body.querySelector("a").textContent.toLowerCase(),
      domain: body.dataset.d,
      rows: [...body.rows],
      text: null,
    }));
    const headings = [...matrix.querySelectorAll("tbody.domain")];
    const columnStyle = document.head.appendChild(document.createElement("style"));

    const fill = (target, values) => target.append(...values.map((value) => new Option(value, value)));
    fill(field("domain"), [...new Set(groups.map((group) => group.domain))]);
    fill(field("dtype"), types);
    fill(document.getElementById("op-names"), groups.map((group) => group.body.dataset.o));

    const counts = (cell) => (cell?.dataset.c ?? "").split(",").map(Number);
    const hasVerdict = (cell, verdict) => {
      const numbers = counts(cell);
      if ((numbers[VERDICTS.indexOf(verdict)] ?? 0) > 0) return true;
      return verdict === "not-run" && numbers.every((number) => number === 0);
    };
    const searchable = (group) => {
      group.text ??= (group.domain + " " + group.section.textContent).toLowerCase();
      return group.text;
    };

    const apply = () => {
      const wanted = Object.fromEntries(KEYS.map((key) => [key, field(key).value.trim()]));
      const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
      const op = wanted.op.toLowerCase();
      const exact = groups.some((group) => group.id === op || group.name === op);
      const isOp = (group) => !op || (exact ? group.id === op || group.name === op : group.id.includes(op));
      const type = types.indexOf(wanted.dtype);
      const fits = (row) => {
        const backend = row.dataset.b;
        if (wanted.backend && backend && backend !== wanted.backend) return false;
        const cell = row.cells[type < 0 ? FIRST_TYPE - 1 : FIRST_TYPE + type];
        if (type >= 0 && cell.dataset.c === undefined) return false;
        return !wanted.verdict || hasVerdict(cell, wanted.verdict);
      };
      const visible = [];
      for (const group of groups) {
        const fit = isOp(group) && (!wanted.domain || group.domain === wanted.domain)
          && words.every((word) => searchable(group).includes(word));
        for (const row of group.rows) row.hidden = !(fit && fits(row));
        group.body.hidden = group.section.hidden = group.rows.every((row) => row.hidden);
        if (!group.body.hidden) visible.push(group);
      }
      for (const heading of headings) {
        heading.hidden = !visible.some((group) => group.domain === heading.dataset.d);
      }
      columnStyle.textContent = type < 0 ? ""
        : `#m .g tr > :nth-child(n+4):not(:nth-child(${type + 4})), #m thead tr > :nth-child(n+4):not(:nth-child(${type + 4})) { display: none; }`;
      noneShown.hidden = visible.length > 0;
      shown.textContent = visible.length === groups.length
        ? `${groups.length} operators` : `${visible.length} of ${groups.length} operators`;
      return visible;
    };

    const toUrl = () => {
      const query = new URLSearchParams();
      for (const key of KEYS) if (field(key).value.trim()) query.set(key, field(key).value.trim());
      history.replaceState(null, "", query.size ? "#" + query : location.pathname + location.search);
    };
    // #op=Min&verdict=fail is a filter, #Min is an operator.
    const fromUrl = () => {
      const fragment = location.hash.slice(1);
      if (fragment.includes("=")) {
        const query = new URLSearchParams(fragment);
        for (const key of KEYS) field(key).value = query.get(key) ?? "";
        // A backend may be named without its version.
        const backend = query.get("backend");
        for (const option of field("backend").options) {
          if (backend && option.value.split(" ")[0] === backend) field("backend").value ||= option.value;
        }
        const visible = apply();
        if (visible.length === 1) visible[0].section.open = true;
        return true;
      }
      let target = null;
      try { target = document.getElementById(decodeURIComponent(fragment)); } catch { /* no such place */ }
      if (target?.matches("details.op")) {
        if (target.hidden) { form.reset(); apply(); }
        target.open = true;
        target.scrollIntoView();
      }
      return false;
    };

    let waiting = 0;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { apply(); toUrl(); }, 80);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => { apply(); toUrl(); }));
    addEventListener("hashchange", () => {
      if (fromUrl()) document.getElementById("matrix").scrollIntoView();
    });
    if (!fromUrl()) apply();
    if (location.hash.includes("=")) form.scrollIntoView();

    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !event.target.closest("input, select, textarea")) {
        event.preventDefault();
        field("q").focus();
      }
    });
    const setOpen = (open) => {
      for (const group of groups) if (!group.section.hidden) group.section.open = open;
    };
    document.getElementById("open-all").addEventListener("click", () => setOpen(true));
    document.getElementById("close-all").addEventListener("click", () => setOpen(false));

    const button = document.getElementById("theme");
    const nameTheme = () => { button.textContent = "Theme: " + theme; };
    nameTheme();
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      remember(theme);
      showTheme();
      nameTheme();
    });

    // What a cell says, in words. The operator's own table says it too, to those who have no mouse.
    const tip = document.getElementById("tip");
    matrix.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("td[data-c]");
      tip.hidden = !cell;
      if (!cell) return;
      const row = cell.parentElement;
      const numbers = counts(cell);
      const parts = VERDICTS.map((verdict, index) => [numbers[index] ?? 0, verdict])
        .filter(([count]) => count > 0).map(([count, verdict]) => `${count} ${verdict}`);
      const distance = cell.querySelector("small")?.textContent;
      const type = types[cell.cellIndex - FIRST_TYPE] ?? "all types";
      tip.textContent = `${row.cells[0].textContent} · ${row.dataset.b || "no backend"} · ${type}: `
        + (parts.join(", ") || "no case ran") + (distance ? `; worst ${distance} ulp` : "");
      const place = cell.getBoundingClientRect();
      tip.style.left = Math.max(4, Math.min(place.left, innerWidth - tip.offsetWidth - 8)) + "px";
      tip.style.top = (place.top > tip.offsetHeight + 8 ? place.top - tip.offsetHeight - 4 : place.bottom + 4) + "px";
    });
    matrix.addEventListener("mouseleave", () => { tip.hidden = true; });
    document.querySelector(".tall").addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
  });
})();
