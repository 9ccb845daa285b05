//! Tests sites of runs that the tests write: files, links, permalinks, the schema, and that the same input gives the
//! same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plumbline_conformance::CaseResult;
use plumbline_report::site::{CELL_SCHEMA, SiteFacts, build};
use plumbline_spec::Spec;
use serde_json::{Value, json};

use crate::runs::{Runs, facts, files, rows};
use crate::schema;
use crate::synthetic;

/// Returns the values of an attribute as they are written, with their escapes.
fn attributes<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(name).skip(1).filter_map(|rest| rest.strip_prefix("=\"")?.split('"').next())
}

/// Returns a message for each link of a site that leads nowhere or out of the site.
fn broken_links(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut problems = Vec::new();
    let text = |name: &str| String::from_utf8_lossy(&files[name]).into_owned();
    let mut linked = 0;
    for name in files.keys().filter(|name| name.ends_with(".html")) {
        let page = text(name);
        for link in attributes(&page, "href").chain(attributes(&page, "src")) {
            linked += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let mut parts: Vec<&str> = name.split('/').collect();
            if !path.is_empty() {
                parts.pop();
                for part in path.split('/') {
                    match part {
                        ".." if parts.pop().is_none() => problems.push(format!("{name}: {link} leaves the site")),
                        ".." => {}
                        _ => parts.push(part),
                    }
                }
            }
            let target = parts.join("/");
            if path.starts_with('/') || link.contains([':', '%', '?', '\\']) || !files.contains_key(&target) {
                problems.push(format!("{name}: {link} leads nowhere"));
            } else if !anchor.is_empty() && !text(&target).contains(&format!("id=\"{anchor}\"")) {
                problems.push(format!("{name}: {link} names an anchor that does not exist"));
            }
        }
    }
    assert!(linked > 0, "the search found no links");
    problems
}

#[test]
fn a_site_has_its_files_and_their_numbers() {
    let runs = Runs::new();
    runs.write_three();
    let built = runs.build(&["two", "one", "three"], "site").unwrap();
    let expected = SiteFacts { backends: 1, versions: 3, runs: 3, operators: 1, cells: 1, steps: 2 };
    assert_eq!(built, expected);
    let names: Vec<String> = files(&runs.path("site")).into_keys().collect();
    let expected = [
        ".nojekyll",
        "backends/mine.html",
        "backends/mine.md",
        "badges/mine.json",
        "badges/mine.svg",
        "cells/Min-13/T=float.json",
        "data/mine.jsonl.gz",
        "index.html",
        "operators/Min.html",
        "operators/index.html",
        "schema/cell-1.schema.json",
        "site.json",
        "steps/mine/1_to_2.html",
        "steps/mine/2_to_3.html",
    ];
    assert_eq!(names, expected);
    let badge = runs.json("site/badges/mine.json");
    let expected = json!({ "schemaVersion": 1, "label": "ONNX conformance", "message": "mine 3: 100.0 %", "color": "brightgreen" });
    assert_eq!(badge, expected);
    let cell = runs.json("site/cells/Min-13/T=float.json");
    assert_eq!(cell["cell"], "Min-13/T=float");
    let versions: Vec<&str> =
        cell["backends"].as_array().unwrap().iter().map(|b| b["version"].as_str().unwrap()).collect();
    assert_eq!(versions, ["3", "2", "1"]);
    let oldest = &cell["backends"][2];
    assert_eq!((&oldest["verdicts"]["pass"], &oldest["verdicts"]["fail"]), (&json!(2), &json!(1)));
    assert_eq!((&oldest["verdicts"]["unsupported"], &oldest["max_ulp"]), (&json!(1), &json!(0.25)));
    let signature =
        json!({ "signature": "Min-wrong-value-00000001", "verdict": "fail", "kind": "wrong-value", "count": 1 });
    assert_eq!(oldest["signatures"], json!([signature]));
    insta::assert_snapshot!(runs.text("site/backends/mine.md"));
    let overview = runs.text("site/index.html");
    assert!(overview.contains("2026-11-03 10:00 UTC") && overview.contains("66.6 %"), "{overview}");
    let step = runs.text("site/steps/mine/1_to_2.html");
    assert!(step.contains("4 cases compared; 1 regressed."), "{step}");
    assert!(step.contains("plumbline replay &#39;Min-13/T=float/0@0&#39; --backend mine@2"), "{step}");
    assert!(step.contains("output `min`[0] is 1, 2 is expected".replace('`', "&#96;").as_str()), "{step}");
}

#[test]
fn the_same_input_gives_the_same_bytes_and_a_site_is_an_input() {
    let runs = Runs::new();
    runs.write_three();
    runs.build(&["one", "two", "three"], "site").unwrap();
    runs.build(&["three", "two", "one"], "other-order").unwrap();
    let whole = files(&runs.path("site"));
    assert_eq!(files(&runs.path("other-order")), whole);
    // The inputs of the second build are the site that the first build made, and a third run. The new site replaces the
    // old one.
    runs.build(&["one", "two"], "grown").unwrap();
    runs.build(&["grown", "three"], "grown").unwrap();
    assert_eq!(files(&runs.path("grown")), whole);
    runs.build(&["site/data"], "from-folder").unwrap();
    runs.build(&["site/data/mine.jsonl.gz"], "from-file").unwrap();
    assert_eq!(files(&runs.path("from-folder")), whole);
    assert_eq!(files(&runs.path("from-file")), whole);
    let left: Vec<_> = std::fs::read_dir(runs.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with('.')), "temporary files are left: {left:?}");
}

#[test]
fn a_step_shows_what_compare_finds() {
    use plumbline_report::comparison::{RunSide, compare};
    let runs = Runs::new();
    let by_backend = |label: &str, version: &str| {
        let mut lines = Vec::new();
        synthetic::results(Spec::embedded(), |result| {
            // A synthetic case may have different suites on different backends, unlike a real case. So all results get
            // the same suite here.
            if result.backend == label && is_sample(&result) {
                let backend = format!("mine {version}");
                let suite = "generated".to_owned();
                lines.push(serde_json::to_value(CaseResult { backend, suite, ..result }).unwrap());
            }
        });
        lines
    };
    runs.write("one", &facts("1"), &by_backend("rten 0.27.0", "1"));
    runs.write("two", &facts("2"), &by_backend("onnxruntime 1.31.1", "2"));
    runs.build(&["one", "two"], "site").unwrap();
    let side = |folder| RunSide { folder, backend: None };
    let comparison = compare(&side(&runs.path("one")), &side(&runs.path("two"))).unwrap();
    let page = runs.text("site/steps/mine/1_to_2.html");
    let headline = comparison.headline();
    assert!(comparison.regressions() > 0 && comparison.compared() > 1000, "{headline}");
    assert!(page.contains(&headline), "{headline}");
    let count = |change| comparison.count(change).to_string();
    let table = runs.text("site/backends/mine.md").replace(',', "");
    use plumbline_report::comparison::Change::{
        Changed, Fixed, NoLongerSupported, NowSupported, Regressed, SupportedButFailing, Withdrawn,
    };
    let counts =
        [Fixed, NowSupported, Regressed, NoLongerSupported, Changed, SupportedButFailing, Withdrawn].map(count);
    assert!(table.contains(&format!("| 1 to 2 | {} |", counts.join(" | "))), "{counts:?}\n{table}");
}

/// Returns whether the tests use a result. To be fast, they use only some operators, but every text that would break a
/// page.
fn is_sample(result: &CaseResult) -> bool {
    let starts = ["A", "C", "Mi", "Z"];
    !result.op.starts_with(|c: char| c.is_ascii_uppercase()) || starts.iter().any(|start| result.op.starts_with(start))
}

/// A site of synthetic results, and of texts that would break a page or a path.
fn hostile_site() -> Runs {
    let runs = Runs::new();
    let folder = runs.path("run");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("run.json"), serde_json::to_string(&synthetic::meta()).unwrap()).unwrap();
    let mut lines = String::new();
    synthetic::results(Spec::embedded(), |result| {
        if is_sample(&result) {
            lines.push_str(&serde_json::to_string(&result).unwrap());
            lines.push('\n');
        }
    });
    std::fs::write(folder.join("results.jsonl"), lines).unwrap();
    let hostile: Vec<Value> = synthetic::HOSTILE
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let mut facts = facts("1");
            facts["backends"][0]["name"] = (*text).into();
            facts["backends"][0]["version"] = format!("{text}{at}").into();
            facts["backends"][0]["selector"] = (*text).into();
            facts["started"] = (*text).into();
            facts["seed"] = (*text).into();
            facts
        })
        .collect();
    for (at, facts) in hostile.iter().enumerate() {
        let text = synthetic::HOSTILE[at];
        let mut rows = rows("1", &["pass", "fail"]);
        for row in &mut rows {
            row["backend"] = format!("{text} {text}{at}").into();
            row["detail"] = text.into();
        }
        runs.write(&format!("hostile-{at}"), facts, &rows);
    }
    let mut inputs = vec!["run".to_owned()];
    inputs.extend((0..hostile.len()).map(|at| format!("hostile-{at}")));
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    runs.build(&inputs, "site").unwrap();
    runs
}

#[test]
fn links_resolve_and_names_are_safe_everywhere() {
    let runs = hostile_site();
    let files = files(&runs.path("site"));
    assert!(files.len() > 300, "{}", files.len());
    assert_eq!(broken_links(&files), Vec::<String>::new());
    let lower: BTreeSet<String> = files.keys().map(|name| name.to_lowercase()).collect();
    assert_eq!(lower.len(), files.len(), "two names differ only by case");
    for name in files.keys() {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/.-=,+~_".contains(c);
        assert!(name.chars().all(is_plain) && name.split('/').all(|part| part.len() <= 250), "{name}");
    }
    // The check would notice a link that leads nowhere.
    let mut broken = files.clone();
    broken.remove("operators/Min.html").unwrap();
    assert!(!broken_links(&broken).is_empty());
}

#[test]
fn pages_run_nothing_and_load_nothing() {
    let runs = hostile_site();
    let files = files(&runs.path("site"));
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        let page = std::str::from_utf8(bytes).unwrap();
        assert!(page.contains("content=\"default-src 'none'; style-src 'sha256-"), "{name}");
        for word in
            ["<script", "<img", "<iframe", "<link", " style=", "<svg/", "onerror=alert(1)>", "http-equiv=\"refresh"]
        {
            assert!(!page.contains(word), "{name}: {word}");
        }
        assert_eq!(page.matches("<h1>").count(), 1, "{name}");
        assert!(!page.contains(['\u{0}', '\u{1b}', '\u{202e}', '\u{feff}']), "{name}");
    }
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".svg")) {
        let svg = std::str::from_utf8(bytes).unwrap();
        assert!(svg.matches('<').count() == 12 && !svg.contains("<script"), "{name}: {svg}");
    }
}

#[test]
fn cells_follow_the_schema() {
    let runs = hostile_site();
    let schema: Value = serde_json::from_str(CELL_SCHEMA).unwrap();
    assert_eq!(runs.text("site/schema/cell-1.schema.json"), CELL_SCHEMA);
    let mut count = 0;
    for (name, bytes) in files(&runs.path("site")).iter().filter(|(name, _)| name.starts_with("cells/")) {
        let cell: Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!(schema::problems(&schema, &cell), Vec::<String>::new(), "{name}");
        let back = Path::new("site").join(name).parent().unwrap().join(cell["$schema"].as_str().unwrap());
        assert!(runs.path(back.to_str().unwrap()).is_file(), "{name}");
        count += 1;
    }
    assert!(count > 300, "{count}");
}

/// The tables of docs/history.md are what `plumbline site` writes, and docs/site.md states the right number of files.
#[test]
fn the_history_in_the_repository_gives_the_numbers_in_the_documents() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    let built = build(Spec::embedded(), &[repository.join("examples/history")], &site, "ONNX conformance").unwrap();
    assert_eq!((built.versions, built.runs, built.steps), (13, 13, 12));
    let read = |path: &str| std::fs::read_to_string(repository.join(path)).unwrap();
    let page = read("docs/history.md");
    let (_, rest) = page.split_once("<!-- history: written by `plumbline site examples/history` -->\n").unwrap();
    let (tables, _) = rest.split_once("<!-- end of history -->").unwrap();
    let written = std::fs::read_to_string(site.join("backends/onnxruntime.md")).unwrap();
    assert!(tables == written, "docs/history.md does not have what `plumbline site` writes:\n{written}");
    let count = format!("{},{:03} files", files(&site).len() / 1000, files(&site).len() % 1000);
    assert!(read("docs/site.md").replace('\n', " ").contains(&count), "{count}");
    assert_eq!(broken_links(&files(&site)), Vec::<String>::new());
}
