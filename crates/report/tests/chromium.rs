//! Tests the page in a real browser, a headless Chromium, if one is installed.
//!
//! The program is taken from `PLUMBLINE_CHROMIUM`, or else searched for under the usual names. Without a browser the
//! tests are listed as ignored, or fail if `PLUMBLINE_REQUIRE_CHROMIUM` is 1. `scripts/install-chromium.sh` installs a
//! browser. Screenshots are kept in `target/tmp/report-screenshots/` for inspection.
#![allow(clippy::unwrap_used, reason = "tests")]

mod browser;
mod synthetic;

use std::path::{Path, PathBuf};

use browser::frame::{self, Check, equal, holds};
use browser::{Tab, address};
use libtest_mimic::Failed;
use plumbline_report::{ReportInput, Results, Summary};
use plumbline_spec::Spec;

fn main() {
    let checks: [(&str, Check<Page>); 11] = [
        ("errors_on_the_console_are_seen", errors_are_seen),
        ("the_page_is_small_at_first_and_says_nothing_on_the_console", page_is_small_and_silent),
        ("outside_text_runs_nothing", outside_text_runs_nothing),
        ("a_red_cell_leads_to_its_failures", red_cell),
        ("a_cell_in_which_one_backend_fails_leads_to_that_backend", cells_of_one_backend),
        ("filters_combine_and_live_in_the_address", filters),
        ("usable_with_the_keyboard_alone", keyboard),
        ("axe_has_no_serious_finding", accessible),
        ("complete_without_javascript", without_javascript),
        ("forty_operators_fit_on_a_screen_and_a_phone_shows_the_matrix", sizes),
        ("pictures_in_light_dark_and_print", pictures),
    ];
    frame::run(Page::new, &checks)
}

/// The synthetic report on disk.
struct Page {
    folder: tempfile::TempDir,
    path: PathBuf,
    summary: Summary,
}

impl Page {
    fn new() -> Page {
        let mut results = Vec::new();
        synthetic::results(Spec::embedded(), |result| results.push(result));
        let folder = tempfile::tempdir().unwrap();
        let input = ReportInput {
            base: Default::default(),
            spec: Spec::embedded(),
            results: Results::Stream(Box::new(results.into_iter())),
            meta: synthetic::meta(),
        };
        let summary = input.write(folder.path()).unwrap();
        let path = folder.path().join("index.html");
        Page { folder, path, summary }
    }
}

const SHOWN_ROWS: &str = "#m tr[data-o]:not([hidden])";
const SHOWN_SECTIONS: &str = "details.op:not([hidden])";

/// Checks what the other tests rely on: that errors of a page are noticed.
fn errors_are_seen(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    let path = page.folder.path().join("broken.html");
    for script in ["console.error('told')", "throw new Error('thrown')", "missing.name()"] {
        std::fs::write(&path, format!("<!doctype html><title>x</title><script>{script}</script>"))?;
        tab.console.clear();
        tab.visit(&address(&path, ""))?;
        holds(script, !tab.console.is_empty())?;
    }
    // A page must not run a script that its policy does not name.
    let whole = std::fs::read_to_string(&page.path)?;
    std::fs::write(&path, whole.replacen("<body>", "<body><script>document.title = 'owned'</script>", 1))?;
    tab.console.clear();
    tab.visit(&address(&path, ""))?;
    holds("the policy stops a foreign script", tab.text("document.title")? != "owned")?;
    let told = tab.console.iter().any(|line| line.contains("Content Security Policy"));
    holds("the browser's console reports the foreign script", told)
}

fn page_is_small_and_silent(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    for scheme in ["light", "dark"] {
        tab.media("screen", scheme)?;
        tab.visit(&address(&page.path, ""))?;
        equal("console", tab.console.clone(), Vec::<String>::new())?;
        let elements = tab.count("*")?;
        holds(&format!("{elements} elements"), elements <= 15_000)?;
        let all = tab.count("details.op")?;
        equal("rows of the matrix", tab.count(SHOWN_ROWS)?, all)?;
        equal("sections", tab.count(SHOWN_SECTIONS)?, all)?;
        equal("the number of operators", tab.text("shown.textContent")?, format!("{all} operators"))?;
        equal("sections that are built", tab.count("details.op article, details.op h4")?, 0)?;
    }
    Ok(())
}

fn outside_text_runs_nothing(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&address(&page.path, "#verdict=fail&q=onerror"))?;
    holds("a search finds the section", tab.count(SHOWN_SECTIONS)? > 0)?;
    tab.click("#open-all")?;
    tab.settle()?;
    holds("sections are built", tab.count("details.op article")? > 0)?;
    equal("title", tab.text("document.title")?, page.summary.meta.title.clone())?;
    equal("foreign elements", tab.count("img, svg, iframe, form form, h1 ~ h1")?, 0)?;
    equal("scripts", tab.count("script")?, 2)?;
    let handlers = "[...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length";
    equal("handlers", tab.value(handlers)?.as_u64(), Some(0))?;
    equal("console", tab.console.clone(), Vec::new())
}

fn red_cell(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&address(&page.path, "#backend=onnxruntime"))?;
    let cell = "#m tr[data-o]:not([hidden]) td:is(.f, .e) a";
    let text = tab.text(&format!("document.querySelector('{cell}').textContent"))?;
    holds(&format!("a red cell shows a count: {text}"), text.len() > 1)?;
    let operator = tab.text(&format!("document.querySelector('{cell}').closest('tr').dataset.o"))?;
    tab.click(cell)?;
    let hash = tab.text("location.hash")?;
    for part in [&format!("op={operator}"), "verdict=failing", "dtype=", "backend=onnxruntime"] {
        holds(&format!("{hash} has {part}"), hash.contains(part))?;
    }
    equal(
        "open sections",
        tab.value("[...document.querySelectorAll('details.op[open]')].map((s) => s.id)")?,
        serde_json::json!([operator]),
    )?;
    let shown = tab.shown("details.op[open] article")?;
    holds("failures are shown", !shown.is_empty())?;
    holds("all failures shown are of this backend", shown.iter().all(|text| text.contains("onnxruntime 1.31.1")))?;
    let hidden = tab.count("details.op[open] article[hidden]")?;
    holds("failures of other backends are hidden, or few are shown", hidden > 0 || shown.len() < 3)?;
    holds("some failures have a command and a button", tab.count("details.op[open] article .cmd + .copy")? > 0)?;
    equal("console", tab.console.clone(), Vec::new())
}

/// The strip of a cell shows how many backends fail, even if scripts are off. When the mouse is over the link in the
/// cell, the script completes the link: it names the backend if only one fails. Strip and link have to agree.
fn cells_of_one_backend(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&address(&page.path, ""))?;
    let read = "[...document.querySelectorAll('#m tr[data-o] td:is(.f, .e) a')].map((link) => {
        link.dispatchEvent(new Event('pointerover', { bubbles: true }));
        const style = getComputedStyle(link.closest('td'));
        const failing = style.getPropertyValue('--k').split(style.getPropertyValue('--f-solid')).length - 1;
        return [failing, new URLSearchParams(link.hash.slice(1)).get('backend') ?? ''];
    })";
    let cells: Vec<(usize, String)> = serde_json::from_value(tab.value(read)?)?;
    for (failing, backend) in &cells {
        let is_right = if *failing == 1 { synthetic::BACKENDS.contains(&backend.as_str()) } else { backend.is_empty() };
        holds(&format!("{failing} backends fail, and the link has {backend:?}"), is_right && *failing > 0)?;
    }
    let of_one = cells.iter().filter(|(failing, _)| *failing == 1).count();
    holds("one backend fails in some cells, and several in others", of_one > 0 && of_one < cells.len())
}

fn filters(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    let has = |condition: &dyn Fn(&plumbline_report::Tally) -> bool| {
        page.summary
            .operators
            .iter()
            .filter(|op| op.backends.get(synthetic::BACKENDS[1]).is_some_and(condition))
            .count() as u64
    };
    let mut rows = |fragment: &str| -> Result<u64, Failed> {
        tab.visit(&address(&page.path, fragment))?;
        Ok(tab.count(SHOWN_ROWS)?)
    };
    let crashes = has(&|tally| tally.counts.crash > 0);
    holds("some operators crash", crashes > 0)?;
    equal("crash on one backend", rows("#verdict=crash&backend=onnxruntime")?, crashes)?;
    equal(
        "failing on one backend",
        rows("#verdict=failing&backend=onnxruntime")?,
        has(&|tally| tally.counts.bad() > 0),
    )?;
    equal("an unknown operator", rows("#op=NoSuchOperator")?, 0)?;
    holds("version 13 of many operators passes", rows("#version=13&verdict=pass")? > 10)?;
    holds("words that occur together", rows("#q=stringconcat+concat")? >= 1)?;
    equal("words that do not occur together", rows("#q=stringconcat+nosuchword")?, 0)?;
    tab.visit(&address(&page.path, ""))?;
    let all = tab.count(SHOWN_ROWS)?;
    let cause = tab.text("document.querySelector('.cause .amount').getAttribute('href')")?;
    tab.visit(&address(&page.path, &cause))?;
    let left = tab.count(SHOWN_ROWS)?;
    holds(&format!("the filter of a cause leaves {left} of {all} operators"), left > 0 && left < all)?;
    // A choice by hand is added to the address, and clearing the filters removes it.
    tab.value("{ const b = document.querySelector('[name=dtype]'); b.value = 'int8'; b.dispatchEvent(new Event('input', { bubbles: true })); }")?;
    tab.settle()?;
    holds("address", tab.text("location.hash")?.contains("dtype=int8"))?;
    tab.click("#filters button[type=reset]")?;
    tab.settle()?;
    equal("address after clearing", tab.text("location.hash")?, String::new())?;
    equal("rows after clearing", tab.count(SHOWN_ROWS)?, all)
}

fn keyboard(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&address(&page.path, ""))?;
    tab.press("/")?;
    equal("focus", tab.text("document.activeElement.name")?, "q".to_owned())?;
    tab.value("document.querySelector('#Min > summary').focus()")?;
    tab.press("Enter")?;
    equal("a section opens", tab.count("#Min[open] h4")? > 0, true)?;
    tab.value("document.querySelector('tbody.family button').focus()")?;
    tab.press("Enter")?;
    let folded = "document.querySelector('tbody.family button').getAttribute('aria-expanded')";
    equal("a family folds", tab.text(folded)?, "false".to_owned())?;
    tab.value("document.querySelector('#m td:is(.f, .e) a').closest('tbody').hidden = false")?;
    tab.value("document.querySelector('#m td:is(.f, .e) a').focus()")?;
    tab.press("Enter")?;
    holds("a cell opens its failures", tab.text("location.hash")?.contains("verdict=failing"))
}

/// Checks that axe-core, which the Python package axe-core-python brings, finds nothing serious on the page. The page
/// shows a section and its failures, once in light colors on a desktop and once in dark colors on a phone. Without the
/// package, this test prints that it is skipped, and checks nothing.
fn accessible(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    let Some(axe) = axe()? else {
        eprintln!("SKIPPED: PLUMBLINE_PYTHON names no Python with the package axe-core-python");
        return Ok(());
    };
    let serious = "axe.run(document, { resultTypes: ['violations'] }).then((all) => all.violations
        .filter((rule) => ['serious', 'critical'].includes(rule.impact))
        .map((rule) => `${rule.id}: ${rule.nodes.length} of ${rule.nodes.slice(0, 3).map((n) => n.target).join(' ; ')}`))";
    let mut findings = |path: &Path, fragment: &str| -> Result<serde_json::Value, Failed> {
        tab.visit("about:blank")?;
        tab.visit(&address(path, fragment))?;
        tab.value(&axe)?;
        Ok(tab.value(serious)?)
    };
    let broken = page.folder.path().join("unreadable.html");
    std::fs::write(&broken, "<!doctype html><html lang=en><title>x</title><button></button>")?;
    holds("axe finds a button without a name", findings(&broken, "")?.to_string().contains("button-name"))?;
    equal("findings", findings(&page.path, "#Min")?, serde_json::json!([]))?;
    tab.media("screen", "dark")?;
    tab.size(390, 844)?;
    tab.visit("about:blank")?;
    tab.visit(&address(&page.path, "#Min"))?;
    tab.value(&axe)?;
    equal("findings on the dark page on a phone", tab.value(serious)?, serde_json::json!([]))
}

/// Returns the script of axe-core, if the Python that `PLUMBLINE_PYTHON` names has the package.
fn axe() -> Result<Option<String>, Failed> {
    let Some(python) = std::env::var_os("PLUMBLINE_PYTHON") else { return Ok(None) };
    let find = "import axe_core_python, pathlib; print(pathlib.Path(axe_core_python.__file__).with_name('axe.min.js'))";
    let found = std::process::Command::new(python).args(["-c", find]).output()?;
    if !found.status.success() {
        return Ok(None);
    }
    Ok(Some(std::fs::read_to_string(String::from_utf8(found.stdout)?.trim())?))
}

fn without_javascript(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    tab.scripts(false)?;
    tab.visit(&address(&page.path, ""))?;
    let sections = tab.count("details.op")?;
    equal("sections are complete", tab.count("details.op h4")? > sections, true)?;
    holds("failures are there", tab.count("details.op article")? > 10)?;
    equal("what needs a script is hidden", tab.shown(".filters, .needs-script")?.len(), 0)?;
    equal("rows", tab.count(SHOWN_ROWS)?, sections)?;
    equal("cells lead to failures", tab.count("#m td:is(.f, .e) a[href$='-failures']")? > 0, true)
}

fn sizes(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    tab.size(1400, 900)?;
    tab.visit(&address(&page.path, ""))?;
    tab.value("document.querySelector('.tall').scrollIntoView()")?;
    let rows = "[...document.querySelectorAll('#m tr[data-o]')].filter((r) => { const b = r.getBoundingClientRect(), t = document.querySelector('.tall').getBoundingClientRect(); return b.bottom <= Math.min(900, t.bottom) && b.top >= t.top; }).length";
    let rows = tab.value(rows)?.as_u64().unwrap_or(0);
    holds(&format!("{rows} operators on a screen"), rows >= 40)?;
    tab.size(390, 844)?;
    tab.visit(&address(&page.path, ""))?;
    equal("width of the page", tab.value("document.documentElement.scrollWidth")?.as_u64(), Some(390))?;
    holds("types are folded", tab.shown("#m thead .d")?.len() <= 5)
}

fn pictures(page: &Page, tab: &mut Tab) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-screenshots");
    std::fs::create_dir_all(&folder)?;
    let mut seen = Vec::new();
    for scheme in ["light", "dark"] {
        for (name, fragment) in
            [("top", ""), ("matrix", "#verdict=unexpected"), ("operator", "#Min"), ("directml", "#directml")]
        {
            tab.media("screen", scheme)?;
            tab.visit("about:blank")?;
            tab.visit(&address(&page.path, fragment))?;
            let picture = tab.picture()?;
            holds("the picture is not empty", picture.starts_with(b"\x89PNG") && picture.len() > 20_000)?;
            holds("the picture differs from the others", !seen.contains(&picture))?;
            std::fs::write(folder.join(format!("{scheme}-{name}.png")), &picture)?;
            seen.push(picture);
        }
    }
    tab.media("print", "light")?;
    tab.visit(&address(&page.path, "#Min"))?;
    equal("tools that are printed", tab.shown(".filters, .copy, .tools")?.len(), 0)?;
    let printed = tab.printed()?;
    holds("the page prints", printed.starts_with(b"%PDF") && printed.len() > 100_000)?;
    std::fs::write(folder.join("print.pdf"), printed)?;
    Ok(())
}
