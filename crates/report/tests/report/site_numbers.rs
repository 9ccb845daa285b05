//! Makes sites of runs that are written here, and compares what they show with the numbers of the runs.

use serde_json::{Value, json};

use crate::runs::{Runs, facts, row, rows, with};

#[test]
fn runs_with_different_cases_are_shown_and_not_compared() {
    let runs = Runs::new();
    runs.write_three();
    let mut other = facts("2");
    other["seed"] = "7".into();
    runs.write("two", &other, &rows("2", &["pass"]));
    let built = runs.build(&["one", "two", "three"], "site").unwrap();
    assert_eq!((built.versions, built.steps), (3, 0));
    assert!(runs.text("site/index.html").contains("The runs differ in seed, profile or version of Plumbline"));
    assert!(runs.text("site/backends/mine.html").contains("A step without a link is not compared"));
    // An older run of version 2 has the same cases as the others.
    let mut older = facts("2");
    older["started"] = "2026-10-01 10:00 UTC".into();
    runs.write("older", &older, &rows("2", &["pass", "fail"]));
    let built = runs.build(&["one", "two", "three", "older"], "site").unwrap();
    assert_eq!((built.versions, built.runs, built.steps), (3, 4, 2));
    let cell = runs.json("site/cells/Min-13/T=float.json");
    assert_eq!(cell["backends"][1]["seed"], "7", "the newest run of a version is shown");
}

#[test]
fn older_runs_of_a_version_are_kept_as_counts_only() {
    let runs = Runs::new();
    runs.write_three();
    for day in 4..9 {
        let mut facts = facts("3");
        facts["started"] = format!("2026-11-0{day} 10:00 UTC").into();
        runs.write(&format!("day-{day}"), &facts, &rows("3", &vec!["pass"; day]));
    }
    let built = runs.build(&["three", "day-4", "day-8", "day-6", "day-5", "day-7"], "site").unwrap();
    assert_eq!((built.versions, built.runs), (1, 6));
    let cell = runs.json("site/cells/Min-13/T=float.json");
    assert_eq!(cell["backends"].as_array().unwrap().len(), 1);
    assert_eq!(cell["backends"][0]["verdicts"]["pass"], 8);
    let page = runs.text("site/backends/mine.html");
    assert!(page.contains("By date (smoke, seed 0, Plumbline 0.1.0)") && !page.contains("By version"), "{page}");
    for day in 3..9 {
        assert!(page.contains(&format!("2026-11-0{day} 10:00 UTC")));
    }
}

/// Returns the texts between a start and an end, in the order of the page.
fn between<'a>(page: &'a str, start: &'a str, end: &'a str) -> Vec<&'a str> {
    page.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

#[test]
fn versions_are_in_the_order_of_their_numbers_whatever_their_dates() {
    let runs = Runs::new();
    for (name, version, day) in [("old", "1.9.0", 20), ("new", "1.10.0", 10)] {
        let mut facts = facts(version);
        facts["started"] = format!("2026-11-{day} 10:00 UTC").into();
        runs.write(name, &facts, &rows(version, &["pass"]));
    }
    runs.build(&["new", "old"], "site").unwrap();
    assert_eq!(runs.json("site/badges/mine.json")["message"], "mine 1.10.0: 100.0 %");
    let page = runs.text("site/backends/mine.html");
    let steps = between(&page, "<a href=\"../steps/", "</a>");
    assert_eq!(steps, ["mine/1.9.0_to_1.10.0.html\">1.9.0 to 1.10.0"]);
}

#[test]
fn charts_go_from_the_oldest_to_the_newest() {
    let runs = Runs::new();
    runs.write_three();
    runs.build(&["two", "three", "one"], "site").unwrap();
    let page = runs.text("site/backends/mine.html");
    let description = |first: &str, last: &str| {
        let start = format!("Starts at {first}: 66.6 % right, 75.0 % judged.");
        let end = format!("Ends at {last}: 100.0 % right, 100.0 % judged.");
        format!("{start} {end} The table below has all numbers.")
    };
    let found = between(&page, "<desc", "</desc>");
    let found: Vec<&str> = found.iter().map(|text| text.split_once('>').unwrap().1).collect();
    assert_eq!(found, [description("1", "3"), description("2026-11-01", "2026-11-03")]);
}

#[test]
fn interrupted_runs_are_marked_in_tables_and_steps() {
    let runs = Runs::new();
    runs.write_three();
    runs.build(&["one", "two", "three"], "whole").unwrap();
    assert_eq!(between(&runs.text("whole/index.html"), "<p class=\"warning\">", "</p>"), Vec::<&str>::new());
    let mut interrupted = facts("2");
    interrupted["incomplete"] = "9 cases are missing.".into();
    runs.write("two", &interrupted, &rows("2", &["fail", "pass", "unsupported", "pass"]));
    runs.build(&["one", "two", "three"], "site").unwrap();
    let (index, page) = (runs.text("site/index.html"), runs.text("site/backends/mine.html"));
    let warning = "Runs marked with * were interrupted, so results are missing.";
    assert_eq!(between(&index, "<p class=\"warning\">", "</p>"), [warning]);
    let star = " <abbr title=\"interrupted\">*</abbr>";
    let second = format!("2{star}");
    assert_eq!(between(&index, "<tr><th scope=\"row\">", "<td"), ["3", &second, "1"]);
    let [first, third] = ["2026-11-01 10:00 UTC", "2026-11-03 10:00 UTC"];
    let started = format!("2026-11-02 10:00 UTC{star}");
    let rows = between(&page, "<tr><th scope=\"row\">", "<td");
    let expected = [
        "3",
        &second,
        "1",
        "<a href=\"../steps/mine/2_to_3.html\">2 to 3</a>",
        "<a href=\"../steps/mine/1_to_2.html\">1 to 2</a>",
        third,
        &started,
        first,
    ];
    assert_eq!(rows, expected);
    let limit = |side: &str| format!("Results are missing on the {side} side (mine 2). 9 cases are missing.");
    for (step, side) in [("1_to_2", "new"), ("2_to_3", "base")] {
        let step = runs.text(&format!("site/steps/mine/{step}.html"));
        assert_eq!(between(&step, "<p class=\"warning\">", "</p>"), [limit(side)]);
    }
}

#[test]
fn the_picture_of_a_badge_says_the_same_as_its_json() {
    let runs = Runs::new();
    let verdicts = ["pass", "pass", "latitude", "fail", "unsupported", "unsupported", "unsupported", "unsupported"];
    runs.write("one", &facts("1"), &rows("1", &verdicts));
    runs.build(&["one"], "site").unwrap();
    let message = "mine 1: 75.0 %";
    let badge = json!({ "schemaVersion": 1, "label": "ONNX conformance", "message": message, "color": "red" });
    assert_eq!(runs.json("site/badges/mine.json"), badge);
    let svg = runs.text("site/badges/mine.svg");
    assert_eq!(between(&svg, "<title>", "</title>"), [format!("ONNX conformance: {message}")]);
    assert_eq!(between(&svg, " fill=\"", "\""), ["#3a4049", "#a32018", "#fff"]);
    assert!(runs.text("site/backends/mine.html").contains(&svg), "the page of the backend has another badge");
}

#[test]
fn the_file_of_a_cell_says_everything_about_a_run() {
    let runs = Runs::new();
    let mut rows = rows("1", &["pass", "fail", "unsupported"]);
    rows[1]["max_ulp"] = 7.5.into();
    runs.write("one", &facts("1"), &rows);
    runs.build(&["one"], "site").unwrap();
    let backend = json!({
        "name": "mine", "version": "1", "started": "2026-11-01 10:00 UTC",
        "seed": "0", "profile": "smoke", "plumbline": "0.1.0",
        "verdicts": { "pass": 1, "fail": 1, "unsupported": 1 }, "max_ulp": 7.5, "max_ulp_passing": 0.25,
        "signatures": [
            { "signature": "Min-wrong-value-00000001", "verdict": "fail", "kind": "wrong-value", "count": 1 },
        ],
    });
    let cell = json!({
        "$schema": "../../schema/cell-1.schema.json", "format": 1, "cell": "Min-13/T=float", "domain": "ai.onnx",
        "op": "Min", "since_version": 13, "types": { "T": "float" }, "backends": [backend],
    });
    assert_eq!(runs.json("site/cells/Min-13/T=float.json"), cell);
}

/// Returns the example of the first cause on the page of a step of `mine`: its case and its detail.
fn first_example(runs: &Runs, step: &str) -> String {
    let page = runs.text(&format!("site/steps/mine/{step}.html"));
    between(&page, "<td class=\"wide\">", "<td")[0].trim().to_owned()
}

/// Returns the example of a case of Min as a page shows it. `same` stands before the detail.
fn example(case: &str, same: &str) -> String {
    let detail = "output &#96;min&#96;[0] is 1, 2 is expected";
    format!("<code>Min-13/T=float/{case}@0</code><br><span class=\"note\">{same}{detail}</span>")
}

/// For each signature, a history keeps the detail of only one case. The case that a step shows may be another one.
#[test]
fn a_step_shows_the_detail_of_another_case_with_the_same_signature() {
    let runs = Runs::new();
    for (version, verdicts) in
        [("1", ["fail", "pass"]), ("2", ["fail", "fail"]), ("3", ["pass", "pass"]), ("4", ["fail", "pass"])]
    {
        runs.write(version, &facts(version), &rows(version, &verdicts));
    }
    runs.build(&["1", "2", "3", "4"], "site").unwrap();
    let other = "the same on <code>Min-13/T=float/0@0</code>: ";
    assert_eq!(first_example(&runs, "1_to_2"), example("1", other));
    assert_eq!(first_example(&runs, "2_to_3"), example("0", ""), "the case has a detail of its own");
    assert_eq!(first_example(&runs, "3_to_4"), example("0", ""), "the case has a detail of its own");
}

/// If the newest run of a version has other cases than the run of the version before, the step compares an older run.
#[test]
fn a_step_shows_details_only_of_the_runs_that_it_compares() {
    let runs = Runs::new();
    runs.write("1", &facts("1"), &rows("1", &["fail", "pass"]));
    runs.write("2", &facts("2"), &rows("2", &["fail", "fail"]));
    let mut newest = facts("2");
    newest["started"] = "2026-11-03 10:00 UTC".into();
    newest["profile"] = "ci".into();
    let detail = [("detail", "what happened to another case with the same id")];
    runs.write("newest", &newest, &[with(row("2", "Min-13/T=float/1@0", "fail"), detail)]);
    runs.build(&["1", "2", "newest"], "site").unwrap();
    assert_eq!(first_example(&runs, "1_to_2"), example("1", "the same on <code>Min-13/T=float/0@0</code>: "));
}

#[test]
fn markdown_of_a_step_has_the_operators_with_the_most_cases_first() {
    let runs = Runs::new();
    let rows = |version, verdict: &str| -> Vec<Value> {
        let cases = [("Abs", 1), ("Max", 3), ("Min", 2)];
        let row = |op: &str, at: usize| with(row(version, &format!("{op}-13/T=float/{at}@0"), verdict), [("op", op)]);
        cases.into_iter().flat_map(|(op, count)| (0..count).map(move |at| row(op, at))).collect()
    };
    runs.write("one", &facts("1"), &rows("1", "pass"));
    runs.write("two", &facts("2"), &rows("2", "fail"));
    runs.build(&["one", "two"], "site").unwrap();
    let text = runs.text("site/backends/mine.md");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(lines, ["- regressed, 6 cases: Max 3 (wrong-value), Min 2 (wrong-value), Abs 1 (wrong-value)"]);
}
