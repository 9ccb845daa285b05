//! Drives a headless Chromium over its DevTools protocol, for the tests and the measurements of the page.
//!
//! A message is JSON with a zero byte at its end. The browser reads messages from its file descriptor 3 and writes
//! messages to 4 (`--remote-debugging-pipe`), so that neither a port nor a library for web sockets is needed. A shell
//! connects the two descriptors to pipes, so this works on Unix only.
#![allow(dead_code, reason = "each program uses only a part")]

pub mod frame;
pub mod report;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long to wait for an answer of the browser before giving up.
const DEADLINE: Duration = Duration::from_secs(120);

/// The reason why the browser did not do what it was asked to.
#[derive(Debug)]
pub struct BrowserError(pub String);

impl std::fmt::Display for BrowserError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BrowserError {}

pub type Result<T> = std::result::Result<T, BrowserError>;

fn failed(what: &str, error: impl std::fmt::Display) -> BrowserError {
    BrowserError(format!("{what}: {error}"))
}

/// Returns the installed browser: `PLUMBLINE_CHROMIUM`, or else one of the usual names on the path.
pub fn installed() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PLUMBLINE_CHROMIUM") {
        return Some(path.into());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// Returns the address of a file, with a fragment that is empty or begins with `#`.
pub fn address(file: &Path, fragment: &str) -> String {
    format!("file://{}{fragment}", file.display())
}

/// A running browser. It ends when it is dropped.
pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    next: u64,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.call(None, "Browser.close", json!({}));
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    /// Starts a browser.
    pub fn start(program: &Path) -> Result<Browser> {
        let what = program.display().to_string();
        let profile = tempfile::tempdir().map_err(|error| failed("profile", error))?;
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .arg(program)
            .args(["--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--hide-scrollbars", "--disable-quic"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&what, error))?;
        let no_pipe = || BrowserError(format!("{what}: no pipe"));
        let to = process.stdin.take().ok_or_else(no_pipe)?;
        let mut pipe = BufReader::new(process.stdout.take().ok_or_else(no_pipe)?);
        let (sender, from) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while pipe.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
                let message = serde_json::from_slice(bytes.strip_suffix(&[0]).unwrap_or(&bytes));
                if message.ok().is_none_or(|message: Value| sender.send(message).is_err()) {
                    break;
                }
                bytes.clear();
            }
        });
        Ok(Browser { process, to, from, next: 0, _profile: profile })
    }

    fn call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Result<(Value, Vec<Value>)> {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).map_err(|error| failed(method, error))?;
        let mut events = Vec::new();
        loop {
            let answer = self.receive(method)?;
            if answer["id"] != self.next {
                events.push(answer);
            } else if let Some(error) = answer["error"]["message"].as_str() {
                return Err(failed(method, error));
            } else {
                return Ok((answer["result"].clone(), events));
            }
        }
    }

    fn receive(&mut self, what: &str) -> Result<Value> {
        self.from.recv_timeout(DEADLINE).map_err(|error| failed(what, error))
    }

    /// Opens a tab that shares no storage with others.
    pub fn tab(&mut self) -> Result<Tab<'_>> {
        let (context, _) = self.call(None, "Target.createBrowserContext", json!({}))?;
        let target = json!({ "url": "about:blank", "browserContextId": context["browserContextId"] });
        let (target, _) = self.call(None, "Target.createTarget", target)?;
        let target = target["targetId"].as_str().unwrap_or_default().to_owned();
        let (session, _) = self.call(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }))?;
        let session = session["sessionId"].as_str().unwrap_or_default().to_owned();
        let mut tab = Tab { browser: self, target, session, console: Vec::new(), loads: 0, has_scripts: true };
        for domain in ["Page", "Runtime", "Log"] {
            tab.call(&format!("{domain}.enable"), json!({}))?;
        }
        tab.size(1440, 1000)?;
        Ok(tab)
    }
}

/// A tab of a browser.
pub struct Tab<'a> {
    browser: &'a mut Browser,
    target: String,
    session: String,
    /// What the console shows: messages and exceptions of pages, and complaints of the browser.
    pub console: Vec<String>,
    loads: usize,
    /// Whether pages run scripts. Without scripts, the tab cannot wait for a frame.
    has_scripts: bool,
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        let target = json!({ "targetId": self.target });
        let _ = self.browser.call(None, "Target.closeTarget", target);
    }
}

impl Tab<'_> {
    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        let (result, events) = self.browser.call(Some(&self.session), method, parameters)?;
        events.into_iter().for_each(|event| self.record_event(&event));
        Ok(result)
    }

    fn record_event(&mut self, event: &Value) {
        if event["sessionId"] != self.session.as_str() {
            return;
        }
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Page.loadEventFired") => self.loads += 1,
            Some("Runtime.consoleAPICalled") => self.console.push(parameters["args"].to_string()),
            Some("Runtime.exceptionThrown") => self.console.push(parameters["exceptionDetails"].to_string()),
            Some("Log.entryAdded") => self.console.push(parameters["entry"]["text"].to_string()),
            _ => {}
        }
    }

    /// Loads an address and waits until the page is loaded. If only the fragment differs, the page is not loaded again.
    pub fn visit(&mut self, url: &str) -> Result<()> {
        self.load(url)?;
        self.settle()
    }

    fn load(&mut self, url: &str) -> Result<()> {
        let loads = self.loads;
        let answer = self.call("Page.navigate", json!({ "url": url }))?;
        if let Some(error) = answer["errorText"].as_str() {
            return Err(failed(url, error));
        }
        while self.loads == loads && answer["loaderId"].is_string() {
            let event = self.browser.receive(url)?;
            self.record_event(&event);
        }
        Ok(())
    }

    /// Loads an address from the start, even if the tab shows another fragment of the same page.
    pub fn visit_anew(&mut self, url: &str) -> Result<()> {
        self.load("about:blank")?;
        self.visit(url)
    }

    /// Waits until the page has drawn two more frames, and 120 ms more. If scripts are off, this returns at once.
    pub fn settle(&mut self) -> Result<()> {
        if !self.has_scripts {
            return Ok(());
        }
        let frames =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 120))))";
        self.call("Runtime.evaluate", json!({ "expression": frames, "awaitPromise": true })).map(drop)
    }

    /// Evaluates an expression and returns its value. If the expression gives a promise, waits for the promise's value.
    pub fn value(&mut self, expression: &str) -> Result<Value> {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", asked)?;
        match answer["exceptionDetails"].is_null() {
            true => Ok(answer["result"]["value"].clone()),
            false => Err(failed(expression, &answer["exceptionDetails"])),
        }
    }

    /// Returns the string that an expression gives, or an empty string for any other value.
    pub fn text(&mut self, expression: &str) -> Result<String> {
        Ok(self.value(expression)?.as_str().unwrap_or_default().to_owned())
    }

    /// Returns the number of elements that a selector finds.
    pub fn count(&mut self, selector: &str) -> Result<u64> {
        Ok(self.value(&format!("document.querySelectorAll({}).length", json!(selector)))?.as_u64().unwrap_or(0))
    }

    /// Returns the texts of the elements that a selector finds and that are visible.
    pub fn shown(&mut self, selector: &str) -> Result<Vec<String>> {
        let expression = format!(
            "[...document.querySelectorAll({})].filter((e) => e.checkVisibility()).map((e) => e.textContent.trim())",
            json!(selector)
        );
        let texts = self.value(&expression)?;
        Ok(texts.as_array().into_iter().flatten().map(|text| text.as_str().unwrap_or_default().to_owned()).collect())
    }

    /// Scrolls to the first element that a selector finds, and clicks on its middle.
    pub fn click(&mut self, selector: &str) -> Result<()> {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null; e.scrollIntoView({{ block: 'center' }});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ))?;
        let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) else {
            return Err(failed(selector, "there is no such element to click"));
        };
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        self.settle()
    }

    /// Presses and releases a key: `Tab`, `Enter`, ` `, `ArrowDown`, `/`.
    pub fn press(&mut self, key: &str) -> Result<()> {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "ArrowDown" => 40,
            _ => key.bytes().next().map_or(0, i32::from),
        };
        let text = if key == "Enter" { "\r" } else { key };
        let is_text = key.chars().count() == 1 || key == "Enter";
        let mut event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if is_text {
            event["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", event)?;
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }))?;
        self.settle()
    }

    /// Sets the size of the window.
    pub fn size(&mut self, width: u32, height: u32) -> Result<()> {
        let mobile = width < 600;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.call("Emulation.setDeviceMetricsOverride", size).map(drop)
    }

    /// Sets the medium (`screen` or `print`) and the colour scheme (`light` or `dark`).
    pub fn media(&mut self, medium: &str, scheme: &str) -> Result<()> {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": medium, "features": features })).map(drop)
    }

    /// Turns scripts on or off. This takes effect when the next page is loaded.
    pub fn scripts(&mut self, allowed: bool) -> Result<()> {
        self.has_scripts = allowed;
        self.call("Emulation.setScriptExecutionDisabled", json!({ "value": !allowed })).map(drop)
    }

    /// Returns a picture of what the window shows, as PNG.
    pub fn picture(&mut self) -> Result<Vec<u8>> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        Ok(decoded(answer["data"].as_str().unwrap_or_default()))
    }

    /// Prints the page and returns the PDF.
    pub fn printed(&mut self) -> Result<Vec<u8>> {
        let wanted = json!({ "printBackground": true, "preferCSSPageSize": true });
        let answer = self.call("Page.printToPDF", wanted)?;
        Ok(decoded(answer["data"].as_str().unwrap_or_default()))
    }
}

/// Decodes base64.
fn decoded(text: &str) -> Vec<u8> {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in text.chars().map_while(|c| digits.find(c)) {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 255) as u8);
        }
    }
    out
}
