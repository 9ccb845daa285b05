//! `plumbline behaviour`: shows what changes from version to version of an operator.

use std::path::Path;

use anyhow::Context;
use plumbline_conformance::behaviour;
use plumbline_spec::{Found, Operator, Spec};
use rayon::prelude::*;

use crate::exit::Exit;
use crate::output::print;
use crate::places::{in_workspace, program};

const EXAMPLES: &str = "\
Examples:
  plumbline behaviour Min           every version of Min against the next
  plumbline behaviour Min 6 13      two versions
  plumbline behaviour --update      write reports/behaviour; review what `git diff` shows
  plumbline behaviour --check       compare reports/behaviour with what is found now

Exit codes: 0 success; 1 with --check if a snapshot differs.";

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
    /// Compare the snapshot of the operator, or of all operators, with what is found now
    #[arg(long, conflicts_with_all = ["from", "update"])]
    check: bool,
}

/// Runs `plumbline behaviour`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let operator = args.operator.as_deref().map(find).transpose()?;
    if args.update || args.check {
        let operators: Vec<&'static Operator> =
            behaviour::operators().filter(|o| operator.is_none_or(|p| p.name == o.name)).collect();
        if operators.is_empty() {
            anyhow::bail!("there is nothing to compare: the operator has one version, no kernel or no recipe");
        }
        let root = in_workspace("reports/behaviour")?;
        return if args.update { update(&root, &operators) } else { check(&root, &operators) };
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

/// Writes the snapshots that have changed.
fn update(root: &Path, operators: &[&'static Operator]) -> anyhow::Result<Exit> {
    let one = |operator: &&'static Operator| {
        let path = behaviour::snapshot_path(root, operator);
        let text = behaviour::snapshot_file(&behaviour::snapshot(operator));
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(None);
        }
        let folder = path.parent().unwrap_or(root);
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        Ok(Some(operator.name.as_str()))
    };
    let written = operators.par_iter().map(one).collect::<anyhow::Result<Vec<_>>>()?;
    let changed: Vec<&str> = written.into_iter().flatten().collect();
    print(&format!(
        "wrote {} snapshots, of which {} changed: {}\n",
        operators.len(),
        changed.len(),
        changed.join(", ")
    ))?;
    Ok(Exit::Conforms)
}

/// Shows how the snapshots differ from what is found now.
fn check(root: &Path, operators: &[&'static Operator]) -> anyhow::Result<Exit> {
    let one = |operator: &&'static Operator| {
        let path = behaviour::snapshot_path(root, operator);
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        difference(&path, &known, &behaviour::snapshot_file(&behaviour::snapshot(operator)))
    };
    let found: Vec<String> = operators.par_iter().filter_map(one).collect();
    if found.is_empty() {
        print(&format!("{} snapshots are up to date\n", operators.len()))?;
        return Ok(Exit::Conforms);
    }
    let accept = format!("`{} behaviour --update` accepts the differences.", program());
    print(&format!("{}{} of {} snapshots differ. {accept}\n", found.concat(), found.len(), operators.len()))?;
    Ok(Exit::DoesNotConform)
}

/// Returns the lines in which a snapshot differs; `None` if it is the same.
fn difference(path: &Path, known: &str, found: &str) -> Option<String> {
    let name = path.display().to_string();
    let lines = similar::TextDiff::from_lines(known, found);
    (known != found).then(|| lines.unified_diff().header(&name, "found now").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_differing_line_is_shown() {
        let of = |found: &str| difference(Path::new("Min.snap"), "one\ntwo\n", found);
        assert_eq!(of("one\ntwo\n"), None);
        let shown = of("one\n2\n").unwrap();
        assert!(shown.contains("Min.snap") && shown.contains("-two\n+2\n"), "{shown}");
        assert!(difference(Path::new("Min.snap"), "", "one\n").is_some(), "a missing snapshot differs");
    }
}
