//! For each operator, one test compares what changes from version to version with the operator's snapshot in
//! `reports/behaviour/`. `cargo xtask behaviour --check` runs only these tests, and `--update` writes what they find
//! into the snapshots.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use plumbline_conformance::behaviour;
use plumbline_spec::Operator;

fn main() -> ExitCode {
    let trial = |operator: &'static Operator| {
        Trial::test(operator.qualified_name(), move || {
            compare(operator);
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), behaviour::operators().map(trial).collect()).exit_code()
}

/// Compares an operator with its snapshot, and panics if it differs.
fn compare(operator: &'static Operator) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/behaviour");
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(root.join(&operator.domain));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(operator.name.as_str(), behaviour::snapshot(operator)));
}
