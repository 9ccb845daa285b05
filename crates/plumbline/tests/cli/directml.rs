//! Tests `plumbline directml check`: what DirectML would refuse in a model, and models that cannot be read.

use crate::Session;

/// Returns a model of DxDispatch in which `from` is replaced by `to`.
fn model(from: &str, to: &str) -> String {
    let text = r#"{
      "$schema": "./_schema.json",
      "resources": {
        "A": { "initialValuesDataType": "INT64", "initialValues": [1, 2, 3] },
        "B": { "initialValuesDataType": "INT64", "initialValues": { "valueCount": 3, "valueStart": 1, "valueDelta": 2 } },
        "Out": { "initialValuesDataType": "INT64", "initialValues": { "valueCount": 3, "value": 0 } }
      },
      "dispatchables": {
        "min": { "type": "DML_OPERATOR_ELEMENT_WISE_MIN", "desc": {
            "ATensor": { "DataType": "INT64", "Sizes": [3] },
            "BTensor": { "DataType": "DML_TENSOR_DATA_TYPE_INT64", "Sizes": [3], "Strides": [1] },
            "OutputTensor": { "Type": "BUFFER", "Desc": { "DataType": "INT64", "Sizes": [3] } } } },
        "gemm": { "type": "GEMM",
            "ATensor": { "DataType": "FLOAT32", "Sizes": [2, 3] }, "BTensor": { "DataType": "FLOAT32", "Sizes": [3, 4] },
            "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 4] }, "TransA": "NONE", "TransB": 0, "Alpha": 1, "Beta": 0.5,
            "FusedActivation": { "Type": "ACTIVATION_ELU", "Alpha": 0.5 } },
        "shader": { "type": "hlsl", "sourcePath": "add.hlsl", "compiler": "dxc", "compilerArgs": [] }
      },
      "commands": [
        { "type": "dispatch", "dispatchable": "min", "bindings": { "ATensor": "A", "BTensor": { "name": "B" }, "OutputTensor": "Out" } },
        { "type": "print", "resource": "Out" }
      ] }"#;
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// Checks the model once for each edit, with only this edit, and returns what was printed.
fn edited(edits: &[(&str, &str)]) -> String {
    let mut session = Session::new();
    for (from, to) in edits {
        session.note(&format!("model.json has {to} in place of {from}"));
        session.write("model.json", model(from, to));
        session.run(&["directml", "check", "model.json"]);
    }
    session.printed()
}

#[test]
fn models_of_dxdispatch_are_checked() {
    let mut session = Session::new();
    session.write("model.json", model("", ""));
    for more in [&[][..], &["--feature-level", "3_0"], &["--feature-level", "3_0", "--format", "json"]] {
        session.run(&[&["directml", "check", "model.json"], more].concat());
    }
    insta::assert_snapshot!(session.printed());
}

#[test]
fn models_that_directml_refuses_do_not_conform() {
    let text = edited(&[
        (r#""Sizes": [3] },"#, r#""Sizes": [0] },"#),
        (r#""Strides": [1]"#, r#""Strides": [1, 1]"#),
        (r#"{ "valueCount": 3, "value": 0 }"#, r#"{ "valueCount": 2, "value": 0 }"#),
        (r#""ATensor": "A", "#, ""),
        (r#"{ "name": "B" }"#, r#"{ "name": "B", "elementOffset": 1, "elementSizeInBytes": 8 }"#),
        ("ACTIVATION_ELU", "ACTIVATION_HARDMAX"),
        (r#", "Alpha": 1,"#, ","),
        (r#""TransB": 0"#, r#""TransB": 7"#),
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn unreadable_models_are_wrong_usage() {
    let text = edited(&[
        ("[1, 2, 3]", "[1, 2, 3,]"),
        (r#""commands": ["#, r#""command": ["#),
        ("DML_OPERATOR_ELEMENT_WISE_MIN", "ELEMENT_WISE_MINN"),
        (r#""DataType": "INT64", "Sizes": [3] },"#, r#""Sizes": [3] },"#),
        (r#""DataType": "INT64", "Sizes": [3] },"#, r#""DataType": "LONG", "Sizes": [3] },"#),
        (r#""BTensor": { "DataType": "DML"#, r#""CTensor": { "DataType": "DML"#),
        (r#""TransA": "NONE""#, r#""TransA": "SOME""#),
        (r#""dispatchable": "min""#, r#""dispatchable": "max""#),
        (r#""ATensor": "A""#, r#""ATensor": "Z""#),
        (r#""valueCount": 3"#, r#""valueCount": 0"#),
    ]);
    insta::assert_snapshot!(text);
}

#[test]
fn missing_files_and_levels_are_wrong_usage() {
    let mut session = Session::new();
    session.run(&["directml", "check", "missing.json"]);
    session.run(&["directml", "check", "x", "--feature-level", "7_0"]);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn models_run_on_the_software_device() {
    let mut session = Session::new();
    let text = model("", "").replace(r#""shader": { "#, r#""unused": { "#);
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["dispatchables"].as_object_mut().unwrap().retain(|name, _| name == "min");
    let writes = serde_json::json!({ "type": "writeFile", "resource": "Out", "targetPath": "out/min.npy" });
    value["commands"].as_array_mut().unwrap().push(writes);
    session.write("model.json", value.to_string());
    session.run(&["directml", "dispatch", "-s", "-S"]);
    session.run(&["directml", "dispatch", "model.json"]);
    let array = std::fs::read(session.path("out/min.npy")).unwrap();
    assert!(array.starts_with(b"\x93NUMPY") && array.ends_with(&3i64.to_le_bytes()));
    session.run(&["directml", "dispatch", "model.json", "--feature-level", "3_0"]);
    session.run(&["directml", "dispatch", "model.json", "-a", "Radeon"]);
    session.run(&["directml", "dispatch", "missing.json"]);
    session.run(&["directml", "dispatch"]);
    insta::assert_snapshot!(session.printed().replace(env!("CARGO_PKG_VERSION"), "[version]"));
}
