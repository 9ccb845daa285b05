//! Tests that an import is written completely, and that differences are reported.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use plumbline_spec::{DTypeFacts, Domain, Import, ONNX_RELEASE, OperatorVersion, Opsets, Spec};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn specs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs")
}

/// Returns an empty folder for this test alone.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("import-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn every_file_has_the_canonical_form() {
    let specs = specs();
    let read = |path: String| fs::read_to_string(specs.join(path)).unwrap();
    for operator in Spec::embedded().operators() {
        let path = format!("onnx/{}/{}.json", operator.domain, operator.name);
        assert_eq!(operator.to_json(), read(path.clone()), "{path}");
    }
    assert_eq!(DTypeFacts::list_to_json(DTypeFacts::embedded()), read("dtypes.json".to_owned()));
    assert_eq!(Opsets::embedded().to_json(), read("opsets.json".to_owned()));
}

/// Returns what `scripts/import_onnx.py` prints for an onnx package that has only these operators.
fn printed(names: &[&str]) -> String {
    let facts = |name: &str| Spec::embedded().operator("", name).unwrap().to_json();
    let operators: Vec<String> = names.iter().map(|name| facts(name)).collect();
    let dtypes = fs::read_to_string(specs().join("dtypes.json")).unwrap();
    let dtypes: serde_json::Value = serde_json::from_str(&dtypes).unwrap();
    let opsets = Opsets::embedded().to_json();
    let operators = operators.join(",\n");
    format!(
        "{{\"onnx\": \"{ONNX_RELEASE}\", \"operators\": [{operators}], \"dtypes\": {}, \"opsets\": {opsets}}}",
        dtypes["dtypes"]
    )
}

#[test]
fn a_written_import_has_no_differences() {
    let dir = folder("written");
    let import = Import::parse(&printed(&["Min", "Floor", "Clip"])).unwrap();
    assert_eq!(import.write(&dir).unwrap().changed.len(), 5);
    assert_eq!(import.differences(&dir).unwrap(), []);
    assert_eq!(import.write(&dir).unwrap(), Default::default());
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn differences_are_named_by_file_and_field() {
    let dir = folder("differences");
    let import = Import::parse(&printed(&["Min", "Floor"])).unwrap();
    import.write(&dir).unwrap();
    let min = dir.join("onnx/ai.onnx/Min.json");
    let text = import.files[Path::new("onnx/ai.onnx/Min.json")].clone();
    let found = |text: &str| {
        fs::write(&min, text).unwrap();
        import.differences(&dir).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let edit = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    assert_eq!(found(&text), Vec::<String>::new());
    assert_eq!(
        found(&edit("\"shape_inference\": false", "\"shape_inference\": true")),
        ["onnx/ai.onnx/Min.json: versions[1].shape_inference: true in specs, false in onnx"]
    );
    assert_eq!(
        found(&edit("\"min_arity\": 1", "\"min_arity\": 2")),
        ["onnx/ai.onnx/Min.json: versions[1].inputs[data_0].min_arity: 2 in specs, 1 in onnx"]
    );
    assert_eq!(
        found(&edit("\"name\": \"min\"", "\"name\": \"max\"")).len(),
        2,
        "a renamed output is two differences: one output is missing, and one is too many"
    );
    assert_eq!(
        found(&text.replace(", ", ",  ")),
        ["onnx/ai.onnx/Min.json: the same facts, but formatted in another way"]
    );
    fs::remove_file(&min).unwrap();
    fs::write(dir.join("onnx/ai.onnx/Mini.json"), "{}").unwrap();
    // Another origin's operators are its own.
    let other = dir.join("onnx/com.microsoft/QuickGelu.json");
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::write(&other, "{}").unwrap();
    let strays: Vec<_> = import.differences(&dir).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(strays, ["onnx/ai.onnx/Min.json: is missing", "onnx/ai.onnx/Mini.json: no such operator in onnx"]);
    let written = import.write(&dir).unwrap();
    assert_eq!(written.changed, [Path::new("onnx/ai.onnx/Min.json")]);
    assert_eq!(written.removed, [Path::new("onnx/ai.onnx/Mini.json")]);
    assert!(other.is_file());
    assert_eq!(import.differences(&dir).unwrap(), []);
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn invalid_output_of_the_script_is_refused() {
    for text in ["", "{}", "[]", "{\"onnx\": \"1\"", &printed(&["Min", "Min"])] {
        assert!(Import::parse(text).is_err(), "{text}");
    }
    assert!(Import::parse(&printed(&["Min"]).replace("variadic", "several")).is_err());
}

/// Runs `scripts/compare_onnx.py` on a folder that has the layout of `specs/`. Returns whether everything agrees, and
/// the output of the script. Returns `None` if `PLUMBLINE_PYTHON` is not set.
fn compare_with_onnx(specs: &Path) -> Option<(bool, String)> {
    let Some(python) = std::env::var_os("PLUMBLINE_PYTHON") else {
        eprintln!(
            "SKIPPED: PLUMBLINE_PYTHON is not set; `cargo xtask test` sets it to a Python that has the onnx package"
        );
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/compare_onnx.py");
    let output = Command::new(python).arg(script).arg(specs).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

#[test]
fn specs_agree_with_the_onnx_package() {
    let Some((agrees, text)) = compare_with_onnx(&specs()) else { return };
    assert!(agrees, "{text}");
    let is_of_onnx =
        |version: &&OperatorVersion| Domain::find(&version.id.domain).is_some_and(|domain| domain.origin == "onnx");
    let count = Spec::embedded().versions().filter(is_of_onnx).count();
    assert!(text.contains(&format!("{count} operator versions compared with onnx {ONNX_RELEASE}")), "{text}");
}

#[test]
fn the_comparison_finds_what_is_wrong() {
    let dir = folder("wrong");
    let copy = |from: &Path, to: &Path| {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
            }
        }
    };
    copy(&specs(), &dir);
    copy(&specs().join("onnx"), &dir.join("onnx"));
    for entry in fs::read_dir(specs().join("onnx")).unwrap() {
        let domain = entry.unwrap().path();
        if domain.is_dir() {
            copy(&domain, &dir.join("onnx").join(domain.file_name().unwrap()));
        }
    }
    let edits = [
        ("onnx/ai.onnx/Min.json", "\"min_arity\": 1", "\"min_arity\": 0", "ai.onnx-Min-1: least arity of input data_0"),
        ("onnx/ai.onnx/Selu.json", "1.673", "1.674", "ai.onnx-Selu-1: default of attribute alpha"),
        ("onnx/ai.onnx/Floor.json", "\"tensor(double)\", ", "", "ai.onnx-Floor-1: types of T"),
        ("onnx/ai.onnx/Ceil.json", "\"since\": 6", "\"since\": 7", "ai.onnx-Ceil-6: exists"),
        ("dtypes.json", "\"bits\": 64", "\"bits\": 32", "dtypes.json: bits of int64"),
        ("opsets.json", "\"ir\": 14", "\"ir\": 13", "opsets.json: releases"),
    ];
    for (path, from, to, message) in edits {
        let full = dir.join(path);
        let text = fs::read_to_string(&full).unwrap();
        let wrong = text.replacen(from, to, 1);
        assert_ne!(text, wrong, "{path}");
        fs::write(&full, wrong).unwrap();
        let Some((agrees, output)) = compare_with_onnx(&dir) else { return };
        assert!(!agrees && output.contains(message), "{path}: {output}");
        fs::write(&full, text).unwrap();
    }
    fs::remove_dir_all(&dir).unwrap();
}
