//! Compares runs that are written here: what is counted, what is refused, and that no format obeys what a backend says.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod synthetic;

use std::path::{Path, PathBuf};

use plumbline_report::comparison::{Change, Comparison, RunSide, compare};
use plumbline_report::comparison_page;
use serde_json::{Value, json};
use synthetic::HOSTILE;

/// The facts of a run of `mine` in this version.
fn facts(version: &str) -> Value {
    json!({
        "seed": "0", "profile": "smoke", "project_version": "0.1.0",
        "backends": [{ "name": "mine", "version": version, "selector": format!("mine@{version}") }],
    })
}

/// A line of results of `mine` in this version.
fn row(version: &str, case: &str, verdict: &str) -> Value {
    let is_fail = verdict == "fail";
    json!({
        "case": case, "suite": "generated", "domain": "ai.onnx", "op": "Min", "since": 13, "types": { "T": "float" },
        "backend": format!("mine {version}"), "verdict": verdict,
        "kind": is_fail.then_some("wrong-value"), "signature": is_fail.then_some("Min-wrong-value-00000001"),
        "detail": is_fail.then_some("output `min`[0] is 1, 2 is expected"),
    })
}

/// Two folders of results.
struct Runs {
    folder: tempfile::TempDir,
}

impl Runs {
    fn new() -> Runs {
        Runs { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, facts: &Value, rows: &[Value]) {
        let folder = self.path(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("run.json"), facts.to_string()).unwrap();
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        std::fs::write(folder.join("results.jsonl"), lines).unwrap();
    }

    /// Writes the runs of versions 1 and 2.
    fn write_both(&self, base: &[Value], new: &[Value]) {
        self.write("base", &facts("1"), base);
        self.write("new", &facts("2"), new);
    }

    fn compare(&self, backends: [Option<&str>; 2]) -> Result<Comparison, String> {
        let [base, new] = [self.path("base"), self.path("new")];
        let side = |folder, backend| RunSide { folder, backend };
        let compared = compare(&side(&base, backends[0]), &side(&new, backends[1]));
        compared.map_err(|error| error.to_string().replace(&self.folder.path().display().to_string(), "[folder]"))
    }

    /// Compares the only backends of both runs.
    fn compared(&self) -> Result<Comparison, String> {
        self.compare([None, None])
    }
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
    runs.write_both(&base, &new);
    let comparison = runs.compared().unwrap();
    let changes = [Change::Regressed, Change::Fixed, Change::SupportedButFailing, Change::New, Change::Gone];
    assert_eq!(changes.map(|change| comparison.count(change)), [1; 5]);
    assert_eq!((comparison.compared(), comparison.regressions()), (3, 1));
    let text = comparison.text("plumbline").replace(&runs.folder.path().display().to_string(), "[folder]");
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
    let comparison = runs.compared().unwrap();
    let changes = [Change::Regressed, Change::Fixed, Change::Withdrawn, Change::New, Change::Gone];
    assert_eq!(changes.map(|change| comparison.count(change)), [1; 5]);
}

#[test]
fn runs_with_other_cases_are_refused() {
    let runs = Runs::new();
    let (base, new) = small();
    for (key, value) in [("seed", "7"), ("profile", "ci"), ("project_version", "0.2.0")] {
        runs.write_both(&base, &new);
        let mut other = facts("2");
        other[key] = value.into();
        runs.write("new", &other, &new);
        let error = runs.compared().unwrap_err();
        let said = format!("{} in [folder]/base, {value} in [folder]/new", facts("1")[key].as_str().unwrap());
        assert!(error.contains(&said), "{error}");
        other.as_object_mut().unwrap().remove(key);
        runs.write("new", &other, &new);
        let error = runs.compared().unwrap_err();
        assert!(error.starts_with("[folder]/new/run.json: it does not say the "), "{error}");
    }
}

#[test]
fn half_written_runs_are_refused() {
    let runs = Runs::new();
    let (base, new) = small();
    runs.write_both(&base, &new);
    let mut killed = facts("2");
    killed["unfinished"] = true.into();
    killed["incomplete"] = "This run did not end.".into();
    runs.write("new", &killed, &new);
    let error = runs.compared().unwrap_err();
    assert!(error.starts_with("[folder]/new: this run did not end"), "{error}");

    runs.write_both(&base, &new);
    let results = runs.path("base/results.jsonl");
    let text = std::fs::read_to_string(&results).unwrap();
    std::fs::write(&results, &text[..text.len() - 20]).unwrap();
    let error = runs.compared().unwrap_err();
    assert!(error.starts_with("[folder]/base/results.jsonl: the last line is cut off"), "{error}");

    std::fs::write(&results, "no result\n").unwrap();
    assert!(runs.compared().unwrap_err().starts_with("[folder]/base/results.jsonl:1: not a line of results"));
    std::fs::remove_file(&results).unwrap();
    assert_eq!(runs.compared().unwrap_err(), "cannot read [folder]/base/results.jsonl");
    std::fs::remove_file(runs.path("base/run.json")).unwrap();
    assert_eq!(runs.compared().unwrap_err(), "cannot read [folder]/base/run.json");

    runs.write_both(&[&base[..], &base[..1]].concat(), &new);
    let error = runs.compared().unwrap_err();
    assert!(error.contains("there are two results of mine 1 for the case Min-13/0@0"), "{error}");
    runs.write_both(&base[..1], &new[1..]);
    let error = runs.compared().unwrap_err();
    assert_eq!(error, "no case has a result on both sides: mine 1 has 1 results, mine 2 has 3");
}

/// Sentences of a comparison in each format.
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
    runs.write_both(&base, &new);
    runs.write("new", &interrupted, &[&new[..1], &[row("2", "Min-13/1@0", "not-run")]].concat());
    let comparison = runs.compared().unwrap();
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
    let regressed = |backends| runs.compare(backends).map(|comparison| comparison.count(Change::Regressed));
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
fn no_format_obeys_what_a_backend_says() {
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
        let comparison = runs.compared().unwrap();
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
        assert_eq!(lines(&markdown), 11, "a table has another row\n{markdown}");
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let runs = Runs::new();
    let (base, new) = small();
    runs.write_both(&base, &new);
    let page = comparison_page(&runs.compared().unwrap(), "plumbline").unwrap();
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
