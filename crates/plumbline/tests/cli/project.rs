//! A project with a backend of its own: `plumbline init`, and runs that read its `plumbline.toml`.

use crate::Session;

const MINE: &str = "operators = [\"Floor-13\"]\nelement_types = [\"float\"]\nsuites = [\"generated\"]\ncases = 3\nout = \"results\"\n\n[[backend]]\nname = \"mine\"\n";

#[test]
fn init_writes_a_file_that_a_run_reads() {
    let mut session = Session::new();
    session.run(&["init", "--runtime", "mock:ok"]);
    session.show("plumbline.toml");
    session.run(&["init", "--runtime", "mock:ok"]);
    session.run(&["init", "--command", "no-such-program-anywhere", "--force"]);
    let small = ["conformance", "--op", "Floor-13", "--dtype", "float", "--suite", "generated", "--cases", "3"];
    session.run(&[&small[..], &["--floor", "10"]].concat());
    insta::assert_snapshot!(session.printed());
}

#[test]
fn init_measures_what_a_backend_does_not_declare() {
    let mut session = Session::new();
    session.run(&["init", "--runtime", "mock:bfloat16"]);
    let written = std::fs::read_to_string(session.path("plumbline.toml")).unwrap();
    assert!(written.contains("\nproducts = \"bfloat16\"\n") && written.contains("# Measured by"), "{written}");
    let products = ["conformance", "--op", "MatMul-13", "--dtype", "float", "--suite", "generated", "--cases", "20"];
    session.run(&products);
    session.run(&["init", "--runtime", "mock:bfloat16", "--force", "--no-profile"]);
    let written = std::fs::read_to_string(session.path("plumbline.toml")).unwrap();
    assert!(!written.contains("products ="), "{written}");
    session.run(&[&products[..], &["--minimize", "off"]].concat());
    insta::assert_snapshot!(session.printed());
}

#[test]
fn options_win_over_the_file() {
    let mut session = Session::new();
    session.write("plumbline.toml", format!("{MINE}runtime = \"mock:lie\"\n"));
    session.run(&["conformance"]);
    session.run(&["conformance", "--backend", "mine", "--cases", "1", "--minimize", "off"]);
    session.run(&["conformance", "--backend", "mock:ok", "--seed", "3"]);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn wrong_files_are_errors() {
    let mut session = Session::new();
    for (text, note) in [
        ("profile = \"smoke\"\nsead = 1\n", "an unknown key"),
        ("profile = \"huge\"\n", "an unknown profile"),
        ("time = \"soon\"\n", "an invalid time"),
        ("operators = [\"Flor\"]\n", "an unknown operator"),
        (
            "[[backend]]\nname = \"a\"\ncommand = \"x\"\n\n[[backend]]\nname = \"a\"\nruntime = \"cpu\"\n",
            "two backends of the same name",
        ),
        ("[[backend]]\nname = \"a\"\ncommand = \"x\"\nruntime = \"cpu\"\n", "both a command and a runtime"),
    ] {
        session.note(note);
        session.write("plumbline.toml", text);
        session.run(&["conformance"]);
    }
    insta::assert_snapshot!(session.printed());
}

#[test]
fn expectations_are_drafted_and_brought_up_to_date() {
    let mut session = Session::new();
    session.write("plumbline.toml", format!("gate = true\n{MINE}runtime = \"mock:lie\"\n"));
    session.run(&["conformance"]);
    let file = ["known.toml", "--results", "results/results.jsonl"];
    session.run(&[&["expectations", "init"], &file[..], &["--cases", "3"]].concat());
    session.show("known.toml");
    session.run(&[&["expectations", "init"], &file[..]].concat());
    session.note("without reasons");
    session.run(&["conformance", "--expectations", "known.toml"]);
    let text = std::fs::read_to_string(session.path("known.toml")).unwrap();
    session.note("with reasons");
    session.write("known.toml", text.replace("reason = \"TODO\"", "reason = \"it lies\""));
    session.run(&["conformance", "--expectations", "known.toml"]);
    session.note("fixed");
    session.run(&["conformance", "--backend", "mock:ok"]);
    session.run(&[&["expectations", "update"], &file[..]].concat());
    session.run(&[&["expectations", "update"], &file[..], &["--backend", "mock:ok"]].concat());
    session.show("known.toml");
    insta::assert_snapshot!(session.printed());
}
