//! Tests `plumbline support`: output, exit codes and messages.

use crate::Session;

#[test]
fn tables_of_a_run_are_written() {
    let mut session = Session::new();
    session.floor("out", &["mock:ok", "mock:lie"], &[]);
    session.run(&["support", "out"]);
    session.run(&["support", "out", "--backend", "mock:lie", "--newest", "--out", "docs/SUPPORT.md"]);
    session.show("docs/SUPPORT.md");
    session.run(&["support", "out", "--format", "json", "--backend", "mock:ok", "--out", "support.json"]);
    let json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(session.path("support.json")).unwrap()).unwrap();
    assert_eq!((&json["format"], &json["backends"][0]["totals"]["correct"]), (&1.into(), &1.into()), "{json}");
    let winml = ["support", "out", "--format", "winml", "--provider", "CPUExecutionProvider", "--device", "CPU"];
    session.run(&[&winml[..], &["--backend", "mock:ok", "--out", "rules"]].concat());
    let file = "rules/CPUExecutionProvider_CPU/Floor_CPUExecutionProvider_CPU_ai.onnx_opset13.parquet";
    assert!(std::fs::read(session.path(file)).unwrap().starts_with(b"PAR1"));
    insta::assert_snapshot!(session.printed());
}

#[test]
fn what_has_no_table_is_an_error() {
    let mut session = Session::new();
    session.floor("out", &["mock:ok", "mock:lie"], &[]);
    session.write("broken.jsonl", "{\"case\":\"a\"}\n{\"case\":\"b\"}\n");
    session.write("empty.jsonl", "");
    session.write("text.jsonl.gz", "no gzip");
    std::fs::create_dir(session.path("nothing")).unwrap();
    let winml = ["out", "--format", "winml"];
    let provider = ["--provider", "CPUExecutionProvider"];
    for wrong in [
        &["nowhere"][..],
        &["nothing"],
        &["broken.jsonl"],
        &["empty.jsonl"],
        &["text.jsonl.gz"],
        &["out/run.json"],
        &["out", "out/results.jsonl"],
        &["out", "--backend", "onnxruntime"],
        &["out", "--op", "Flor"],
        &["out", "--op", "Min"],
        &["out", "--format", "html"],
        &["out", "--provider", "CPUExecutionProvider"],
        &winml,
        &[&winml[..], &provider, &["--device", "CPU", "--out", "rules"]].concat(),
        &[&winml[..], &provider, &["--device", "TPU", "--out", "rules", "--backend", "mock:ok"]].concat(),
        &[&winml[..], &["--provider", "a_b", "--device", "CPU", "--out", "rules", "--backend", "mock:ok"]].concat(),
    ] {
        session.run(&[&["support"], wrong].concat());
        let last = session.printed.trim_end().rsplit_once("exit code ").unwrap().1;
        assert_eq!(last, "2", "{wrong:?}");
    }
    insta::assert_snapshot!(session.printed());
    assert!(!session.path("rules").exists(), "wrong usage must not write rules");
}
