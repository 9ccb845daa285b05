//! Opens a small report, whose numbers are known, in a headless Chromium, and tests its views: distances, order,
//! folding, sections, tips, themes and copying. Without a browser the tests are listed as ignored, or fail if
//! `PLUMBLINE_REQUIRE_CHROMIUM` is 1.
#![allow(clippy::unwrap_used, reason = "tests")]

mod browser;
mod synthetic;

use browser::Tab;
use browser::frame::{self, Check, equal, holds};
use browser::report::{Report, choose, matrix, names, owned, rows};
use libtest_mimic::Failed;
use serde_json::json;
use synthetic::small;

fn main() {
    let checks: [(&str, Check<Report>); 10] = [
        ("worst_distances_are_colored_by_their_size", distances),
        ("the_matrix_is_drawn_again_as_it_was_written", drawn_again),
        ("a_phone_shows_types_that_never_ran", phone),
        ("rows_are_sorted_by_failures_distance_and_name", sorting),
        ("families_fold_one_by_one_and_all_together", families),
        ("a_kind_of_types_folds_into_one_column", kinds),
        ("sections_open_by_their_address_and_all_close_at_once", sections),
        ("a_cell_says_its_counts_in_words", tips),
        ("the_button_cycles_through_the_themes_and_the_choice_is_remembered", themes),
        ("a_command_is_copied_or_selected", copying),
    ];
    frame::run(|| Report::new(small::write), &checks)
}

/// Returns the rows of the operators that have results.
fn ran(tab: &mut Tab) -> Result<Vec<String>, Failed> {
    let operators = ["Max |", "Min |", "Relu |", "ai.onnx.ml.Scaler |"];
    Ok(rows(tab)?.into_iter().filter(|row| operators.iter().any(|name| row.starts_with(name))).collect())
}

fn distances(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at(""))?;
    choose(tab, "#show", "ulp")?;
    let wanted = [
        "Max | 2 e | 7e4 h5 | float 5 h4 | int32 64 h4 | int8 7e4 h5",
        "Min | 3 f | 4 h3 | double ✗1 h0 | float 3 h3 | float16 4 h3",
        "Relu |  | 1 h2 | double 1 h2 | float 0 h1",
        "ai.onnx.ml.Scaler | 4 f | 7e4 h6 | double 0 h1 | float ◷1 h0 | int64 7e4 h6",
    ];
    equal("worst distances", ran(tab)?, owned(&wanted))
}

/// The script may draw the matrix again, but what it draws without a filter has to be what the page came with.
fn drawn_again(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at(""))?;
    let written = matrix(tab)?;
    holds("types that never ran have a sign", written.iter().any(|row| row.contains("○/o/none")))?;
    let compare = |what: &str, tab: &mut Tab| -> Result<(), Failed> {
        let drawn = matrix(tab)?;
        let differs = written.iter().zip(&drawn).find(|(one, other)| one != other);
        equal(what, differs, None)?;
        equal(what, drawn.len(), written.len())
    };
    choose(tab, "#show", "ulp")?;
    choose(tab, "#show", "")?;
    compare("after the view of distances", tab)?;
    for filter in ["#version=13", "#dtype=float", "#backend=rten", "#rule=nan", "#q=relu", "#verdict=failing"] {
        tab.visit(&report.at(filter))?;
        tab.click("#filters button[type=reset]")?;
        compare(filter, tab)?;
    }
    Ok(())
}

/// A phone shows one column for each kind of types. The script draws the matrix again as soon as it runs.
fn phone(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.size(390, 844)?;
    tab.visit(&report.at(""))?;
    let wanted = [
        "Max | 2 e | 7e4 h5 | double ✓ p | int64 ✗2 e | uint64 ○ o",
        "Min | 3 f | 4 h3 | double †3 f | int64 ○ o | uint64 ○ o",
        "Relu |  | 1 h2 | double ◐ h | int64 ○ o",
        "ai.onnx.ml.Scaler | 4 f | 7e4 h6 | double ◷1 f | int64 ✗3 f",
    ];
    equal("kinds of types", ran(tab)?, owned(&wanted))
}

fn sorting(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at(""))?;
    let by_family = names(tab)?;
    let families = tab.shown("tbody.family .n button")?;
    holds("families have heads", families.len() > 10)?;
    choose(tab, "#sort", "bad")?;
    equal("by failures", names(tab)?[..3].to_vec(), owned(&["Scaler", "Min", "Max"]))?;
    equal("heads of families when failures set the order", tab.shown("tbody.family .n button")?, Vec::new())?;
    choose(tab, "#sort", "ulp")?;
    equal("by distance", names(tab)?[..4].to_vec(), owned(&["Scaler", "Max", "Min", "Relu"]))?;
    choose(tab, "#sort", "name")?;
    let mut by_name = by_family.clone();
    by_name.sort();
    equal("by name", names(tab)?, by_name)?;
    choose(tab, "#sort", "")?;
    equal("by family", names(tab)?, by_family)?;
    equal("heads of families", tab.shown("tbody.family .n button")?, families)
}

fn families(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at("#version=13"))?;
    tab.visit(&report.at("#version="))?;
    let all = names(tab)?;
    let arithmetic = "tbody.family[data-f=arithmetic] button";
    let of_family = tab.shown("tbody.g[data-f=arithmetic] .n")?;
    holds("a family has Max and Min", ["Max", "Min"].iter().all(|name| of_family.iter().any(|own| own == name)))?;
    tab.click(arithmetic)?;
    let others: Vec<String> = all.iter().filter(|name| !of_family.contains(name)).cloned().collect();
    equal("rows without one family", names(tab)?, others)?;
    tab.click(arithmetic)?;
    equal("rows with the family", names(tab)?, all.clone())?;
    tab.click("#fold")?;
    equal("rows when all are folded", names(tab)?, Vec::new())?;
    equal("button", tab.text("fold.textContent")?, "Unfold families".to_owned())?;
    let folded = "[...document.querySelectorAll('tbody.family button')].every((b) => b.ariaExpanded === 'false')";
    equal("heads are folded", tab.value(folded)?, json!(true))?;
    tab.click("#fold")?;
    equal("rows when none is folded", names(tab)?, all)?;
    equal("button", tab.text("fold.textContent")?, "Fold families".to_owned())
}

fn kinds(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at(""))?;
    let heads = tab.shown("#m thead .d")?;
    let before = ran(tab)?;
    let signed = "#m .kinds [data-k=signed]";
    tab.click(&format!("{signed} button"))?;
    let folded: Vec<String> = heads.iter().filter(|head| *head == "i64" || !head.starts_with('i')).cloned().collect();
    equal("columns", tab.shown("#m thead .d")?, folded)?;
    equal("Max", ran(tab)?[0].contains("int64 ✗2 e"), true)?;
    let says = format!(
        "(({{ colSpan, firstElementChild: b }}) => [colSpan, b.ariaExpanded])(document.querySelector('{signed}'))"
    );
    equal("the head of the kind", tab.value(&says)?, json!([1, "false"]))?;
    tab.click(&format!("{signed} button"))?;
    equal("columns again", tab.shown("#m thead .d")?, heads)?;
    equal("rows again", ran(tab)?, before)?;
    equal("the head of the kind again", tab.value(&says)?[1].clone(), json!("true"))
}

/// Returns the sections that are open.
fn open_sections(tab: &mut Tab) -> Result<serde_json::Value, Failed> {
    Ok(tab.value("[...document.querySelectorAll('details.op[open]')].map((section) => section.id)")?)
}

fn sections(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    let top = |id: &str| format!("Math.round(document.getElementById('{id}').getBoundingClientRect().top)");
    tab.visit(&report.at("#verdict=failing"))?;
    equal("sections at first", open_sections(tab)?, json!([]))?;
    tab.click("#open-all")?;
    equal("sections that fit the filter", open_sections(tab)?, json!(["Max", "Min", "ai.onnx.ml.Scaler"]))?;
    tab.click("#close-all")?;
    equal("sections after closing", open_sections(tab)?, json!([]))?;
    // If the filter hides an operator, visiting the operator's address clears the filter and shows the operator.
    tab.visit(&report.at("#domain=ai.onnx.ml"))?;
    tab.visit(&report.at("#Min"))?;
    equal("the section of the address", open_sections(tab)?, json!(["Min"]))?;
    holds("all operators are shown", names(tab)?.len() > 100)?;
    equal("the section is at the top", tab.value(&format!("{} < 200", top("Min")))?, json!(true))?;
    // An address may name a part of a section that is not built yet. The page has to build the section and show the
    // part, both when it is loaded with the address and when the address changes later.
    tab.visit("about:blank")?;
    for (operator, opened) in [("Min", json!(["Min"])), ("Relu", json!(["Min", "Relu"]))] {
        let part = format!("{operator}-directml");
        tab.visit(&report.at(&format!("#{part}")))?;
        equal("sections after an address of a part", open_sections(tab)?, opened)?;
        let places = format!("[{} < 0, {} >= 0 && {} < 200]", top(operator), top(&part), top(&part));
        equal(&format!("{part} is at the top, its section begins above"), tab.value(&places)?, json!([true, true]))?;
    }
    tab.visit_anew(&report.at("#directml"))?;
    equal("the levels are open", tab.count("#directml > details[open] > .sides th")? > 10, true)?;
    equal("DirectML is on the screen", tab.value(&format!("{} < 500", top("directml")))?, json!(true))
}

/// Returns what the page says when the mouse is over a cell of an operator. `place` is the number of the cell in its
/// row, or a JavaScript expression for this number.
fn tip(tab: &mut Tab, operator: &str, place: &str) -> Result<String, Failed> {
    let show = format!(
        "(() => {{ const types = JSON.parse(document.getElementById('data').textContent).types;
            const row = document.querySelector('tr[data-o=\"{operator}\"]');
            row.cells[{place}].dispatchEvent(new MouseEvent('mouseover', {{ bubbles: true }}));
            return tip.checkVisibility() ? tip.textContent : 'hidden'; }})()"
    );
    Ok(tab.text(&show)?)
}

fn tips(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at(""))?;
    let column = |dtype: &str| format!("3 + types.indexOf('{dtype}')");
    let min = "Min · float\nrten 0.27.0: 2 pass, 1 fail, 1 crash; worst 3 ulp\nonnxruntime 1.31.1: 3 pass; worst 1 ulp";
    equal("Min, float", tip(tab, "Min", &column("float"))?, min.to_owned())?;
    equal("Min, int8", tip(tab, "Min", &column("int8"))?, "hidden".to_owned())?;
    let relu = "Relu · all types\nrten 0.27.0: 2 unsupported, 1 not-run\nonnxruntime 1.31.1: 2 pass; worst 1 ulp";
    equal("Relu, all types", tip(tab, "Relu", "1")?, relu.to_owned())?;
    equal("an operator that never ran", tip(tab, "Add", &column("float"))?, "hidden".to_owned())?;
    tab.visit(&report.at("#version=8"))?;
    let version = "Min · all types\nrten 0.27.0: 1 pass, 1 crash";
    equal("Min of a version", tip(tab, "Min", "1")?, version.to_owned())?;
    tab.value("m.dispatchEvent(new MouseEvent('mouseleave'))")?;
    equal("without the mouse", tab.value("tip.hidden")?, json!(true))
}

fn themes(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    let theme = "[document.getElementById('theme').textContent, document.documentElement.dataset.theme ?? '', localStorage.getItem('theme')]";
    tab.visit(&report.at(""))?;
    equal("at first", tab.value(theme)?, json!(["Theme: system", "", null]))?;
    let round = [("light", "light"), ("dark", "dark"), ("system", "")];
    for (name, shown) in round {
        tab.click("#theme")?;
        let wanted = json!([format!("Theme: {name}"), shown, name]);
        equal(name, tab.value(theme)?, wanted.clone())?;
        tab.visit_anew(&report.at(""))?;
        equal(&format!("{name}, loaded again"), tab.value(theme)?, wanted)?;
    }
    // Another page of the same origin may have stored a value that is no theme. It is ignored.
    tab.value("localStorage.setItem('theme', 'pink')")?;
    tab.visit_anew(&report.at(""))?;
    equal("an unknown theme", tab.value(theme)?, json!(["Theme: system", "", "pink"]))
}

/// The clipboard of the machine stays untouched: the page writes to a replacement, which keeps or refuses the text.
fn copying(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    let command = "cargo xtask replay repro/Min-wrong-value-aaaa0001 --backend rten";
    let page = "repro/Min-wrong-value-aaaa0001/index.html";
    for (place, address, button) in [
        ("on the report's page", report.at("#op=Min&rule=nan"), "[data-g]:not([hidden]) .cmd:nth-of-type(2) + .copy"),
        ("on the failure's own page", report.file(page, ""), ".cmd + .copy"),
    ] {
        tab.visit_anew(&address)?;
        tab.value("navigator.clipboard.writeText = async (text) => { globalThis.kept = text; }")?;
        tab.click(button)?;
        equal(place, tab.text("kept")?, command.to_owned())?;
        equal("nothing is selected", tab.text("getSelection().toString()")?, String::new())?;
        let says = format!("document.querySelector({}).textContent", json!(button));
        equal("the button", tab.text(&says)?, "Copied".to_owned())?;
        tab.value(
            "{ navigator.clipboard.writeText = async () => { throw new Error('no'); };
            document.execCommand = (name) => { globalThis.kept = name; }; }",
        )?;
        tab.click(button)?;
        equal("the selection if the clipboard refuses", tab.text("getSelection().toString()")?, command.to_owned())?;
        equal("the argument of execCommand", tab.text("kept")?, "copy".to_owned())?;
    }
    equal("console", tab.console.clone(), Vec::<String>::new())
}
