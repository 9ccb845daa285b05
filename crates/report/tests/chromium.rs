//! Tests the page in a real browser, a headless Chromium, if one is installed.
//!
//! The program is taken from `PLUMBLINE_CHROMIUM`, or else searched for under the usual names. Without a browser the
//! tests are listed as ignored, and with `PLUMBLINE_REQUIRE_CHROMIUM=1` they fail. `scripts/install-chromium.sh`
//! installs one. Screenshots are kept in `target/tmp/report-screenshots/` for inspection.
#![allow(clippy::unwrap_used, reason = "tests")]

mod synthetic;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use plumbline_conformance::Verdict;
use plumbline_report::{Aggregator, OperatorSummary, Summary, html};
use plumbline_spec::Spec;

/// A page of four megabytes takes a few seconds, so a browser that needs longer than this hangs, which is a failure.
const DEADLINE: Duration = Duration::from_secs(300);

type Check = fn(&Page) -> Result<(), Failed>;

fn main() {
    let mut arguments = Arguments::from_args();
    // Each browser consists of several processes, and waits half of the time.
    arguments.test_threads = Some(2);
    let required = std::env::var_os("PLUMBLINE_REQUIRE_CHROMIUM").is_some_and(|value| value == "1");
    let checks: [(&str, Check); 8] = [
        ("errors_on_the_console_are_seen", errors_are_seen),
        ("the_page_stands_and_says_nothing_on_the_console", the_page_stands),
        ("outside_text_runs_nothing", outside_text_runs_nothing),
        ("one_operator_by_its_address", one_operator),
        ("filters_by_backend_and_verdict", filters),
        ("filters_by_type_and_searches", types_and_search),
        ("readable_without_javascript", without_javascript),
        ("screenshots_in_light_and_dark", screenshots),
    ];
    let Some(browser) = find() else {
        eprintln!("SKIPPED: no Chromium was found; scripts/install-chromium.sh installs it");
        let missing = || Err(Failed::from("no Chromium was found, but PLUMBLINE_REQUIRE_CHROMIUM is 1"));
        let tests = checks.map(|(name, _)| Trial::test(name, missing).with_ignored_flag(!required));
        libtest_mimic::run(&arguments, tests.into()).exit();
    };
    let listing = arguments.list;
    let page = (!listing).then(|| Arc::new(Page::new(browser)));
    let tests = checks.map(|(name, check)| {
        let page = page.clone();
        Trial::test(name, move || page.as_deref().map_or(Ok(()), check))
    });
    libtest_mimic::run(&arguments, tests.into()).exit();
}

fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PLUMBLINE_CHROMIUM") {
        return Some(path.into());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// The synthetic report on disk.
struct Page {
    browser: PathBuf,
    folder: tempfile::TempDir,
    path: PathBuf,
    summary: Summary,
}

/// The result of loading a page in the browser.
struct Visit {
    dom: String,
    console: Vec<String>,
}

impl Page {
    fn new(browser: PathBuf) -> Page {
        let mut aggregator = Aggregator::new();
        synthetic::results(Spec::embedded(), |result| aggregator.add(result).unwrap());
        let summary = aggregator.finish(synthetic::meta());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.html");
        std::fs::write(&path, html(&summary, Spec::embedded(), &BTreeSet::new()).unwrap()).unwrap();
        Page { browser, folder, path, summary }
    }

    /// Loads the page and returns its DOM after the script has run.
    fn visit(&self, fragment: &str, flags: &[&str]) -> Result<Visit, Failed> {
        visit(&self.browser, &self.path, fragment, &[&["--dump-dom"], flags].concat())
    }

    fn operators(&self) -> impl Iterator<Item = &OperatorSummary> {
        self.summary.operators.iter()
    }
}

fn visit(browser: &Path, path: &Path, fragment: &str, flags: &[&str]) -> Result<Visit, Failed> {
    let profile = tempfile::tempdir()?;
    let (out, err) = (profile.path().join("out"), profile.path().join("err"));
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=20000", "--window-size=1440,1000"])
        .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
        .args(flags)
        .arg(format!("file://{}{fragment}", path.display()))
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out)?)
        .stderr(std::fs::File::create(&err)?)
        .spawn()?;
    let end = Instant::now() + DEADLINE;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if Instant::now() > end => {
                child.kill()?;
                child.wait()?;
                return Err(format!("no answer from {} within {DEADLINE:?}", browser.display()).into());
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let log = String::from_utf8_lossy(&std::fs::read(err)?).into_owned();
    if !status.success() {
        return Err(format!("{} ended with {status}:\n{log}", browser.display()).into());
    }
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    Ok(Visit { dom: String::from_utf8(std::fs::read(out)?)?, console })
}

/// Returns the start tags that begin with `start`, as the browser wrote them.
fn tags<'a>(dom: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    dom.match_indices(start).map(|(at, _)| &dom[at..at + dom[at..].find('>').unwrap_or(0) + 1])
}

fn is_shown(tag: &&str) -> bool {
    !tag.contains("hidden=\"\"")
}

/// Returns the number of visible rows of the matrix.
fn shown_rows(dom: &str) -> usize {
    tags(dom, "<tr data-b=").filter(is_shown).count()
}

/// Returns the operators with a visible section.
fn shown_sections(dom: &str) -> Vec<&str> {
    tags(dom, "<details class=\"op\"").filter(is_shown).map(|tag| between(tag, "id=\"", "\"")).collect()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or("", |(found, _)| found)
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {wanted:?}").into()) }
}

fn holds(what: &str, condition: bool) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(what.to_owned().into()) }
}

/// Checks what the other tests rely on: that errors of a page are noticed.
fn errors_are_seen(page: &Page) -> Result<(), Failed> {
    let path = page.folder.path().join("broken.html");
    for script in ["console.error('told')", "throw new Error('thrown')", "missing.name()"] {
        std::fs::write(&path, format!("<!doctype html><title>x</title><script>{script}</script>"))?;
        let visit = visit(&page.browser, &path, "", &["--dump-dom"])?;
        equal(script, visit.console.len(), 1)?;
    }
    // A page may also not run anything that its policy does not name.
    let whole = std::fs::read_to_string(&page.path)?;
    std::fs::write(&path, whole.replacen("<body>", "<body><script>document.title = 'owned'</script>", 1))?;
    let visit = visit(&page.browser, &path, "", &["--dump-dom"])?;
    holds("the policy stops a foreign script", !visit.dom.contains("<title>owned</title>"))?;
    holds(
        "the browser's console reports the foreign script",
        visit.console.iter().any(|line| line.contains("Content Security Policy")),
    )
}

fn the_page_stands(page: &Page) -> Result<(), Failed> {
    let rows = expected_rows(page, |_, _| true);
    for flags in [&[][..], &["--blink-settings=preferredColorScheme=0"]] {
        let visit = page.visit("", flags)?;
        equal("console", visit.console, Vec::<String>::new())?;
        equal("rows of the matrix", shown_rows(&visit.dom), rows + idle(page))?;
        let sections = shown_sections(&visit.dom).len();
        equal("sections", sections, page.operators().count() + idle(page))?;
        equal(
            "the number that the filter shows",
            between(&visit.dom, "id=\"shown\"", "</output>").contains(&format!(">{sections} operators")),
            true,
        )?;
        holds("the page has the section on DirectML", visit.dom.contains("Real DirectML numerics have not been run"))?;
        holds(
            "no section is open at first",
            !tags(&visit.dom, "<details class=\"op\"").any(|tag| tag.contains("open=\"\"")),
        )?;
    }
    Ok(())
}

/// Returns the number of operators of the specification without a result.
fn idle(page: &Page) -> usize {
    let ran = |domain: &str, name: &str| page.operators().any(|op| op.domain == domain && op.op == name);
    Spec::embedded().operators().filter(|operator| !ran(&operator.domain, &operator.name)).count()
}

/// Returns the number of rows of operators and backends for which `condition` holds.
fn expected_rows(page: &Page, condition: impl Fn(&OperatorSummary, &str) -> bool) -> usize {
    page.operators().map(|op| synthetic::BACKENDS.iter().filter(|backend| condition(op, backend)).count()).sum()
}

fn outside_text_runs_nothing(page: &Page) -> Result<(), Failed> {
    let visit = page.visit("#verdict=fail&q=onerror", &[])?;
    equal("title", between(&visit.dom, "<title>", "</title>"), page.summary.meta.title.as_str())?;
    for element in ["<img", "<svg", "<iframe"] {
        holds(element, !visit.dom.contains(element))?;
    }
    for tag in tags(&visit.dom, "<") {
        // Every second part is between quotes and is the value of an attribute, whatever it contains.
        let names = tag.split('"').step_by(2);
        holds(tag, !names.flat_map(str::split_whitespace).any(|name| name.starts_with("on")))?;
    }
    equal("headings", tags(&visit.dom, "<h1").count(), 1)?;
    equal("scripts", tags(&visit.dom, "<script").count(), 1)?;
    holds("a search finds the section", !shown_sections(&visit.dom).is_empty())
}

fn one_operator(page: &Page) -> Result<(), Failed> {
    let visit = page.visit("#op=Min", &[])?;
    equal("console", visit.console, Vec::<String>::new())?;
    equal("sections", shown_sections(&visit.dom), vec!["Min"])?;
    equal("rows", shown_rows(&visit.dom), 3)?;
    let open: Vec<_> = tags(&visit.dom, "<details class=\"op\"").filter(|tag| tag.contains("open=\"\"")).collect();
    equal("open sections", open.len(), 1)?;
    let anchor = page.visit("#ai.onnx.ml.Scaler", &[])?;
    let open = tags(&anchor.dom, "<details class=\"op\"").find(|tag| tag.contains("open=\"\""));
    equal("section by its anchor", open.map(|tag| between(tag, "id=\"", "\"")), Some("ai.onnx.ml.Scaler"))
}

fn filters(page: &Page) -> Result<(), Failed> {
    let has = |op: &OperatorSummary, backend: &str, verdict| {
        op.backends.get(backend).is_some_and(|tally| tally.counts.count(verdict) > 0)
    };
    let all = expected_rows(page, |_, _| true);

    let rows = expected_rows(page, |op, backend| has(op, backend, Verdict::Crash));
    holds("some rows crash, and not all", rows > 0 && rows < all)?;
    equal("crash", shown_rows(&page.visit("#verdict=crash", &[])?.dom), rows)?;

    // An operator without any result counts as not run.
    let rows =
        expected_rows(page, |op, backend| has(op, backend, Verdict::NotRun) || !op.backends.contains_key(backend));
    holds("some rows were not run, and not all", rows > 0 && rows < all)?;
    equal("not-run", shown_rows(&page.visit("#verdict=not-run", &[])?.dom), rows + idle(page))?;

    let on_one = |op: &&OperatorSummary| op.domain == "ai.onnx" && has(op, synthetic::BACKENDS[1], Verdict::Latitude);
    let visit = page.visit("#verdict=latitude&backend=onnxruntime&domain=ai.onnx", &[])?;
    equal("latitude on one backend", shown_rows(&visit.dom), page.operators().filter(on_one).count())?;

    let visit = page.visit("#op=NoSuchOperator", &[])?;
    equal("rows for an unknown operator", shown_rows(&visit.dom), 0)?;
    holds(
        "the page says that no operator fits the filter",
        tags(&visit.dom, "<p id=\"none-shown\"").all(|tag| is_shown(&tag)),
    )
}

fn types_and_search(page: &Page) -> Result<(), Failed> {
    let visit = page.visit("#dtype=bfloat16&op=Min&backend=rten", &[])?;
    equal("rows", shown_rows(&visit.dom), 1)?;
    holds("other columns are hidden", visit.dom.contains(":not(:nth-child(7)) { display: none; }"))?;
    let visit = page.visit("#dtype=string", &[])?;
    let sections = shown_sections(&visit.dom);
    holds("Min has no strings", !sections.contains(&"Min") && sections.contains(&"StringConcat"))?;
    let visit = page.visit("#q=stringconcat+concat", &[])?;
    holds("all words have to occur", shown_sections(&visit.dom).contains(&"StringConcat"))?;
    let visit = page.visit("#q=stringconcat+nosuchword", &[])?;
    equal("sections", shown_sections(&visit.dom).len(), 0)
}

fn without_javascript(page: &Page) -> Result<(), Failed> {
    let path = page.folder.path().join("scriptless.html");
    let whole = std::fs::read_to_string(&page.path)?;
    let (before, rest) = whole.split_once("<script>").ok_or("the page has no script")?;
    let (_, after) = rest.split_once("</script>").ok_or("the script of the page has no end")?;
    std::fs::write(&path, format!("{before}{after}"))?;
    let visit = visit(&page.browser, &path, "", &["--dump-dom"])?;
    equal("console", visit.console, Vec::<String>::new())?;
    holds("no script ran", !between(&visit.dom, "<html", ">").contains("script"))?;
    equal("rows", shown_rows(&visit.dom), expected_rows(page, |_, _| true) + idle(page))?;
    holds(
        "without scripts the sections are shown",
        visit.dom.contains("No case ran for") && visit.dom.contains("cargo xtask replay"),
    )
}

fn screenshots(page: &Page) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-screenshots");
    std::fs::create_dir_all(&folder)?;
    let mut pictures = Vec::new();
    for (name, fragment, scheme) in [
        ("light", "", "1"),
        ("dark", "", "0"),
        ("light-matrix", "#verdict=unexpected", "1"),
        ("dark-matrix", "#verdict=unexpected", "0"),
        ("light-operator", "#Min", "1"),
        ("dark-operator", "#Min", "0"),
        ("light-directml", "#directml", "1"),
        ("dark-directml", "#directml", "0"),
    ] {
        let path = folder.join(format!("{name}.png"));
        let _ = std::fs::remove_file(&path);
        let flags =
            [format!("--screenshot={}", path.display()), format!("--blink-settings=preferredColorScheme={scheme}")];
        // The page is shown in a frame, because a headless browser takes pictures of the start of a page and not of its
        // current position.
        let frame = page.folder.path().join("frame.html");
        let style = "border:0;position:fixed;inset:0;width:100%;height:100%";
        std::fs::write(&frame, format!("<!doctype html><iframe src='index.html{fragment}' style='{style}'></iframe>"))?;
        visit(&page.browser, &frame, "", &flags.each_ref().map(String::as_str))?;
        let picture = std::fs::read(&path)?;
        holds("the screenshot is not empty", picture.starts_with(b"\x89PNG") && picture.len() > 20_000)?;
        holds("the screenshot differs from the others", !pictures.contains(&picture))?;
        pictures.push(picture);
    }
    Ok(())
}
