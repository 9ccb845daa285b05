//! Tests `plumbline site`: output, exit codes and messages.

use crate::Session;

#[test]
fn a_site_is_made_of_runs_and_grows() {
    let mut session = Session::new();
    session.floor("right", &["mock:ok"], &[]);
    session.floor("wrong", &["mock:lie", "cpu"], &[]);
    session.run(&["site", "right", "wrong", "--out", "site", "--title", "Two runs"]);
    session.run(&["site", "right", "--out", "other"]);
    session.run(&["site", "other", "wrong", "--out", "other", "--title", "Two runs"]);
    session.show("site/badges/mock~3alie.json");
    for name in ["index.html", "data/cpu.jsonl.gz", "backends/mock~3aok.html", "cells/Floor-13/T=float.json"] {
        let read = |site: &str| std::fs::read(session.path(site).join(name)).unwrap();
        assert_eq!(read("site"), read("other"), "{name}");
    }
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_site_that_cannot_be_made_is_an_error() {
    let mut session = Session::new();
    session.floor("right", &["mock:ok"], &[]);
    session.write("right/run.json", {
        let text = std::fs::read_to_string(session.path("right/run.json")).unwrap();
        text.replacen('{', "{\"unfinished\": true,", 1)
    });
    std::fs::create_dir(session.path("mine")).unwrap();
    session.write("mine/letter.txt", "Dear");
    for wrong in [
        &["right", "--out", "site"][..],
        &["nowhere", "--out", "site"],
        &["mine", "--out", "site"],
        &["right", "--out", "mine"],
        &["right"],
        &["--out", "site"],
    ] {
        session.run(&[&["site"], wrong].concat());
        let last = session.printed.trim_end().rsplit_once("exit code ").unwrap().1;
        assert_eq!(last, "2", "{wrong:?}");
        assert!(!session.path("site").exists(), "{wrong:?}");
    }
    insta::assert_snapshot!(session.printed());
}
