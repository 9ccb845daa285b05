//! Tests runs of parts of models (`--model`).

use crate::Session;

const MODEL: &str = r#"
<ir_version: 8, opset_import: ["" : 17]>
small (float[batch, 3] x) => (float[batch, 3] y) <float[3] w = {1.5, 2.5, -3.0}>
{
    m = Mul(x, w)
    f = Floor(m)
    g = Floor(m)
    y = Add(f, g)
}
"#;

#[test]
fn parts_of_a_model_are_listed_and_run() {
    let mut session = Session::new();
    session.write("small.txt", MODEL);
    session.run(&["conformance", "--model", "small.txt", "--list"]);
    session.run(&["conformance", "--model", "small.txt", "--op", "Floor", "--subgraphs", "1", "--list"]);
    session.run(&[
        "conformance",
        "--model",
        "small.txt",
        "--constants",
        "drawn",
        "--dtype",
        "int8",
        "--backend",
        "mock:ok",
    ]);
    insta::assert_snapshot!(session.printed());
    session.run(&["conformance", "--model", "small.txt", "--backend", "mock:lie", "--op", "Floor", "--out", "out"]);
    let rows = std::fs::read_to_string(session.path("out/results.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert!(rows.len() > 4 && rows.iter().all(|row| row["suite"] == "model"), "{rows:?}");
    assert!(rows.iter().any(|row| row["case"] == "model/small/1/0@0" && row["op"] == "Floor"), "{rows:?}");
    // The folder of a failure has the model, so it can be replayed without the whole one.
    let failure = std::fs::read_dir(session.path("out/repro")).unwrap().next().unwrap().unwrap().path();
    session.run(&["replay", failure.to_str().unwrap(), "--backend", "mock:lie"]);
    assert!(session.printed.trim_end().ends_with("exit code 1"), "{}", session.printed);
}

#[test]
fn models_that_cannot_be_cut_are_errors() {
    let mut session = Session::new();
    session.write("small.txt", MODEL);
    session.write("none.onnx", b"\x08\x01");
    session.write("noise.onnx", b"not a model");
    session.write("newer.txt", MODEL.replace("17]", "999]"));
    std::fs::create_dir(session.path("inputs")).unwrap();
    for wrong in [
        &["--model", "missing.onnx"][..],
        &["--model", "none.onnx"],
        &["--model", "noise.onnx"],
        &["--model", "newer.txt"],
        &["--model", "small.txt", "--inputs", "inputs"],
        &["--model", "small.txt", "--model", "small.txt", "--inputs", "inputs"],
        &["--constants", "drawn"],
    ] {
        session.run(&[&["conformance", "--backend", "mock:ok", "--list"], wrong].concat());
        assert!(session.printed.trim_end().ends_with("exit code 2"), "{wrong:?}: {}", session.printed);
    }
    session.run(&["replay", "model/small/1/0@0", "--backend", "mock:ok"]);
    insta::assert_snapshot!(session.printed());
}
