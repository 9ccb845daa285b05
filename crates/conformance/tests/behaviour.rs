//! Checks which snapshots `reports/behaviour/` has. They describe what changes from version to version of each
//! operator. `cargo xtask behaviour --check` compares their contents with the current comparison.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use plumbline_conformance::behaviour;

const ACCEPT: &str = "`cargo xtask behaviour --update` writes the snapshots.";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/behaviour")
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
            if file.extension().is_some_and(|e| e == "snap") {
                there.insert(file.strip_prefix(root()).unwrap().to_owned());
            }
        }
    }
    assert_eq!(there, wanted, "{ACCEPT}");
}
