//! Tests that the loader reads `specs/onnx` and rejects anything else, with the file and line in its errors.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use plumbline_spec::{
    AttributeKind, AttributeValue, Determinism, FormalOption, OperatorId, Spec, SpecError, Status, TypeStr,
};
use std::fs;
use std::path::{Path, PathBuf};

fn specs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/onnx")
}

#[test]
fn embedded_and_loaded_are_the_same() {
    assert_eq!(*Spec::embedded(), Spec::load(&specs()).unwrap());
}

#[test]
fn operators_are_sorted_and_complete() {
    let spec = Spec::embedded();
    let names: Vec<_> = spec.operators().map(|op| (op.domain.as_str(), op.name.as_str())).collect();
    assert!(names.is_sorted());
    // The counts are those of ONNX 1.23. Lower counts mean that files were lost.
    assert_eq!((names.len(), spec.versions().count()), (229, 661), "see section `pins` of docs/operators.md");
    // An operator that was imported may wait for its rules; this says how many do.
    assert_eq!(spec.operators().filter(|operator| !operator.is_covered()).count(), 0);
    for version in spec.versions() {
        assert_eq!(spec.version(&version.id), Some(version));
        for formal in version.inputs.iter().chain(&version.outputs) {
            assert!(!version.types_of(formal).is_empty(), "{} {}", version.id, formal.name);
        }
    }
}

#[test]
fn facts_of_a_version() {
    let spec = Spec::embedded();
    let min = spec.version(&"Min-13".parse::<OperatorId>().unwrap()).unwrap();
    assert_eq!((min.since(), min.min_inputs, min.max_inputs), (13, 1, i32::MAX as u32));
    let data = min.input("data_0").unwrap();
    assert_eq!((data.option, data.homogeneous, data.min_arity), (FormalOption::Variadic, true, 1));
    assert_eq!(min.input_at(5), Some(data));
    assert_eq!(min.output_at(1), None);
    assert_eq!(min.cells().count(), 12);
    assert_eq!(min.deterministic, Determinism::Deterministic);
    let expand = spec.resolve("", "Expand", 13).unwrap();
    assert_eq!(expand.types_of(expand.input("shape").unwrap()), ["tensor(int64)".parse::<TypeStr>().unwrap()]);
}

#[test]
fn defaults_keep_their_exact_value() {
    let spec = Spec::embedded();
    let clip = spec.resolve("", "Clip", 6).unwrap();
    assert_eq!(clip.attribute("max").unwrap().default, Some(AttributeValue::Float(f32::MAX)));
    let selu = spec.resolve("", "Selu", 6).unwrap();
    // The expected value is the float32 to which the standard's decimal digits round.
    assert_eq!(selu.attribute("alpha").unwrap().default, Some(AttributeValue::Float(f32::from_bits(0x3fd6_2d7d))));
    let lstm = spec.resolve("", "LSTM", 14).unwrap();
    assert_eq!(lstm.attribute("activations").unwrap().kind, AttributeKind::Strings);
    assert_eq!(lstm.attribute("activations").unwrap().default, None);
}

#[test]
fn the_newest_version_not_above_the_opset() {
    let spec = Spec::embedded();
    let since = |opset| spec.resolve("ai.onnx", "Min", opset).map(|version| version.since);
    assert_eq!([since(0), since(1), since(7), since(8), since(1000)], [None, Some(1), Some(6), Some(8), Some(13)]);
    assert_eq!(spec.resolve("ai.onnx.ml", "Min", 13), None);
    assert_eq!(spec.resolve("", "Upsample", 28).map(|version| version.deprecated), Some(true));
}

#[test]
fn rules_apply_by_version() {
    let rules = Spec::embedded().operator("", "Min").unwrap().rules.as_ref().unwrap();
    assert!(rules.constraint("shapes-equal", 6).is_some() && rules.constraint("shapes-equal", 8).is_none());
    assert!(rules.constraint("shapes-broadcast", 6).is_none() && rules.constraint("shapes-broadcast", 13).is_some());
    assert_eq!(rules.behaviour("signed-zero", 13).unwrap().outcomes, ["-0", "+0"]);
    let floor = Spec::embedded().operator("", "Floor").unwrap().rules.as_ref().unwrap();
    let status = |since| floor.behaviour("signed-zero", since).unwrap().status;
    assert_eq!((status(6), status(13)), (Status::Unspecified, Status::Defined));
}

/// Loads a folder with one operator, `Op`, made of these files. Returns the error message with file name and line, or
/// `loaded`.
fn error_of(json: &str, rules: Option<&str>) -> String {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("load-{}-{number}", std::process::id()));
    let domain = dir.join("ai.onnx");
    fs::create_dir_all(&domain).unwrap();
    fs::write(domain.join("Op.json"), json).unwrap();
    if let Some(rules) = rules {
        fs::write(domain.join("Op.rules.toml"), rules).unwrap();
    }
    let result = Spec::load(&dir);
    fs::remove_dir_all(&dir).unwrap();
    match result {
        Ok(_) => "loaded".to_owned(),
        Err(SpecError::Data { file, line, message }) => {
            format!("{}:{line}: {message}", file.file_name().unwrap().to_string_lossy())
        }
        Err(error) => panic!("{error}"),
    }
}

const OP: &str = r#"{
  "domain": "ai.onnx",
  "name": "Op",
  "versions": [
    {
      "since": 1,
      "deprecated": false, "support": "common", "function": false, "shape_inference": true,
      "deterministic": "deterministic",
      "min_inputs": 1, "max_inputs": 1, "min_outputs": 1, "max_outputs": 1,
      "attributes": [
        {"name": "alpha", "type": "FLOAT", "required": false, "default": 0.5},
        {"name": "axis", "type": "INT", "required": false, "default": null}
      ],
      "inputs": [
        {"name": "X", "type": "T", "option": "single", "homogeneous": true, "min_arity": 1}
      ],
      "outputs": [
        {"name": "Y", "type": "tensor(bool)", "option": "single", "homogeneous": true, "min_arity": 1}
      ],
      "types": {
        "T": ["tensor(float)", "tensor(int64)"]
      }
    }
  ]
}
"#;

#[test]
fn the_example_loads() {
    assert_eq!(error_of(OP, Some("[[accuracy]]\nstep = \"exact\"\n")), "loaded");
}

#[test]
fn broken_facts_are_named_by_line() {
    let cases = [
        ("\"name\": \"Op\",", "\"name\": \"Op\", \"colour\": 1,", "Op.json:3: unknown field `colour`"),
        ("\"since\": 1", "\"since\": 1, \"until\": 2", "Op.json:6: unknown field `until`"),
        (
            "\"min_arity\": 1}\n      ],\n      \"outputs",
            "\"arity\": 1}\n      ],\n      \"outputs",
            "Op.json:15: unknown field `arity`",
        ),
        ("\"default\": 0.5", "\"default\": 0.5, \"doc\": \"\"", "Op.json:11: unknown field `doc`"),
        ("\"default\": 0.5", "\"default\": \"half\"", "Op.json:11: the default \"half\" of `alpha`"),
        ("\"default\": null", "\"default\": 0.5", "Op.json:12: the default 0.5 of `axis`"),
        (", \"default\": null", "", "Op.json:12: missing field `default`"),
        ("\"axis\"", "\"alpha\"", "Op.json:12: a second `alpha`"),
        ("\"type\": \"T\"", "\"type\": \"U\"", "Op.json:15: `U` is neither a type variable"),
        ("tensor(int64)", "tensor(long)", "Op.json:21: `tensor(long)` is not an ONNX type"),
        ("tensor(int64)", "tensor(float)", "Op.json:5: type variable `T` has no type, or has a type twice"),
        ("\"tensor(int64)\"]", "\"tensor(int64)\"],\n        \"T\": []", "Op.json:22: a second type variable `T`"),
        ("\"min_inputs\": 1", "\"min_inputs\": 2", "Op.json:5: `min_inputs` is above `max_inputs`"),
        ("\"domain\": \"ai.onnx\"", "\"domain\": \"ai.onnx.ml\"", "Op.json:1: describes ai.onnx.ml/Op"),
        ("\"support\": \"common\"", "\"support\": \"usual\"", "Op.json:7: unknown variant `usual`"),
        ("  ]\n}\n", "  ]\n", "Op.json:25: EOF while parsing"),
    ];
    for (from, to, message) in cases {
        assert!(OP.contains(from), "{from}");
        let found = error_of(&OP.replacen(from, to, 1), None);
        assert!(found.starts_with(message), "{to}: {found}");
    }
}

#[test]
fn versions_ascend() {
    let start = OP.find("    {\n      \"since\"").unwrap();
    let end = OP.find("\n  ]\n}").unwrap();
    let version = &OP[start..end];
    let twice = |second: &str| OP.replace(version, &format!("{version},\n{}", version.replace("\"since\": 1", second)));
    assert_eq!(error_of(&twice("\"since\": 7"), None), "loaded");
    let found = error_of(&twice("\"since\": 1"), None);
    assert_eq!(found, "Op.json:24: version 1 follows version 1, but versions must ascend");
    let descending = twice("\"since\": 1").replacen("\"since\": 1", "\"since\": 7", 1);
    assert_eq!(error_of(&descending, None), "Op.json:24: version 1 follows version 7, but versions must ascend");
    assert!(error_of(&OP.replace(version, ""), None).contains("at least one version"));
}

#[test]
fn broken_rules_are_named_by_line() {
    let constraint = "[[constraint]]\nname = \"axis-in-range\"\ntext = \"t\"\nsource = \"s\"\n";
    let behaviour =
        "[[behaviour]]\nname = \"ties\"\nsubject = \"NaN\"\nstatus = \"defined\"\ntext = \"t\"\nsource = \"s\"\n";
    assert_eq!(error_of(OP, Some(&format!("{constraint}\n{behaviour}"))), "loaded");
    let cases = [
        (format!("{constraint}colour = 1\n"), "Op.rules.toml:5: unknown field `colour`"),
        (format!("{constraint}\n[[rule]]\nname = \"other\"\n"), "Op.rules.toml:6: unknown field `rule`"),
        (format!("{constraint}\n{constraint}"), "Op.rules.toml:6: a second `axis-in-range`"),
        (constraint.replace("axis-in-range", "C1"), "Op.rules.toml:1: `C1` is not a valid name of a rule"),
        (constraint.replace("axis-in-range", "axis--in"), "Op.rules.toml:1: `axis--in` is not a valid name of a rule"),
        (
            format!("{constraint}\n{}", behaviour.replace("ties", "axis-in-range")),
            "Op.rules.toml:6: `axis-in-range` is already the name of a constraint",
        ),
        (constraint.replace("\"t\"", "\" \""), "Op.rules.toml:1: this entry has an empty text"),
        (format!("{constraint}versions = \"1..6\"\n"), "Op.rules.toml:5: `1..6` is not a range"),
        (format!("{constraint}releases = \"..1.99\"\n"), "Op.rules.toml:5: `1.99` is not a release of ONNX"),
        (format!("{constraint}releases = \"1.22\"\n"), "Op.rules.toml:5: `1.22` is not a range of releases"),
        (format!("{constraint}releases = \"1.22..1.21\"\n"), "Op.rules.toml:5: `1.22..1.21` contains no release"),
        (format!("{constraint}versions = \"6..=1\"\n"), "Op.rules.toml:5: `6..=1` is not a range"),
        (
            format!("{constraint}versions = \"2..\"\n"),
            "Op.rules.toml:1: `axis-in-range` is for versions 2.., but the operator has only [1]",
        ),
        (
            format!("{constraint}about = [\"colour\"]\n"),
            "Op.rules.toml:1: `about` names `colour`, which is no attribute or input of versions",
        ),
        (
            format!("{constraint}about = [\"X\"]\nseen_in = \"shapes\"\n"),
            "Op.rules.toml:1: axis-in-range: `seen_in` can only be `values`; that a constraint is seen in `shapes` follows",
        ),
        (
            format!("{constraint}seen_in = \"values\"\n"),
            "Op.rules.toml:1: axis-in-range: a constraint that is seen in `values` has to be `about` an input",
        ),
        (format!("{constraint}seen_in = \"bytes\"\n"), "Op.rules.toml:5: unknown variant `bytes`"),
        (behaviour.replace("defined", "unspecified"), "Op.rules.toml:1: ties does not have the status `defined`"),
        (format!("{behaviour}outcomes = [\"x\"]\n"), "Op.rules.toml:1: ties has the status `defined`"),
        (behaviour.replace("defined", "vague"), "Op.rules.toml:4: unknown variant `vague`"),
        ("[[accuracy]]\ntext = \"t\"\n".to_owned(), "Op.rules.toml:1: missing field `step`"),
        (
            "[[required]]\nattributes = [\"a\"]\ntext = \"\"\n".to_owned(),
            "Op.rules.toml:1: this entry has an empty text",
        ),
        ("[[accuracy]\n".to_owned(), "Op.rules.toml:1: "),
    ];
    for (rules, message) in cases {
        let found = error_of(OP, Some(&rules));
        assert!(found.starts_with(message), "{rules}\n{found}");
    }
}
