//! If Chromium is installed, opens the pages of a site from the disk in a headless Chromium: light and dark, and at the
//! width of a phone. Without a browser the tests are listed as ignored, or fail if `PLUMBLINE_REQUIRE_CHROMIUM` is 1.
//! Screenshots are kept in `target/tmp/site-screenshots/` for inspection.
#![allow(clippy::unwrap_used, reason = "tests")]

mod browser;
mod synthetic;

use std::path::{Path, PathBuf};

use browser::frame::{self, Check, equal};
use browser::{Tab, address};
use libtest_mimic::Failed;
use plumbline_report::RunMeta;
use plumbline_report::site::build;
use plumbline_spec::Spec;

/// One page of each kind, and the page of a second operator.
const PAGES: [&str; 6] = [
    "index.html",
    "backends/onnxruntime.html",
    "operators/index.html",
    "operators/Min.html",
    "operators/Cast.html",
    "steps/onnxruntime/1.31.1_to_1.32.0.html",
];
/// The width of a phone.
const NARROW: u32 = 390;

fn main() {
    let checks: [(&str, Check<Site>); 3] = [
        ("pages_say_nothing_on_the_console", nothing_on_the_console),
        ("pages_fit_a_phone", pages_fit_a_phone),
        ("screenshots_in_light_and_dark", screenshots),
    ];
    frame::run(Site::new, &checks)
}

/// A site of synthetic results on disk.
struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new() -> Site {
        let folder = tempfile::tempdir().unwrap();
        let first = synthetic::meta();
        let mut results = String::new();
        synthetic::results(Spec::embedded(), |result| {
            // All hostile texts are used, but only some operators, so that the test is fast.
            if !result.op.starts_with(|c: char| c.is_ascii_uppercase()) || "ACM".contains(&result.op[..1]) {
                results.push_str(&serde_json::to_string(&result).unwrap());
                results.push('\n');
            }
        });
        // In the second run, onnxruntime has another version and answers as rten does.
        let mut second = RunMeta { started: Some("2024-07-11 04:00 UTC".to_owned()), ..first.clone() };
        second.backends.retain(|backend| backend.name == "onnxruntime");
        second.backends[0].version = Some("1.32.0".to_owned());
        let changed: String = results
            .lines()
            .filter(|line| line.contains("\"backend\":\"rten 0.27.0\""))
            .map(|line| line.replace("\"backend\":\"rten 0.27.0\"", "\"backend\":\"onnxruntime 1.32.0\"") + "\n")
            .collect();
        for (name, meta, results) in [("first", &first, &results), ("second", &second, &changed)] {
            let run = folder.path().join(name);
            std::fs::create_dir(&run).unwrap();
            std::fs::write(run.join("run.json"), serde_json::to_string(meta).unwrap()).unwrap();
            std::fs::write(run.join("results.jsonl"), results).unwrap();
        }
        let inputs = ["first", "second"].map(|name| folder.path().join(name));
        build(Spec::embedded(), &inputs, &folder.path().join("site"), "Synthetic").unwrap();
        Site { folder }
    }

    fn path(&self, page: &str) -> PathBuf {
        self.folder.path().join("site").join(page)
    }
}

/// The content security policy of a page names the hash of its style. On the console, Chromium would report a style
/// with another hash, and any script that it found in a hostile text and did not run.
fn nothing_on_the_console(site: &Site, tab: &mut Tab) -> Result<(), Failed> {
    for page in PAGES {
        tab.visit(&address(&site.path(page), ""))?;
        equal(page, tab.console.clone(), Vec::new())?;
        equal(page, tab.count("h1")?, 1)?;
    }
    let broken = site.path("broken.html");
    let whole = std::fs::read_to_string(site.path("index.html"))?;
    std::fs::write(&broken, whole.replacen("<style>", "<style>\n", 1))?;
    tab.visit(&address(&broken, ""))?;
    equal("the console reports a style with another hash", tab.console.is_empty(), false)
}

/// Compares the width of a phone with the width that the contents of the pages need.
fn pages_fit_a_phone(site: &Site, tab: &mut Tab) -> Result<(), Failed> {
    tab.size(NARROW, 700)?;
    let mut width = |path: &Path| -> Result<u64, Failed> {
        tab.visit(&address(path, ""))?;
        Ok(tab.value("document.documentElement.scrollWidth")?.as_u64().unwrap_or_default())
    };
    for page in PAGES {
        equal(page, width(&site.path(page))?, u64::from(NARROW))?;
    }
    let wide = site.path("wide.html");
    let viewport = "<meta name=viewport content='width=device-width'>";
    std::fs::write(&wide, format!("<!doctype html>{viewport}<div style='width: 500px'>wide</div>"))?;
    equal("the check sees a page that is too wide", width(&wide)? > u64::from(NARROW), true)
}

fn screenshots(site: &Site, tab: &mut Tab) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site-screenshots");
    std::fs::create_dir_all(&folder)?;
    tab.size(1280, 900)?;
    for scheme in ["light", "dark"] {
        tab.media("screen", scheme)?;
        for page in PAGES {
            tab.visit(&address(&site.path(page), ""))?;
            let picture = tab.picture()?;
            equal(page, picture.len() > 10_000, true)?;
            std::fs::write(folder.join(format!("{}-{scheme}.png", page.replace('/', "-"))), picture)?;
        }
    }
    Ok(())
}
