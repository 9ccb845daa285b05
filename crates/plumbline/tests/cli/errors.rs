//! Tests the messages and exit codes for wrong arguments, names and files.

use std::path::Path;

use crate::{Session, copy_folder};

const FLOOR: [&str; 11] =
    ["conformance", "--op", "Floor-13", "--dtype", "float", "--suite", "generated", "--cases", "3", "--out", "out"];

/// Returns the arguments of a small run of Floor on this backend.
fn floor<'a>(backend: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&FLOOR[..], &["--backend", backend], more].concat()
}

impl Session {
    /// Returns the exit code of the last command.
    fn last_code(&self) -> &str {
        self.printed.trim_end().rsplit_once("exit code ").unwrap().1
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let mut session = Session::new();
    for wrong in [
        &["--op", "Flor"][..],
        &["--op", "Floor-2"],
        &["--memory", "4GB"],
        &["--dtype", "half"],
        &["--suite", "torch"],
        &["--profile", "fast"],
        &["--shard", "5/4"],
        &["--time", "soon"],
        &["--time", "0m"],
        &["--deadline-ms", "0"],
        &["--cases", "few"],
    ] {
        session.run(&[&["conformance", "--backend", "mock:ok"], wrong].concat());
        assert_eq!(session.last_code(), "2", "{wrong:?}");
    }
    session.run(&["conformance", "--backend", "reference"]);
    session.run(&["conform"]);
    session.run(&["spec", "show", "Flor"]);
    session.run(&["spec", "show", "Min", "--level", "2_1"]);
    session.run(&["spec", "show", "DML_OPERATOR_ELEMENT_WISE_MINI"]);
    session.run(&["spec", "show", "DML_OPERATOR_ELEMENT_WISE_MIN", "--level", "2_2"]);
    session.run(&["spec", "diff", "Min", "6", "7"]);
    session.run(&["spec", "diff", "Min", "6", "x"]);
    session.run(&["spec", "diff", "Min-6"]);
    session.run(&["spec", "list", "--domain", "nowhere"]);
    session.run(&["behaviour", "Min-6"]);
    session.run(&["behaviour", "--check"]);
    insta::assert_snapshot!(session.printed());
    assert_eq!(std::fs::read_dir(session.folder.path()).unwrap().count(), 0, "wrong usage must not write results");
}

#[test]
fn backends_that_cannot_start_are_errors() {
    let mut session = Session::new();
    for backend in ["mock:sulk", "mock:lie/0", "mock:no-start", "mock:dead-start", "process:"] {
        session.run(&floor(backend, &[]));
        assert_eq!(session.last_code(), "3", "{backend}");
    }
    session.run(&floor("process:no-such-program-anywhere", &[]));
    // An unknown name is wrong usage; nothing that could be installed or fetched would help.
    session.run(&floor("onyx", &[]));
    session.run(&floor("mock:no-start", &["--backend", "onyx"]));
    session.run(&floor("onnxruntime:ep=gglm", &[]));
    session.run(&floor("onnxruntime:ep=ggml,device=tpu", &[]));
    session.run(&["replay", "Min-13/T=float16/17@0", "--backend", "onyx"]);
    insta::assert_snapshot!(session.printed());
    assert!(!session.path("out").exists(), "no backend started, but results were written");
}

/// Checks backends whose first frame is invalid or has an invalid profile.
#[cfg(unix)]
#[test]
fn invalid_greetings_are_errors() {
    let mut session = Session::new();
    let frame = |json: &str| {
        [&b"PLB1\x01\0\0\0"[..], &u32::try_from(json.len()).unwrap().to_le_bytes()[..], json.as_bytes()].concat()
    };
    let hello = |profile: &str| {
        frame(&format!(r#"{{"version": 2, "identity": {{"name": "mine", "version": "0.3"}}, "profile": {profile}}}"#))
    };
    for (name, bytes) in [
        ("text", b"hello, I am a backend\n".to_vec()),
        ("no-version", frame(r#"{"identity": {"name": "mine", "version": "0.3"}, "profile": {}}"#)),
        ("version-9", frame(r#"{"version": 9, "identity": {"name": "mine", "version": "0.3"}, "profile": {}}"#)),
        ("unknown-key", hello(r#"{"flush": true}"#)),
        ("unknown-accuracy", hello(r#"{"accuracy": "perfect"}"#)),
        ("unknown-function", hello(r#"{"extra_ulp": {"sinn": 2.0}}"#)),
        ("negative-ulp", hello(r#"{"extra_ulp": {"sin": -2.0}}"#)),
    ] {
        session.write(name, bytes);
        session.run(&floor(&format!("process:cat {name}"), &[]));
        assert_eq!(session.last_code(), "3", "{name}");
    }
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_run_without_cases_is_not_a_success() {
    let mut session = Session::new();
    for nothing in [
        &["--op", "Floor", "--dtype", "int8"][..],
        &["--suite", "regressions", "--op", "Floor"],
        &["--suite", "regressions", "--op", "Pow", "--dtype", "string"],
    ] {
        session.run(&[&["conformance", "--backend", "mock:ok", "--out", "out"], nothing].concat());
        assert_eq!(session.last_code(), "4", "{nothing:?}");
    }
    session.run(&floor("mock:ok", &["--floor", "5"]));
    assert_eq!(session.last_code(), "4", "fewer cases than `--floor` demands");
    insta::assert_snapshot!(session.printed());
}

#[test]
fn wrong_expectations_are_errors() {
    const KNOWN: &str = "backend = \"mock:ok\"\n\n[[expect]]\nop = \"Floor-13\"\nverdict = \"fail\"\nblame = \"backend\"\nreason = \"it was so\"\n";
    let mut session = Session::new();
    for (from, to) in [
        ("Floor-13", "Flor"),
        ("Floor-13", "Floor-12"),
        ("reason", "raeson"),
        ("it was so", ""),
        ("\"fail\"", "\"pass\""),
        ("blame = \"backend\"", "blame = \"nobody\""),
        ("blame = \"backend\"", "blame = \"backend\"\ndetail = \"(\""),
        ("[[expect]]", "[[expected]]"),
        ("\"mock:ok\"", ""),
    ] {
        assert!(KNOWN.contains(from), "{from}");
        session.write("known.toml", KNOWN.replacen(from, to, 1));
        session.note(&format!("known.toml has {to:?} in place of {from:?}"));
        session.run(&floor("mock:ok", &["--expectations", "known.toml"]));
        assert_eq!(session.last_code(), "2", "{to}");
    }
    session.write("bytes.toml", [0xff, 0xfe]);
    session.run(&floor("mock:ok", &["--expectations", "bytes.toml"]));
    session.run(&floor("mock:ok", &["--expectations", "nowhere.toml"]));
    insta::assert_snapshot!(session.printed());
}

/// A function that breaks a file or a folder.
type Break<'a> = &'a dyn Fn(&Path);

/// Checks that `replay` fails for broken folders of cases and for wrong ids.
#[test]
fn broken_cases_cannot_be_replayed() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &[]));
    session.printed.clear();
    let failure = std::fs::read_dir(session.path("out/repro")).unwrap().next().unwrap().unwrap().path();
    let cut = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        std::fs::write(path, &bytes[..bytes.len() - 3]).unwrap();
    };
    let write = |bytes: &'static [u8]| move |path: &Path| std::fs::write(path, bytes).unwrap();
    let remove = |path: &Path| std::fs::remove_file(path).unwrap();
    let breaks: [(&str, &str, Break); 8] = [
        ("model.onnx", "has other bytes", &write(b"no model")),
        ("model.onnx", "is empty", &write(b"")),
        ("model.onnx", "is cut off", &cut),
        ("test_data_set_0/input_0.pb", "is cut off", &cut),
        ("test_data_set_0/input_0.pb", "is missing", &remove),
        ("test_data_set_0", "is missing", &|path| std::fs::remove_dir_all(path).unwrap()),
        ("case.json", "is cut off", &write(b"{")),
        ("case.json", "names an unknown rule", &write(b"{\"violates\": \"X1\"}")),
    ];
    for (file, what, breaks) in breaks {
        let copy = session.path("copy");
        copy_folder(&failure, &copy);
        breaks(&copy.join(file));
        session.note(&format!("copy/{file} {what}"));
        session.run(&["replay", "copy", "--backend", "mock:ok"]);
        assert_eq!(session.last_code(), "2", "{file} {what}");
        std::fs::remove_dir_all(&copy).unwrap();
    }
    for id in [
        "Min-13/T=float16/17",
        "Min-13/T=bool/17@0",
        "Min-99/T=float/17@0",
        "Min-13/T=float/axis-in-range/0@0",
        "nowhere",
    ] {
        session.run(&["replay", id, "--backend", "mock:ok"]);
        assert_eq!(session.last_code(), "2", "{id}");
    }
    insta::assert_snapshot!(session.printed());
}

#[test]
fn unreadable_results_are_errors() {
    const LINE: &str = r#"{"case":"Min-13/T=float/0@0","suite":"generated","domain":"ai.onnx","op":"Min","since":13,"types":{"T":"float"},"backend":"rten 0.27.0","verdict":"pass"}"#;
    let mut session = Session::new();
    for (what, text) in [
        ("an unknown key in line 2", format!("{LINE}\n{{\"colour\":1}}\n{LINE}\n")),
        ("an unknown verdict", LINE.replace("pass", "fine") + "\n"),
        ("a number in place of a name", LINE.replace("\"rten 0.27.0\"", "1") + "\n"),
        ("a last line that is cut off", format!("{LINE}\n{}", &LINE[..30])),
    ] {
        session.note(&format!("results.jsonl with {what}"));
        session.write("results.jsonl", text);
        session.run(&["report", "--results", "results.jsonl", "--out", "report"]);
        assert_eq!(
            session.path("report/index.html").exists(),
            session.last_code() == "0",
            "a report must exist exactly if the command succeeded"
        );
    }
    session.run(&["report", "--results", "results.jsonl", "--meta", "no/such.json"]);
    session.run(&["report", "--results", "nowhere.jsonl"]);
    session.note("run.json with an unknown key");
    session.write("results.jsonl", LINE);
    session.write("run.json", "{\"title\":\"A\",\n\"sede\":\"42\"}");
    session.run(&["report", "--results", "results.jsonl", "--out", "report"]);
    insta::assert_snapshot!(session.printed());
}
