//! `plumbline behaviour`: shows what changes from version to version of an operator.

use std::process::Command;

use anyhow::Context;
use plumbline_conformance::behaviour;
use plumbline_spec::{Found, Operator, Spec};

use crate::exit::Exit;
use crate::output::print;
use crate::places::{in_workspace, program};

const EXAMPLES: &str = "\
Examples:
  plumbline behaviour Min           every version of Min against the next
  plumbline behaviour Min 6 13      two versions
  plumbline behaviour --update      write the snapshots in Plumbline's own repository
  plumbline behaviour --check       compare the snapshots in Plumbline's own repository

Exit codes: 0 success; 1 with --check if a snapshot differs.";

/// Cargo's arguments that run the tests of the snapshots: one test for each operator that has a snapshot. The profile
/// and the features are those of `cargo xtask behaviour`, so that few crates are compiled again.
const TESTS: [&str; 8] = [
    "test",
    "--quiet",
    "--release",
    "--package=plumbline",
    "--package=plumbline-conformance",
    "--no-default-features",
    "--features=plumbline-conformance/images",
    "--test=behaviour",
];

/// Shows what changes from version to version: the specification, and what the oracle computes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The operator
    #[arg(required_unless_present_any = ["update", "check"])]
    operator: Option<String>,
    /// The version to compare from [default: every version is compared with the next]
    #[arg(requires = "to")]
    from: Option<u32>,
    /// The version to compare to
    to: Option<u32>,
    /// Write the snapshot of the operator, or of all operators, instead of printing
    #[arg(long, conflicts_with = "from")]
    update: bool,
    /// Compare the snapshot of the operator, or of all operators, with a newly computed one
    #[arg(long, conflicts_with_all = ["from", "update"])]
    check: bool,
}

/// Runs `plumbline behaviour`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let operator = args.operator.as_deref().map(find).transpose()?;
    if args.update || args.check {
        let name = |operator: &Operator| operator.qualified_name();
        if !behaviour::operators().any(|other| operator.is_none_or(|one| name(one) == name(other))) {
            anyhow::bail!("there is nothing to compare: the operator has only one version, or no kernel, or no recipe");
        }
        return snapshots(operator, args.update);
    }
    let Some(operator) = operator else { return Ok(Exit::Usage) };
    let text = match (args.from, args.to) {
        (Some(from), Some(to)) => {
            let (from, to) = (operator.find_version(from)?, operator.find_version(to)?);
            behaviour::compare(operator, from, to)
        }
        _ => behaviour::snapshot(operator),
    };
    print(&text)?;
    Ok(Exit::Conforms)
}

fn find(name: &str) -> anyhow::Result<&'static Operator> {
    Ok(match Spec::embedded().find(name)? {
        Found::Operator(operator) => operator,
        Found::Version(operator, version) => {
            let (name, since) = (operator.qualified_name(), version.since());
            anyhow::bail!("give the versions as arguments of their own: `{} behaviour {name} {since} ...`", program())
        }
    })
}

/// Runs the tests that compare snapshots, of one operator or of all. With `update` they write snapshots that differ.
///
/// # Errors
/// Fails in the installed command, and if Cargo cannot be started or the tests cannot be built.
fn snapshots(operator: Option<&'static Operator>, update: bool) -> anyhow::Result<Exit> {
    let folder = in_workspace("reports/behaviour")?;
    let cargo = || {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(TESTS).current_dir(&folder).env("INSTA_UPDATE", if update { "always" } else { "auto" });
        command
    };
    let built = cargo().arg("--no-run").status().context("cannot start cargo")?;
    anyhow::ensure!(built.success(), "the tests of snapshots cannot be built");
    let mut tests = cargo();
    tests.args(["--", "--quiet"]);
    if let Some(operator) = operator {
        tests.args(["--exact", &operator.qualified_name()]);
    }
    if tests.status().context("cannot start cargo")?.success() {
        return Ok(Exit::Conforms);
    }
    let operator = operator.map(|operator| format!(" {}", operator.qualified_name())).unwrap_or_default();
    print(&format!(
        "`cargo insta review` shows the differences; `{} behaviour{operator} --update` accepts them.\n",
        program()
    ))?;
    Ok(Exit::DoesNotConform)
}
