//! Measures how long a headless Chromium needs for a page of the report, and how many elements the page has when it is
//! loaded: `cargo run -p plumbline-report --example measure_page -- FILE...`.
//!
//! Each page is loaded seven times, each time in a fresh tab, and the median is printed. *Ready* is the first moment
//! after the event `load` at which the browser has drawn a frame and has nothing left to do. *Open all* is the time
//! from a click on the button of this name to the next frame; it is measured once, on the last load.

use std::path::Path;

#[path = "../tests/browser/mod.rs"]
mod browser;

use browser::{Browser, BrowserError};
use serde_json::{Value, json};

/// A script that runs in each page before the scripts of the page.
const WATCH: &str = "addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => {
    window.measured = { ready: performance.now(), elements: document.getElementsByTagName('*').length };
})))";

const READ: &str = "({ ...window.measured, heap: performance.memory?.usedJSHeapSize ?? 0,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN })";

const OPEN_ALL: &str = "new Promise((done) => { const start = performance.now();
    document.getElementById('open-all')?.click();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))); })";

const LOADS: usize = 7;

fn main() -> Result<(), BrowserError> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let no_browser = || BrowserError("no Chromium was found; scripts/install-chromium.sh installs one".to_owned());
    let program = browser::installed().ok_or_else(no_browser)?;
    if files.is_empty() {
        return Err(BrowserError("no file is named; usage: measure_page FILE...".to_owned()));
    }
    let mut browser = Browser::start(&program)?;
    println!("{:>9} {:>9} {:>11} {:>9} {:>9}  page", "MB", "elements", "first paint", "ready", "open all");
    for file in files {
        let path = Path::new(&file).canonicalize().map_err(|error| BrowserError(format!("{file}: {error}")))?;
        let bytes = path.metadata().map_or(0, |data| data.len());
        let mut loads = Vec::new();
        let mut opened = 0.0;
        for _ in 0..LOADS {
            let mut tab = browser.tab()?;
            tab.size(1400, 900)?;
            tab.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH }))?;
            tab.visit(&browser::address(&path, ""))?;
            loads.push(tab.value(READ)?);
            if loads.len() == LOADS {
                opened = tab.value(OPEN_ALL)?.as_f64().unwrap_or(f64::NAN);
            }
        }
        println!(
            "{:>9.2} {:>9} {:>8.0} ms {:>6.0} ms {opened:>6.0} ms  {file}",
            bytes as f64 / 1e6,
            median(&loads, "elements"),
            median(&loads, "paint"),
            median(&loads, "ready"),
        );
    }
    Ok(())
}

fn median(loads: &[Value], key: &str) -> f64 {
    let mut values: Vec<f64> = loads.iter().map(|load| load[key].as_f64().unwrap_or(f64::NAN)).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
