//! `reports/behaviour/`: what changes from version to version of each operator, held against what is found now.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use plumbline_conformance::behaviour;
use plumbline_spec::Operator;
use rayon::prelude::*;

const ACCEPT: &str = "Read the differences above. To accept them: `cargo xtask behaviour --update`, \
or `INSTA_UPDATE=always cargo test -p plumbline-conformance --test behaviour`.";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/behaviour")
}

#[test]
fn snapshots_hold() {
    let operators: Vec<&Operator> = behaviour::operators().collect();
    let texts: Vec<String> = operators.par_iter().map(|operator| behaviour::snapshot(operator)).collect();
    let mut different = Vec::new();
    for (operator, text) in operators.iter().zip(texts) {
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(root().join(&operator.domain));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        // One that differs is not to hide the others.
        let held = catch_unwind(AssertUnwindSafe(|| {
            settings.bind(|| insta::assert_snapshot!(operator.name.as_str(), text));
        }));
        if held.is_err() {
            different.push(operator.qualified_name());
        }
    }
    assert!(different.is_empty(), "the behaviour of {} is another one than before. {ACCEPT}", different.join(", "));
}

#[test]
fn there_is_a_snapshot_for_each_operator_and_no_other() {
    let wanted: BTreeSet<PathBuf> =
        behaviour::operators().map(|o| behaviour::snapshot_path(Path::new(""), o)).collect();
    let mut there = BTreeSet::new();
    for domain in std::fs::read_dir(root()).unwrap() {
        let domain = domain.unwrap().path();
        for file in std::fs::read_dir(&domain).unwrap() {
            let file = file.unwrap().path();
            // What insta leaves beside a snapshot that differs.
            if file.extension().is_some_and(|e| e == "snap") {
                there.insert(file.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    assert_eq!(there, wanted, "{ACCEPT}");
}
