//! `plumbline spec ...`: lists, shows, compares, imports and checks the specifications.

mod check_page;
mod diff;
mod directml;
mod import;
mod list;
mod rule_text;
mod show;

use crate::exit::Exit;
use clap::{Subcommand, ValueEnum};
use plumbline_spec::{Found, Spec};

const EXAMPLES: &str = "\
Examples:
  plumbline spec list                    every operator and its versions
  plumbline spec show Min                versions, types and rules of an operator
  plumbline spec diff Min 6 8            what changed from one version to another
  plumbline spec show DML_OPERATOR_CAST  an operator of DirectML, with its support by feature level
  plumbline spec import onnx             write specs/onnx from the onnx package
  plumbline spec import onnx --check     fail if specs/onnx differs from the package
  plumbline spec check-page FILE         compare a page of ONNX's documentation or of Microsoft Learn";

/// Arguments of `plumbline spec`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists every operator and its versions.
    List(list::Args),
    /// Shows an operator: its versions, their types, the rules.
    Show(show::Args),
    /// Shows what changed from one version of an operator to another.
    Diff(diff::Args),
    /// Compares operator pages of ONNX's documentation, or of Microsoft Learn, with the specifications.
    CheckPage(check_page::Args),
    /// Writes the facts of every operator of ONNX from the onnx package, or those of DirectML from its tables.
    Import(import::Args),
}

/// The forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people.
    Text,
    /// JSON for programs.
    Json,
}

/// Runs `plumbline spec`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    match args.command {
        Command::List(args) => list::run(args),
        Command::Show(args) => show::run(args),
        Command::Diff(args) => diff::run(args),
        Command::CheckPage(args) => check_page::run(args),
        Command::Import(args) => import::run(args),
    }
}

/// Returns the operator or version that the user named.
fn find(text: &str) -> anyhow::Result<Found<'static>> {
    Ok(Spec::embedded().find(text)?)
}
