//! The command `plumbline` and its subcommands.
//!
//! [`Command`] reads arguments, calls the other crates and prints; `cargo xtask` has the same commands, and more for
//! developers of Plumbline itself. A subcommand returns an [`Exit`] with its result, or an error if it could not do its
//! work; an error exits with 2 unless a [`Failure`](exit::Failure) in its chain says otherwise.

#[macro_use]
mod output;

mod arithmetic;
mod backends;
mod behaviour;
pub mod colour;
mod compare;
mod config;
mod conformance;
mod directml;
mod doctor;
mod estimate;
pub mod exit;
mod expectations;
mod export;
mod init;
mod judge;
mod model_file;
pub mod places;
mod profile;
pub mod progress;
pub mod python;
mod replay;
mod report;
mod site;
mod spec;
pub mod suite;
mod support;
mod tightness;
mod worker;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Subcommand};
use exit::Exit;
use places::program;

pub use output::print;

/// The commands of `plumbline`.
#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "a process has only one value of this type")]
pub enum Command {
    /// Lists the backends, which of them are available, and how to get the others.
    Backends(backends::Args),
    /// Lists, shows, compares, imports and checks the specifications.
    Spec(spec::Args),
    /// Checks on any machine what DirectML would reject; on Windows, also opens its device.
    Directml(directml::Args),
    /// Fetches and lists the cases ONNX publishes with its releases.
    Suite(suite::Args),
    /// Runs as a backend's worker process.
    #[command(hide = true)]
    Worker(worker::Args),
    /// Writes a plumbline.toml for a backend of your own.
    Init(init::Args),
    /// Checks the adapter of a backend before its first run: tensors, names, refusals, restarts, memory.
    Doctor(doctor::Args),
    /// Finds out in which arithmetic a backend computes, and writes the profile by which it is judged.
    Profile(profile::Args),
    /// Writes a file of known failures from the results of a run, or brings one up to date.
    Expectations(expectations::Args),
    /// Generates cases, runs them on backends and judges the answers: the main command.
    Conformance(conformance::Args),
    /// Says what was fixed, what regressed and what changed between two runs or two backends.
    Compare(compare::Args),
    /// Joins the results of the shards of a run, writes one report, and applies the gate to the whole.
    Merge(conformance::merge::Args),
    /// Prints how wide the oracle's intervals are over a published suite.
    Tightness(tightness::Args),
    /// Runs one case again and shows the answers of the oracle and of the backend.
    Replay(replay::Args),
    /// Says whether the answer to a model is accepted, and which node is the first that is wrong.
    Judge(judge::Args),
    /// Shows what changes from version to version of an operator.
    Behaviour(behaviour::Args),
    /// Writes cases and everything that is accepted as their answers into a folder, for other test runners.
    Export(export::Args),
    /// Writes the compatibility report (HTML, JUnit, Markdown, JSON) of results.
    Report(report::Args),
    /// Makes a static site of many runs: versions, trends, what changed from version to version, badges.
    Site(site::Args),
    /// Makes tables of what backends support, by operator version and type, and whether they are right.
    Support(support::Args),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// Fails if the command could not do its work.
    pub fn run(self) -> anyhow::Result<Exit> {
        match self {
            Command::Backends(args) => backends::run(args),
            Command::Spec(args) => spec::run(args),
            Command::Directml(args) => directml::run(args),
            Command::Suite(args) => suite::run(args),
            Command::Worker(args) => worker::run(args),
            Command::Init(args) => init::run(args),
            Command::Doctor(args) => doctor::run(args),
            Command::Profile(args) => profile::run(args),
            Command::Expectations(args) => expectations::run(args),
            Command::Conformance(args) => conformance::run(args),
            Command::Compare(args) => compare::run(args),
            Command::Merge(args) => conformance::merge::run(args),
            Command::Tightness(args) => tightness::run(args),
            Command::Replay(args) => replay::run(args),
            Command::Judge(args) => judge::run(args),
            Command::Behaviour(args) => behaviour::run(args),
            Command::Export(args) => export::run(args),
            Command::Report(args) => report::run(args),
            Command::Site(args) => site::run(args),
            Command::Support(args) => support::run(args),
        }
    }
}

/// Checks the data that this program embeds, because somebody may have edited it since the tests passed.
///
/// # Errors
/// Fails if a file is invalid. The error names the file.
pub fn check_data() -> anyhow::Result<()> {
    plumbline_spec::Spec::try_embedded()?;
    plumbline_spec::directml::DirectMl::try_embedded()?;
    plumbline_oracle::check_functions().map_err(anyhow::Error::msg)?;
    plumbline_generator::check_values().map_err(anyhow::Error::msg)
}

/// Reads the arguments of this process. Help texts and usage name the command as it is typed
/// ([`places::Places::program`]).
pub fn parse<T: CommandFactory + FromArgMatches>() -> T {
    let command = as_typed(T::command()).name(program()).bin_name(program());
    let matches: ArgMatches = command.get_matches();
    T::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Returns the command with examples that name it as it is typed.
fn as_typed(command: clap::Command) -> clap::Command {
    let command = if command.get_name() == "compare" { compare::with_own_help(command) } else { command };
    let examples =
        command.get_after_help().map(|text| text.to_string().replace("  plumbline ", &format!("  {} ", program())));
    let command = match examples {
        Some(examples) => command.after_help(examples),
        None => command,
    };
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, as_typed))
}
