//! `cargo xtask behaviour`: what changes from version to version of an operator.

use anyhow::Context;
use plumbline_conformance::behaviour;
use plumbline_spec::{Found, Operator, Spec};
use rayon::prelude::*;

use crate::exit::Exit;
use crate::output::print;
use crate::paths;

const EXAMPLES: &str = "\
Examples:
  cargo xtask behaviour Min           every version of Min against the next
  cargo xtask behaviour Min 6 13      two versions
  cargo xtask behaviour --update      write reports/behaviour; review what `git diff` shows";

/// Tells what changes from version to version: the specification, and what the oracle computes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The operator
    #[arg(required_unless_present = "update")]
    operator: Option<String>,
    /// The version to compare from; left out, every version is compared with the next
    #[arg(requires = "to")]
    from: Option<u32>,
    /// The version to compare to
    to: Option<u32>,
    /// Write the snapshot of the operator, or of all operators, instead of printing
    #[arg(long, conflicts_with = "from")]
    update: bool,
}

/// Runs `cargo xtask behaviour`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let operator = args.operator.as_deref().map(find).transpose()?;
    if args.update {
        let operators: Vec<&'static Operator> =
            behaviour::operators().filter(|o| operator.is_none_or(|p| p.name == o.name)).collect();
        if operators.is_empty() {
            anyhow::bail!("there is nothing to compare: one version, no kernel or no recipe");
        }
        let root = paths::workspace().join("reports/behaviour");
        let written =
            operators.par_iter().map(|operator| update(&root, operator)).collect::<anyhow::Result<Vec<_>>>()?;
        let changed: Vec<&str> = written.into_iter().flatten().collect();
        print(&format!("{} snapshots, {} changed: {}\n", operators.len(), changed.len(), changed.join(", ")))?;
        return Ok(Exit::Conforms);
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
            anyhow::bail!("versions are named apart from the operator: `cargo xtask behaviour {name} {since} ...`")
        }
    })
}

/// Writes a snapshot where it differs from what is there; the operator's name if it did.
fn update(root: &std::path::Path, operator: &'static Operator) -> anyhow::Result<Option<&'static str>> {
    let path = behaviour::snapshot_path(root, operator);
    let text = behaviour::snapshot_file(&behaviour::snapshot(operator));
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(None);
    }
    let folder = path.parent().unwrap_or(root);
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    Ok(Some(&operator.name))
}
