//! Opens the pages of a site in a headless Chromium, if one is installed: from the disk, light and dark, and at the
//! width of a phone. Without a browser the tests are listed as ignored, and with `PLUMBLINE_REQUIRE_CHROMIUM=1` they
//! fail. Screenshots are kept in `target/tmp/site-screenshots/` for inspection.
#![allow(clippy::unwrap_used, reason = "tests")]

mod browser;
mod synthetic;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use plumbline_report::RunMeta;
use plumbline_report::site::build;
use plumbline_spec::Spec;

/// One page of each kind; the operator has failures and text from outside.
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

type Check = fn(&Site) -> Result<(), Failed>;

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(2);
    let required = std::env::var_os("PLUMBLINE_REQUIRE_CHROMIUM").is_some_and(|value| value == "1");
    let checks: [(&str, Check); 3] = [
        ("pages_say_nothing_on_the_console", nothing_on_the_console),
        ("pages_fit_a_phone", pages_fit_a_phone),
        ("screenshots_in_light_and_dark", screenshots),
    ];
    let Some(program) = browser::find() else {
        eprintln!("SKIPPED: no Chromium was found; scripts/install-chromium.sh installs it");
        let missing = || Err(Failed::from("no Chromium was found, but PLUMBLINE_REQUIRE_CHROMIUM is 1"));
        let tests = checks.map(|(name, _)| Trial::test(name, missing).with_ignored_flag(!required));
        libtest_mimic::run(&arguments, tests.into()).exit();
    };
    let site = (!arguments.list).then(|| Arc::new(Site::new(program)));
    let tests = checks.map(|(name, check)| {
        let site = site.clone();
        Trial::test(name, move || site.as_deref().map_or(Ok(()), check))
    });
    libtest_mimic::run(&arguments, tests.into()).exit();
}

/// A site of synthetic results on disk.
struct Site {
    browser: PathBuf,
    folder: tempfile::TempDir,
}

impl Site {
    fn new(browser: PathBuf) -> Site {
        let folder = tempfile::tempdir().unwrap();
        let first = synthetic::meta();
        let mut results = String::new();
        synthetic::results(Spec::embedded(), |result| {
            // Some operators, so that the test is fast.
            if !result.op.starts_with(|c: char| c.is_ascii_uppercase()) || "ACM".contains(&result.op[..1]) {
                results.push_str(&serde_json::to_string(&result).unwrap());
                results.push('\n');
            }
        });
        // In the second run, one backend has another version and answers like another one.
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
        Site { browser, folder }
    }

    fn path(&self, page: &str) -> PathBuf {
        self.folder.path().join("site").join(page)
    }

    fn visit(&self, page: &Path, flags: &[&str]) -> Result<(String, Vec<String>), Failed> {
        browser::visit(&self.browser, page, flags)
    }
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {wanted:?}").into()) }
}

/// The policy of a page names the hash of its style, so a wrong hash or anything that a text from outside starts would
/// be on the console.
fn nothing_on_the_console(site: &Site) -> Result<(), Failed> {
    for page in PAGES {
        let (dom, console) = site.visit(&site.path(page), &["--dump-dom"])?;
        equal(page, console, Vec::new())?;
        equal(page, dom.matches("<h1>").count(), 1)?;
    }
    let broken = site.path("broken.html");
    let whole = std::fs::read_to_string(site.path("index.html"))?;
    std::fs::write(&broken, whole.replacen("<style>", "<style>\n", 1))?;
    let (_, console) = site.visit(&broken, &["--dump-dom"])?;
    equal("a style with another hash is on the console", console.is_empty(), false)
}

/// Loads the pages into frames of this width, and compares it with the width that their contents need.
fn pages_fit_a_phone(site: &Site) -> Result<(), Failed> {
    let wide = site.path("wide.html");
    std::fs::write(&wide, "<!doctype html><div style='width: 500px'>wide</div>")?;
    let frame = |page: &&str| format!("<iframe width={NARROW} height=700 src='site/{page}'></iframe>");
    let frames: Vec<String> = PAGES.iter().chain(&["wide.html"]).map(frame).collect();
    let script = "onload = () => { document.body.dataset.widths = \
                  Array.from(frames).map(f => f.document.documentElement.scrollWidth).join(' ') }";
    let outer = site.folder.path().join("frames.html");
    std::fs::write(&outer, format!("<!doctype html><body>{}<script>{script}</script>", frames.concat()))?;
    let flags = ["--dump-dom", "--allow-file-access-from-files", "--disable-web-security"];
    let (dom, console) = site.visit(&outer, &flags)?;
    equal("console", console, Vec::new())?;
    let widths = dom.split_once("data-widths=\"").map_or("", |(_, rest)| rest.split('"').next().unwrap_or_default());
    let widths: Vec<u32> = widths.split(' ').filter_map(|width| width.parse().ok()).collect();
    equal("frames", widths.len(), PAGES.len() + 1)?;
    // The frame has no border inside of its width, so a page that fits needs exactly this much.
    for (page, width) in PAGES.iter().zip(&widths) {
        equal(page, *width, NARROW)?;
    }
    equal("the check sees a page that is too wide", widths[PAGES.len()] > NARROW, true)
}

fn screenshots(site: &Site) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site-screenshots");
    std::fs::create_dir_all(&folder)?;
    for (scheme, name) in [("1", "light"), ("0", "dark")] {
        let mut pictures = Vec::new();
        for page in PAGES {
            let path = folder.join(format!("{}-{name}.png", page.replace('/', "-")));
            let _ = std::fs::remove_file(&path);
            let shot = format!("--screenshot={}", path.display());
            let scheme = format!("--blink-settings=preferredColorScheme={scheme}");
            site.visit(&site.path(page), &[&shot, &scheme, "--window-size=1280,900"])?;
            pictures.push(std::fs::read(&path)?);
        }
        equal(name, pictures.iter().all(|picture| picture.len() > 10_000), true)?;
    }
    Ok(())
}
