//! Case folders and suites: written folders can be read, broken ones are errors, and the cases that ONNX has published
//! can be read, except for those that the errata list as unreadable.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plumbline_conformance::suite::{CaseFolder, DataSet, Manifest, SuiteError, SuiteName, case_dirs, cases};
use plumbline_tensor::{DType, Tensor, Value, ValueKind};

/// Returns a case with a value of every kind. `w` has an initializer, so no data set supplies it.
fn case(name: &str) -> CaseFolder {
    let tensor = |x: &[f64]| Tensor::from_f64s(DType::Float16, vec![x.len()], x).unwrap();
    let text = r#"
        <ir_version: 10, opset_import: ["" : 21]>
        mystery (float16[] x, int64[] w, seq(float16[]) s)
            => (optional(float16[]) o, map(int64, float16[]) m, optional(bool[]) n)
        <int64[1] w = {3}> { = Mystery () }"#;
    let set = |x: f64| DataSet {
        inputs: vec![
            Value::Tensor(tensor(&[x, -0.0, f64::NAN])),
            Value::tensor_sequence(DType::Float16, vec![tensor(&[]), tensor(&[x])]).unwrap(),
        ],
        outputs: vec![
            Value::some(Value::Tensor(tensor(&[x]))),
            Value::Map {
                keys: plumbline_tensor::MapKeys::Integers(DType::Int64, vec![7, -7]),
                element: ValueKind::Tensor(DType::Float16),
                items: vec![Value::Tensor(tensor(&[1.0])), Value::Tensor(tensor(&[2.0]))],
            },
            Value::none(ValueKind::Tensor(DType::Bool)),
        ],
    };
    CaseFolder { name: name.into(), model: text.parse().unwrap(), data_sets: vec![set(1.0), set(2.5)] }
}

fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn written_cases_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("new/test_mystery"), folder.path().join("again/test_mystery"));
    case("test_mystery").write(&first).unwrap();
    let read = CaseFolder::read(&first).unwrap();
    assert_eq!(read, case("test_mystery"));
    read.write(&second).unwrap();
    assert_eq!(files(&first), files(&second));
    let names: Vec<String> = files(&first).keys().map(|path| path.display().to_string().replace('\\', "/")).collect();
    assert_eq!(
        names,
        [
            "model.onnx",
            "test_data_set_0/input_0.pb",
            "test_data_set_0/input_1.pb",
            "test_data_set_0/output_0.pb",
            "test_data_set_0/output_1.pb",
            "test_data_set_0/output_2.pb",
            "test_data_set_1/input_0.pb",
            "test_data_set_1/input_1.pb",
            "test_data_set_1/output_0.pb",
            "test_data_set_1/output_1.pb",
            "test_data_set_1/output_2.pb",
        ]
    );
    // All outputs may be missing, if no expected outputs are known yet.
    for at in 0..3 {
        std::fs::remove_file(first.join(format!("test_data_set_1/output_{at}.pb"))).unwrap();
    }
    assert_eq!(CaseFolder::read(&first).unwrap().data_sets[1].outputs, []);
}

#[test]
fn a_model_may_be_text() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("test_mystery");
    case("test_mystery").write(&dir).unwrap();
    let text = case("test_mystery").model.to_string();
    std::fs::write(dir.join("model.txt"), text.replace("Mystery", "Riddle")).unwrap();
    // The text is ignored if there is a model.onnx.
    assert_eq!(CaseFolder::read(&dir).unwrap(), case("test_mystery"));
    std::fs::remove_file(dir.join("model.onnx")).unwrap();
    let read = CaseFolder::read(&dir).unwrap();
    assert_eq!(read.model.graph().node[0].op_type.as_deref(), Some("Riddle"));
    assert_eq!(read.data_sets, case("test_mystery").data_sets);
    std::fs::write(dir.join("model.txt"), text.replace("Mystery (", "Mystery ")).unwrap();
    let error = CaseFolder::read(&dir).unwrap_err().to_string();
    assert!(error.contains("model.txt: line ") && error.contains("expected `(`"), "{error}");
}

#[test]
fn broken_folders_are_errors() {
    let broken = |what: &str, breaks: fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("test_mystery");
        case("test_mystery").write(&dir).unwrap();
        breaks(&dir);
        let error = CaseFolder::read(&dir).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    };
    broken("model.onnx", |dir| std::fs::remove_file(dir.join("model.onnx")).unwrap());
    broken("model.onnx", |dir| std::fs::write(dir.join("model.onnx"), "nonsense").unwrap());
    broken("input_0.pb is missing", |dir| std::fs::remove_file(dir.join("test_data_set_0/input_0.pb")).unwrap());
    broken("1 inputs, but the model has 2", |dir| {
        std::fs::remove_file(dir.join("test_data_set_1/input_1.pb")).unwrap()
    });
    broken("2 outputs, but the model has 3", |dir| {
        std::fs::remove_file(dir.join("test_data_set_0/output_2.pb")).unwrap()
    });
    broken("test_data_set_0 is missing", |dir| std::fs::remove_dir_all(dir.join("test_data_set_0")).unwrap());
    broken("4 outputs, but the model has 3", |dir| {
        std::fs::copy(dir.join("test_data_set_0/output_0.pb"), dir.join("test_data_set_0/output_3.pb")).unwrap();
    });
    broken("input_0.pb: not a tensor", |dir| {
        std::fs::write(dir.join("test_data_set_0/input_0.pb"), [0xff]).unwrap();
    });
    broken("input_0.pb: the value is a tensor(int64), but the model declares tensor(float16)", |dir| {
        let bytes = plumbline_tensor::value_to_bytes(&Tensor::from_i64s(&[1]).into(), "x").unwrap();
        std::fs::write(dir.join("test_data_set_0/input_0.pb"), bytes).unwrap();
    });
}

#[test]
fn bfloat16_values_may_be_stored_as_uint16() {
    let folder = tempfile::tempdir().unwrap();
    let mut case = case("test_mystery");
    let bits = |dtype| Value::Tensor(Tensor::from_bits(dtype, vec![3], [0x3f80, 0x8000, 0x7fc1].into_iter()).unwrap());
    if let Some(graph) = &mut case.model.proto.graph {
        graph.input[0].r#type = Some("bfloat16[]".parse().unwrap());
    }
    case.data_sets[0].inputs[0] = bits(DType::Uint16);
    case.data_sets[1].inputs[0] = bits(DType::Bfloat16);
    case.write(folder.path()).unwrap();
    let read = CaseFolder::read(folder.path()).unwrap();
    assert_eq!(read.data_sets[0].inputs[0], bits(DType::Bfloat16));
    assert_eq!(read.data_sets[1].inputs[0], bits(DType::Bfloat16));
}

#[test]
fn cases_are_sorted() {
    let folder = tempfile::tempdir().unwrap();
    for path in ["simple/test_a", "node/test_b", "node/test_a", "node/test_a_0", "test_lone"] {
        case("").write(&folder.path().join(path)).unwrap();
    }
    std::fs::create_dir_all(folder.path().join("node/notes")).unwrap();
    std::fs::write(folder.path().join("suite.json"), "{}").unwrap();
    let names = |dir: &Path| -> Vec<String> {
        case_dirs(dir).unwrap().into_iter().map(|case| format!("{}/{}", case.kind, case.name)).collect()
    };
    let all = ["/test_lone", "node/test_a", "node/test_a_0", "node/test_b", "simple/test_a"];
    assert_eq!(names(folder.path()), all);
    assert_eq!(names(&folder.path().join("node")), ["/test_a", "/test_a_0", "/test_b"]);
    std::fs::write(folder.path().join("node/test_b/model.onnx"), "nonsense").unwrap();
    let read: Vec<bool> = cases(folder.path()).unwrap().map(|(_, case)| case.is_ok()).collect();
    assert_eq!(read, [true, true, true, false, true]);
    assert!(matches!(case_dirs(&folder.path().join("nowhere")), Err(SuiteError::Io { .. })));
}

#[test]
fn names_of_suites_are_parsed() {
    for text in ["onnx:1.23.2", "onnx:1.2.2", "onnx:1.22.0rc1", "onnx:1.2"] {
        assert_eq!(text.parse::<SuiteName>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "onnx",
        "onnx:",
        "1.23.2",
        "onnx:1",
        "onnx:x.y",
        "onnx:1.2/../..",
        "onnx:1.2 --pre",
        "onnx:1..2",
        "torch:1.2",
    ] {
        assert!(text.parse::<SuiteName>().is_err(), "{text}");
    }
    let name: SuiteName = "onnx:1.23.2".parse().unwrap();
    assert_eq!(name.dir(Path::new("suites")), Path::new("suites/onnx-1.23.2"));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Manifest::read(folder.path()).unwrap(), None);
    let manifest = Manifest {
        suite: name.to_string(),
        wheel: "onnx-1.23.2.whl".into(),
        computed_by: BTreeMap::from([("numpy".into(), "2.0".into())]),
        cases: BTreeMap::from([("node".into(), 3)]),
    };
    manifest.write(folder.path()).unwrap();
    assert_eq!(Manifest::read(folder.path()).unwrap(), Some(manifest));
    std::fs::write(folder.path().join("suite.json"), r#"{"suite": "onnx:1.2", "unknown": 1}"#).unwrap();
    assert!(Manifest::read(folder.path()).is_err());
}

/// Returns the ids of the cases that `specs/onnx/suite-errata.toml` lists as unreadable.
fn unreadable() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/onnx/suite-errata.toml");
    let errata: toml::Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let texts = |value: &toml::Value| match value {
        toml::Value::Array(values) => values.iter().map(|v| v.as_str().unwrap().to_owned()).collect(),
        one => vec![one.as_str().unwrap().to_owned()],
    };
    let errata = errata["erratum"].as_array().unwrap().iter().filter(|e| e.get("unreadable").is_some());
    errata
        .flat_map(|e| {
            let cases = texts(&e["case"]);
            texts(&e["releases"])
                .into_iter()
                .flat_map(move |r| cases.iter().map(|case| format!("onnx:{r}/{case}")).collect::<Vec<String>>())
        })
        .collect()
}

/// Checks every suite in the folder of fetched suites. `cargo xtask suite fetch onnx:1.23.2` fetches one.
#[test]
fn published_cases_are_the_same_after_writing_and_reading() {
    let Some(suites) = std::env::var_os("PLUMBLINE_SUITES").map(PathBuf::from) else {
        eprintln!("SKIPPED: PLUMBLINE_SUITES does not name the folder of fetched suites; `cargo xtask test` sets it");
        return;
    };
    let unreadable = unreadable();
    let mut seen = 0;
    for suite in std::fs::read_dir(&suites).unwrap_or_else(|e| panic!("{}: {e}", suites.display())) {
        let suite = suite.unwrap().path();
        let Some(manifest) = Manifest::read(&suite).unwrap() else { continue };
        let written = tempfile::tempdir().unwrap();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut same = 0;
        for (place, case) in cases(&suite).unwrap() {
            if unreadable.contains(&format!("{}/{}/{}", manifest.suite, place.kind, place.name)) {
                assert!(case.is_err(), "{} was read without an error", place.path.display());
                *counts.entry(place.kind).or_default() += 1;
                continue;
            }
            let case = case.unwrap_or_else(|e| panic!("{e}"));
            assert!(!case.data_sets.is_empty(), "{}", place.path.display());
            let copy = written.path().join(&place.kind).join(&place.name);
            case.write(&copy).unwrap();
            assert!(CaseFolder::read(&copy).unwrap() == case, "{}", place.path.display());
            same += usize::from(files(&copy) == files(&place.path));
            *counts.entry(place.kind).or_default() += 1;
        }
        assert_eq!(counts, manifest.cases, "{}", manifest.suite);
        let total: usize = counts.values().sum();
        println!("{}: {total} cases {counts:?}, {same} of them have the same bytes after writing", manifest.suite);
        seen += total;
    }
    assert!(seen > 400, "only {seen} published cases were found below {}", suites.display());
}
