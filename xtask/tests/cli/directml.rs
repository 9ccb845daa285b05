//! `cargo xtask directml`.

use crate::{CONFORMS, DOES_NOT_CONFORM, Here, USAGE};

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

#[test]
fn models_of_dxdispatch_are_checked() {
    let here = Here::new();
    let check = |from: &str, to: &str, more: &[&str]| {
        let file = here.file("model.json", model(from, to));
        here.run(&[&["directml", "check", &file][..], more].concat())
    };
    check("", "", &[])
        .is(CONFORMS, &["2 operators and 1 dispatches checked at feature level 6_4: no errors", "shader"]);
    check("", "", &["--feature-level", "3_0"]).is(DOES_NOT_CONFORM, &[
        "$.dispatchables.min.desc.ATensor: ELEMENT_WISE_MIN.ATensor: DataType is INT64; at 3_0 it may be FLOAT32, FLOAT16",
        "available from feature level 5_0",
        "$.dispatchables.gemm.ATensor: GEMM.ATensor: DimensionCount is 2; at 3_0 it may be 4; available from feature level 4_0",
    ]);
    let json = check("", "", &["--feature-level", "3_0", "--format", "json"]);
    json.is(DOES_NOT_CONFORM, &[r#""available_from": "5_0""#, r#""rule": "DataType""#, r#""field": "ATensor""#]);
    for (from, to, said) in [
        (
            r#""Sizes": [3] },"#,
            r#""Sizes": [0] },"#,
            "$.dispatchables.min.desc.ATensor: ELEMENT_WISE_MIN.ATensor: Sizes[0] is 0",
        ),
        (r#""Strides": [1]"#, r#""Strides": [1, 1]"#, "BTensor: has 2 strides but 1 sizes"),
        (
            r#"{ "valueCount": 3, "value": 0 }"#,
            r#"{ "valueCount": 2, "value": 0 }"#,
            "$.commands[0].bindings.OutputTensor: ELEMENT_WISE_MIN.OutputTensor: 16 bytes are bound, but TotalTensorSizeInBytes is 24",
        ),
        (r#""ATensor": "A", "#, "", "$.commands[0].bindings.ATensor: ELEMENT_WISE_MIN.ATensor: nothing is bound to it"),
        (
            r#"{ "name": "B" }"#,
            r#"{ "name": "B", "elementOffset": 1, "elementSizeInBytes": 8 }"#,
            "is bound at offset 8, which is not a multiple of 16",
        ),
        (
            "ACTIVATION_ELU",
            "ACTIVATION_HARDMAX",
            "$.dispatchables.gemm.FusedActivation: GEMM.FusedActivation: is ACTIVATION_HARDMAX",
        ),
        (r#", "Alpha": 1,"#, ",", "$.dispatchables.gemm.Alpha: GEMM.Alpha: is missing"),
        (
            r#""TransB": 0"#,
            r#""TransB": 7"#,
            "$.dispatchables.gemm.TransB: GEMM.TransB: 7 is not a value of DML_MATRIX_TRANSFORM",
        ),
    ] {
        // An activation without its Alpha is another finding in the same model.
        let ending = check(from, to, &[]);
        ending.is(if from.contains("ELU") { USAGE } else { DOES_NOT_CONFORM }, &[said]);
    }
}

#[test]
fn unreadable_models_are_wrong_usage() {
    let here = Here::new();
    for (from, to, said) in [
        ("[1, 2, 3]", "[1, 2, 3,]", "is not JSON"),
        (r#""commands": ["#, r#""command": ["#, "$.command: is unknown; a model has `resources`"),
        ("DML_OPERATOR_ELEMENT_WISE_MIN", "ELEMENT_WISE_MINN", "$.dispatchables.min.type: "),
        (
            r#""DataType": "INT64", "Sizes": [3] },"#,
            r#""Sizes": [3] },"#,
            "$.dispatchables.min.desc.ATensor.DataType: is missing",
        ),
        (
            r#""DataType": "INT64", "Sizes": [3] },"#,
            r#""DataType": "LONG", "Sizes": [3] },"#,
            "$.dispatchables.min.desc.ATensor.DataType: `LONG` is not a tensor data type; there are UNKNOWN, FLOAT32",
        ),
        (
            r#""BTensor": { "DataType": "DML"#,
            r#""CTensor": { "DataType": "DML"#,
            "$.dispatchables.min.desc.CTensor: DML_OPERATOR_ELEMENT_WISE_MIN has no such field",
        ),
        (
            r#""TransA": "NONE""#,
            r#""TransA": "SOME""#,
            "$.dispatchables.gemm.TransA: expected one of DML_MATRIX_TRANSFORM_NONE",
        ),
        (
            r#""dispatchable": "min""#,
            r#""dispatchable": "max""#,
            "$.commands[0].dispatchable: there is no dispatchable `max`",
        ),
        (r#""ATensor": "A""#, r#""ATensor": "Z""#, "$.commands[0].bindings.ATensor: there is no resource `Z`"),
        (r#""valueCount": 3"#, r#""valueCount": 0"#, "$.resources.B.initialValues.valueCount: is 0"),
    ] {
        let file = here.file("model.json", model(from, to));
        here.run(&["directml", "check", &file]).is(USAGE, &[said]);
    }
    here.run(&["directml", "check", "missing.json"]).is(USAGE, &["cannot read missing.json"]);
    here.run(&["directml", "check", "x", "--feature-level", "7_0"]).is(USAGE, &["`7_0` is not a feature level"]);
    here.run(&["directml", "check", "--help"]).is(CONFORMS, &["Examples:", "dispatchables"]);
}
