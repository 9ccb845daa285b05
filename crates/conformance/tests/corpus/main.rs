//! Exports corpora, and compares the verdicts of their judge in Python with ours.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod agreement;
mod command;
#[path = "../common/mod.rs"]
mod common;
mod content;
mod content_command;
mod devices;
mod kept;
#[path = "../twisted/mod.rs"]
mod twisted;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use common::Silent;
use plumbline_conformance::{Encoding, Export, ExportError, Exported, Right, Settings, Work, regressions, right};
use plumbline_generator::cells;
use plumbline_oracle::{Allowed, Latitude, Operand, Oracle};
use plumbline_spec::Numerics;

/// The number of cases of each cell.
const CASES: u64 = 4;

fn export_with(settings: Settings, max_bytes: u64, accuracy: &str, work: Vec<Work>) -> Result<Exported, ExportError> {
    let suites = ["generated", "negative", regressions::SUITE];
    export_as(Encoding::Onnx, &suites, settings, max_bytes, accuracy, work)
}

fn export_as(
    encoding: Encoding,
    suites: &[&str],
    settings: Settings,
    max_bytes: u64,
    accuracy: &str,
    work: Vec<Work>,
) -> Result<Exported, ExportError> {
    let suites: Vec<String> = suites.iter().map(|suite| (*suite).to_owned()).collect();
    let export = Export {
        settings: &settings,
        profile: "smoke",
        suites: &suites,
        encoding,
        selection: BTreeMap::new(),
        numerics: Numerics { accuracy: accuracy.to_owned(), ..Numerics::default() },
        max_bytes,
        version: "0",
        progress: &Silent,
    };
    export.run(work)
}

fn settings(out: &Path) -> Settings {
    Settings { cases: CASES, negative_cases: 3, out: out.to_owned(), ..Settings::default() }
}

fn export(out: &Path, work: Vec<Work>) -> Result<Exported, ExportError> {
    export_with(settings(out), u64::MAX, "opencl-full", work)
}

/// Returns the cells of one operator as work.
fn cells_of(op: &str) -> Vec<Work> {
    cells().into_iter().filter(|c| c.version.id.name == op).map(|c| Work::Cell(c, None)).collect()
}

/// Returns all files below a folder with their contents, by their path.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for path in std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().display().to_string().replace('\\', "/");
                    found.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

#[test]
fn two_exports_have_the_same_bytes_and_parts_join_by_copying() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |name: &str| dir.path().join(name);
    let exported = export(&folder("whole"), cells_of("Min")).unwrap();
    assert!(exported.cases["generated"] > 50 && exported.broken.is_empty(), "{exported:?}");
    let one_thread = Settings { jobs: 1, ..settings(&folder("again")) };
    export_with(one_thread, u64::MAX, "opencl-full", cells_of("Min")).unwrap();
    let whole = contents(&folder("whole"));
    assert!(whole == contents(&folder("again")), "two exports differ");
    let mut joined = BTreeMap::new();
    for number in 1..=3 {
        let part = folder(&format!("part{number}"));
        let shard = Settings { shard: (number, 3), ..settings(&part) };
        export_with(shard, u64::MAX, "opencl-full", cells_of("Min")).unwrap();
        for (name, bytes) in contents(&part) {
            let known = joined.insert(name.clone(), bytes);
            assert!(known.is_none() || name == "judge.py", "two parts have {name}");
        }
    }
    let cases = |all: &BTreeMap<String, Vec<u8>>| -> BTreeMap<String, Vec<u8>> {
        all.iter().filter(|(name, _)| !name.starts_with("manifest/")).map(|(n, b)| (n.clone(), b.clone())).collect()
    };
    assert!(cases(&joined) == cases(&whole), "the parts together differ from the whole");
    let other_seed = Settings { seed: 1, ..settings(&folder("other")) };
    export_with(other_seed, u64::MAX, "opencl-full", cells_of("Min")).unwrap();
    assert!(contents(&folder("other")) != whole, "the seed has no effect");
}

#[test]
fn an_export_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("corpus");
    let names = || std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let error = export_with(settings(&out), 10, "opencl-full", cells_of("Min")).unwrap_err();
    assert!(matches!(error, ExportError::NoCase { left_out } if left_out > 50), "{error}");
    let error = export_with(settings(&out), u64::MAX, "nothing", cells_of("Min")).unwrap_err();
    assert!(matches!(error, ExportError::Accuracy(_)), "{error}");
    let stopped = settings(&out);
    stopped.interrupt.raise();
    let error = export_with(stopped, u64::MAX, "opencl-full", cells_of("Min")).unwrap_err();
    assert!(matches!(error, ExportError::Interrupted), "{error}");
    assert_eq!(names(), [""; 0], "something was left behind");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("notes.txt"), "mine").unwrap();
    let error = export(&out, cells_of("Floor")).unwrap_err();
    assert!(matches!(error, ExportError::NotEmpty { .. }), "{error}");
    assert_eq!(contents(&out).len(), 1);
    std::fs::remove_file(out.join("notes.txt")).unwrap();
    export(&out, cells_of("Floor")).unwrap();
    assert_eq!(names(), ["corpus"]);
}

#[test]
fn large_cases_are_left_out_and_listed() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("corpus");
    let exported = export_with(settings(&out), 4000, "opencl-full", cells_of("Min")).unwrap();
    assert!(!exported.left_out.is_empty() && exported.cases["generated"] > 10, "{exported:?}");
    let all = contents(&out);
    let head: serde_json::Value = serde_json::from_slice(&all["manifest/1-of-1.json"]).unwrap();
    assert_eq!(head["left_out"].as_array().unwrap().len(), exported.left_out.len());
    let lines = String::from_utf8(all["manifest/1-of-1.jsonl"].clone()).unwrap();
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["bytes"].as_u64().unwrap() <= 4000, "{line}");
    }
}

#[test]
fn a_case_that_the_oracle_contradicts_is_left_out_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("corpus");
    let cell = cells().into_iter().find(|c| c.version.id.name == "Gather" && !c.negatives().is_empty()).unwrap();
    let label = cell.negatives()[0];
    let mut case = cell.case(None, 0, 0).unwrap();
    case.id = "valid-and-said-to-be-invalid".to_owned();
    case.violates = Some(label);
    let kept = Work::Kept(Box::new(case), regressions::SUITE.to_owned());
    let exported = export(&out, vec![kept, Work::Cell(cell, None)]).unwrap();
    assert_eq!(exported.cases.keys().collect::<Vec<_>>(), ["generated"]);
    let [(id, reason)] = &exported.broken[..] else { panic!("{:?}", exported.broken) };
    assert_eq!(id, "valid-and-said-to-be-invalid");
    let head: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("manifest/1-of-1.json")).unwrap()).unwrap();
    assert_eq!(head["left_out"], serde_json::json!([{ "id": id, "reason": reason }]));
}

/// Returns how many lists of allowed elements a value has, and how many of these name an element whose bytes are
/// unknown.
fn lists(operand: &Operand) -> [usize; 2] {
    match operand {
        Operand::Tensor(expected) => {
            let list = |(_, latitude): &(usize, Latitude)| match latitude.allowed {
                Allowed::Elements(elements) => Some(expected.listed.tensor(&elements, expected.dtype())),
                _ => None,
            };
            let found: Vec<_> = expected.latitude.iter().filter_map(list).collect();
            [found.len(), found.iter().filter(|tensor| !matches!(tensor, Some(Ok(_)))).count()]
        }
        Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().map(lists).fold([0; 2], sum),
        Operand::Optional { item, .. } => item.iter().map(|item| lists(item)).fold([0; 2], sum),
        Operand::Other(_) => [0; 2],
    }
}

fn sum(one: [usize; 2], other: [usize; 2]) -> [usize; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

/// A corpus needs the bytes of all allowed elements, also of those that are neither in the inputs nor in the model,
/// such as the string `0` and default values of attributes.
#[test]
fn the_bytes_of_allowed_elements_are_known() {
    let mut operators = BTreeMap::new();
    let has_no_numbers = |word: &str| word.contains("string") || word.contains("complex");
    for cell in
        cells().into_iter().filter(|cell| cell.version.types.values().flatten().any(|t| has_no_numbers(&t.to_string())))
    {
        for index in 0..4 {
            let Some(case) = cell.case(None, index, 0) else { continue };
            let Ok(Right::Outputs { operands, others, .. }) = right(&Oracle::default(), &case) else { continue };
            let all = operands.iter().chain(others.iter().flat_map(|other| &other.outputs));
            let [count, unknown] = all.map(lists).fold([0; 2], sum);
            assert_eq!(unknown, 0, "{}", case.id);
            *operators.entry(cell.version.id.name.clone()).or_insert(0) += count;
        }
    }
    let listed: Vec<&String> = operators.iter().filter(|(_, count)| **count > 0).map(|(name, _)| name).collect();
    assert!(listed.len() > 10, "only {listed:?} have lists of allowed elements");
}

/// Returns a Python that has the modules that the judge needs.
fn python() -> Option<String> {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import numpy, onnx"]).output();
    if !check.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} does not have numpy and onnx; `cargo xtask test` installs them");
        return None;
    }
    Some(python)
}
