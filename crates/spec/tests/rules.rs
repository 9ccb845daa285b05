//! Tests that each accuracy step of the rules is a function of `specs/functions.toml` or one of four other steps.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use plumbline_spec::Spec;
use std::path::Path;

#[test]
fn every_accuracy_step_is_known() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/functions.toml");
    let tables: toml::Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let functions = tables["opencl-full"]["functions"].as_table().unwrap();
    let mut unknown = Vec::new();
    for operator in Spec::embedded().operators() {
        let accuracy = operator.rules.iter().flat_map(|rules| &rules.accuracy);
        let steps = accuracy.map(|accuracy| accuracy.step.as_str());
        // The step `distribution` is for random outputs, which are judged by their distribution.
        let known =
            |step: &str| ["exact", "sum", "round", "distribution"].contains(&step) || functions.contains_key(step);
        let steps = steps.filter(|step| !known(step));
        unknown.extend(steps.map(|step| format!("{}: {step}", operator.qualified_name())));
    }
    assert!(
        unknown.is_empty(),
        "these accuracy steps are neither exact, sum, round, distribution nor in specs/functions.toml: {unknown:#?}"
    );
}
