//! Tests comparisons of runs that the tests write: what is counted, what is refused, and that text from a backend stays
//! plain text in every format.

use std::collections::BTreeMap;
use std::path::Path;

use plumbline_report::comparison::{Change, Comparison, RunSide, compare};
use plumbline_report::comparison_page;
use serde_json::{Value, json};

use crate::runs::{Runs, facts, row, with};
use crate::synthetic::HOSTILE;

/// Writes the runs of versions 1 and 2.
fn write_both(runs: &Runs, base: &[Value], new: &[Value]) {
    runs.write("base", &facts("1"), base);
    runs.write("new", &facts("2"), new);
}

/// Compares the backends that `backends` names. `None` stands for the only backend of a run.
fn compare_backends(runs: &Runs, backends: [Option<&str>; 2]) -> Result<Comparison, String> {
    let [base, new] = [runs.path("base"), runs.path("new")];
    let side = |folder, backend| RunSide { folder, backend };
    compare(&side(&base, backends[0]), &side(&new, backends[1])).map_err(|error| runs.plain(&error.to_string()))
}

/// Compares the only backends of both runs.
fn compared(runs: &Runs) -> Result<Comparison, String> {
    compare_backends(runs, [None, None])
}

fn small() -> (Vec<Value>, Vec<Value>) {
    let base = [("Min-13/0@0", "pass"), ("Min-13/1@0", "fail"), ("Min-13/2@0", "unsupported"), ("Min-13/3@0", "pass")];
    let new = [("Min-13/0@0", "fail"), ("Min-13/1@0", "pass"), ("Min-13/2@0", "fail"), ("Min-13/4@0", "pass")];
    (
        base.map(|(case, verdict)| row("1", case, verdict)).to_vec(),
        new.map(|(case, verdict)| row("2", case, verdict)).to_vec(),
    )
}

#[test]
fn two_runs_are_compared() {
    let runs = Runs::new();
    let (base, new) = small();
    write_both(&runs, &base, &new);
    let comparison = compared(&runs).unwrap();
    let changes = [Change::Regressed, Change::Fixed, Change::SupportedButFailing, Change::New, Change::Gone];
    assert_eq!(changes.map(|change| comparison.count(change)), [1; 5]);
    assert_eq!((comparison.compared(), comparison.regressions()), (3, 1));
    let text = runs.plain(&comparison.text("plumbline"));
    insta::assert_snapshot!(text);
    let json: Value = serde_json::from_str(&comparison.json("plumbline").unwrap()).unwrap();
    assert_eq!(json["format"], 1);
    assert_eq!(json["counts"]["regressed"], 1);
    assert_eq!(json["causes"][0]["change"], "regressed");
    assert_eq!(json["causes"][0]["new_replay"], "plumbline replay Min-13/0@0 --backend mine@2");
    assert_eq!(json["causes"][0]["base_replay"], "plumbline replay Min-13/0@0 --backend mine@1");
}

#[test]
fn the_same_runs_the_other_way_round_have_the_opposite_changes() {
    let runs = Runs::new();
    let (base, new) = small();
    runs.write("base", &facts("2"), &new);
    runs.write("new", &facts("1"), &base);
    let comparison = compared(&runs).unwrap();
    let changes = [Change::Regressed, Change::Fixed, Change::Withdrawn, Change::New, Change::Gone];
    assert_eq!(changes.map(|change| comparison.count(change)), [1; 5]);
}

#[test]
fn runs_with_different_cases_are_refused() {
    let runs = Runs::new();
    let (base, new) = small();
    for (key, value) in [("seed", "7"), ("profile", "ci"), ("project_version", "0.2.0")] {
        write_both(&runs, &base, &new);
        let mut other = facts("2");
        other[key] = value.into();
        runs.write("new", &other, &new);
        let error = compared(&runs).unwrap_err();
        let said = format!("{} in [folder]/base, {value} in [folder]/new", facts("1")[key].as_str().unwrap());
        assert!(error.contains(&said), "{error}");
        other.as_object_mut().unwrap().remove(key);
        runs.write("new", &other, &new);
        let error = compared(&runs).unwrap_err();
        assert!(error.starts_with("[folder]/new/run.json: it does not say the "), "{error}");
    }
}

#[test]
fn unusable_runs_are_refused() {
    let runs = Runs::new();
    let (base, new) = small();
    write_both(&runs, &base, &new);
    let mut killed = facts("2");
    killed["unfinished"] = true.into();
    killed["incomplete"] = "This run did not end.".into();
    runs.write("new", &killed, &new);
    let error = compared(&runs).unwrap_err();
    assert!(error.starts_with("[folder]/new: this run did not end"), "{error}");

    write_both(&runs, &base, &new);
    let results = runs.path("base/results.jsonl");
    let text = std::fs::read_to_string(&results).unwrap();
    std::fs::write(&results, &text[..text.len() - 20]).unwrap();
    let error = compared(&runs).unwrap_err();
    assert!(error.starts_with("[folder]/base/results.jsonl: the last line is cut off"), "{error}");

    std::fs::write(&results, "no result\n").unwrap();
    assert!(compared(&runs).unwrap_err().starts_with("[folder]/base/results.jsonl:1: not a line of results"));
    std::fs::remove_file(&results).unwrap();
    assert_eq!(compared(&runs).unwrap_err(), "cannot read [folder]/base/results.jsonl");
    std::fs::remove_file(runs.path("base/run.json")).unwrap();
    assert_eq!(compared(&runs).unwrap_err(), "cannot read [folder]/base/run.json");

    write_both(&runs, &[&base[..], &base[..1]].concat(), &new);
    let error = compared(&runs).unwrap_err();
    assert!(error.contains("there are two results of mine 1 for the case Min-13/0@0"), "{error}");
    write_both(&runs, &base[..1], &new[1..]);
    let error = compared(&runs).unwrap_err();
    assert_eq!(error, "no case has a result on both sides: mine 1 has 1 results, mine 2 has 3");
}

/// Returns a comparison in each format.
fn formats(comparison: &Comparison) -> [String; 4] {
    [
        comparison.text("plumbline"),
        comparison.markdown("plumbline"),
        comparison.json("plumbline").unwrap(),
        comparison_page(comparison, "plumbline").unwrap(),
    ]
}

#[test]
fn an_interrupted_run_is_compared_and_every_format_says_that_results_are_missing() {
    let runs = Runs::new();
    let (base, new) = small();
    let mut interrupted = facts("2");
    interrupted["incomplete"] = "This run was interrupted, and 9 cases are missing.".into();
    write_both(&runs, &base, &new);
    runs.write("new", &interrupted, &[&new[..1], &[row("2", "Min-13/1@0", "not-run")]].concat());
    let comparison = compared(&runs).unwrap();
    assert_eq!((comparison.count(Change::Gone), comparison.count(Change::Fixed)), (3, 0));
    for text in formats(&comparison) {
        assert!(text.contains("Results are missing on the new side"), "{text}");
        assert!(text.contains("The run left 1 cases without an answer on the new side"), "{text}");
        assert!(text.contains("3 cases have a result on one side only"), "{text}");
    }
}

#[test]
fn backends_are_found_by_their_name_version_or_selector() {
    let runs = Runs::new();
    let (base, new) = small();
    let mut both = facts("1");
    both["backends"].as_array_mut().unwrap().push(facts("2")["backends"][0].clone());
    both["backends"].as_array_mut().unwrap().push(json!({ "name": "other", "status": "absent" }));
    runs.write("base", &both, &[&base[..], &new[..]].concat());
    runs.write("new", &both, &[&base[..], &new[..]].concat());
    let regressed = |backends| compare_backends(&runs, backends).map(|comparison| comparison.count(Change::Regressed));
    assert_eq!(regressed([Some("mine 1"), Some("mine@2")]), Ok(1));
    assert_eq!(regressed([Some("mine@1"), Some("mine@1")]), Ok(0));
    let error = regressed([None, None]).unwrap_err();
    assert!(error.ends_with("has to name one backend; the run has mine 1, mine 2"), "{error}");
    let error = regressed([Some("mine"), Some("mine@1")]).unwrap_err();
    assert!(error.contains("mine is the name of several backends"), "{error}");
    let error = regressed([Some("other"), Some("mine@1")]).unwrap_err();
    assert_eq!(error, "[folder]/base: there are no results of a backend other; the run has mine 1, mine 2");
    let folder = runs.path("base");
    let side = |folder| RunSide { folder, backend: Some("mine 1") };
    let error = compare(&side(&folder), &side(Path::new(&folder))).unwrap_err().to_string();
    assert!(error.starts_with("both sides are the results of mine 1"), "{error}");
}

#[test]
fn text_from_a_backend_stays_plain_text_in_every_format() {
    let runs = Runs::new();
    for hostile in HOSTILE {
        let mut facts = [facts("1"), facts("2")];
        for facts in &mut facts {
            facts["backends"][0] = json!({ "name": hostile, "version": hostile, "selector": hostile });
            facts["incomplete"] = hostile.into();
        }
        let label = format!("{hostile} {hostile}");
        let mut fail = row("2", hostile, "fail");
        for key in ["op", "domain", "signature", "detail", "backend"] {
            fail[key] = if key == "backend" { label.as_str() } else { hostile }.into();
        }
        fail["types"] = json!({ hostile: hostile });
        let mut pass = fail.clone();
        (pass["verdict"], pass["kind"], pass["signature"]) = ("pass".into(), Value::Null, Value::Null);
        runs.write("base", &facts[0], &[pass]);
        runs.write("new", &facts[1], &[fail]);
        let comparison = compared(&runs).unwrap();
        assert_eq!(comparison.regressions(), 1);
        let [text, markdown, json, page] = formats(&comparison);
        for text in [&text, &markdown, &page] {
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
            assert!(!text.contains(['\u{202e}', '\u{200b}']), "{text:?}");
        }
        let tags = ["<script", "<img", "<svg", "<h1>owned", "</pre>"];
        for tag in tags {
            assert!(!markdown.contains(tag) && !page.contains(tag), "{tag} of {hostile:?}");
        }
        assert!(!markdown.contains("[x]("), "{markdown}");
        assert!(serde_json::from_str::<Value>(&json).is_ok());
        let lines = |text: &str| text.lines().filter(|line| line.starts_with('|')).count();
        assert_eq!(lines(&markdown), 11, "a table has an extra row\n{markdown}");
    }
}

#[test]
fn the_page_loads_nothing_and_has_its_sections() {
    let runs = Runs::new();
    let (base, new) = small();
    write_both(&runs, &base, &new);
    let page = comparison_page(&compared(&runs).unwrap(), "plumbline").unwrap();
    for outside in ["<script", "src=", "http://", "https://", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for change in ["regressed", "fixed", "new", "gone"] {
        assert!(
            page.contains(&format!("href=\"#{change}\"")) && page.contains(&format!("id=\"{change}\"")),
            "{change}"
        );
    }
    assert!(page.contains("<html lang=\"en\">") && page.contains("default-src 'none'"));
}

#[test]
fn a_refusal_of_an_invalid_case_as_unsupported_is_no_regression() {
    let runs = Runs::new();
    let case = "Min-13/shapes-broadcast/0@0";
    let negative = |version, verdict| with(row(version, case, verdict), [("suite", "negative")]);
    write_both(
        &runs,
        &[negative("1", "pass"), row("1", "Min-13/0@0", "pass")],
        &[negative("2", "unsupported"), row("2", "Min-13/0@0", "unsupported")],
    );
    let comparison = compared(&runs).unwrap();
    let expected = BTreeMap::from([(Change::NoLongerSupported, 1), (Change::OtherRefusal, 1)]);
    assert_eq!(comparison.counted.counts, expected);
    assert_eq!(comparison.causes(Change::OtherRefusal).map(|cause| cause.case.as_str()).collect::<Vec<_>>(), [case]);
}

#[test]
fn signatures_of_different_backends_are_not_compared() {
    let runs = Runs::new();
    let other = [("signature", "Min-wrong-value-00000002")];
    write_both(&runs, &[row("1", "Min-13/0@0", "fail")], &[with(row("2", "Min-13/0@0", "fail"), other)]);
    let found = |comparison: &Comparison| {
        let json: Value = serde_json::from_str(&comparison.json("plumbline").unwrap()).unwrap();
        (comparison.counted.counts.clone(), json["signatures_compared"].clone(), comparison.limits())
    };
    let expected = (BTreeMap::from([(Change::Changed, 1)]), Value::Bool(true), Vec::new());
    assert_eq!(found(&compared(&runs).unwrap()), expected);

    let mut renamed = facts("2");
    renamed["backends"][0]["name"] = "other".into();
    let row = with(row("2", "Min-13/0@0", "fail"), [("backend", "other 2"), other[0]]);
    runs.write("new", &renamed, &[row]);
    let limit = "The backends have different names, so their signatures cannot be compared: failures of the same kind \
                 count as the same.";
    let expected = (BTreeMap::from([(Change::Same, 1)]), Value::Bool(false), vec![limit.to_owned()]);
    assert_eq!(found(&compared(&runs).unwrap()), expected);
}

#[test]
fn twenty_causes_of_regressions_and_ten_of_other_changes_are_shown() {
    let runs = Runs::new();
    let rows = |version, verdicts: [&str; 2]| -> Vec<Value> {
        let row = |at: usize| {
            let op = format!("Op{:02}", at / 2);
            with(row(version, &format!("{op}-13/{}@0", at % 2), verdicts[at % 2]), [("op", &op)])
        };
        (0..50).map(row).collect()
    };
    write_both(&runs, &rows("1", ["pass", "fail"]), &rows("2", ["fail", "pass"]));
    let comparison = compared(&runs).unwrap();
    let [text, markdown] = [comparison.text("plumbline"), comparison.markdown("plumbline")];
    let more = [
        "... and 5 more causes with 5 cases: --format json and html list them",
        "... and 15 more causes with 15 cases: --format json and html list them",
    ];
    for text in [&text, &markdown] {
        let found: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("... and")).collect();
        assert_eq!(found, more);
    }
    let shown = |end: &str| text.lines().filter(|line| line.starts_with("  1 case of") && line.ends_with(end)).count();
    assert_eq!((shown(": pass -> fail (wrong-value)"), shown(": fail (wrong-value) -> pass")), (20, 10));
}

/// The case, the detail and the replay command of an example come from the side that has the failure.
#[test]
fn an_example_comes_from_the_side_with_the_failure() {
    let runs = Runs::new();
    let flaky = |version, op: &str, detail: &str| {
        let case = format!("{op}-13/0@0");
        with(row(version, &case, "fail"), [("op", op), ("kind", "flaky"), ("detail", detail)])
    };
    let other = |version, op: &str, verdict, detail: &str| {
        with(row(version, &format!("{op}-13/0@0"), verdict), [("op", op), ("detail", detail)])
    };
    let base = [
        other("1", "Add", "fail", "a failure before"),
        other("1", "Div", "fail", "only before"),
        flaky("1", "Max", "flaky before"),
        other("1", "Min", "pass", ""),
        flaky("1", "Mul", "flaky in the base run"),
    ];
    let new = [
        with(other("2", "Add", "fail", "another failure now"), [("signature", "Add-wrong-value-00000002")]),
        other("2", "Div", "unsupported", "no kernel"),
        other("2", "Max", "pass", ""),
        flaky("2", "Min", "flaky now"),
        flaky("2", "Mul", "flaky in the new run"),
    ];
    write_both(&runs, &base, &new);
    let text = compared(&runs).unwrap().text("plumbline");
    let field = |name: &str| -> Vec<&str> {
        text.lines().filter_map(|line| Some(line.trim().strip_prefix(name)?.trim_start())).collect()
    };
    assert_eq!(field("case "), ["Add-13/0@0", "Div-13/0@0", "Max-13/0@0", "Min-13/0@0", "Mul-13/0@0"]);
    let details = ["another failure now", "only before", "flaky before", "flaky now", "flaky in the new run"];
    assert_eq!(field("because "), details);
    let commands = [("Add", 2), ("Div", 1), ("Max", 1), ("Min", 2), ("Mul", 2)]
        .map(|(op, version)| format!("plumbline replay {op}-13/0@0 --backend mine@{version}"));
    assert_eq!(field("replay "), commands);
}
