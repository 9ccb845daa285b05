//! `cargo xtask ...`: thin. Arguments are read here, the work is done by the crates.
//!
//! Exit codes: 0 conforms; 1 does not; 2 wrong usage or data; 3 a backend could not start;
//! 4 fewer cases than the floor. A subcommand returns an [`Exit`] for what it found out, and an
//! error for what kept it from finding out; an error exits with 2 unless a [`Failure`] in its
//! chain says otherwise.

#[macro_use]
mod output;

mod backends;
mod behaviour;
mod colour;
mod conformance;
mod directml;
mod exit;
mod generate;
mod mutants;
mod paths;
mod progress;
mod python;
mod replay;
mod report;
mod spec;
mod suite;
mod test;
mod tightness;
mod worker;

use clap::{Parser, Subcommand};
use exit::Exit;
use std::process::ExitCode;

/// Tensors come and go; this allocator keeps their pages.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EXAMPLES: &str = "\
Examples:
  cargo xtask conformance              every operator on every backend at hand
  cargo xtask replay ID --backend rten one case again, both answers shown
  cargo xtask spec show Min            every version of Min, its types and rules
  cargo xtask spec diff Min 6 8        what changed between two versions
  cargo xtask suite fetch onnx:1.23.2  the cases ONNX published with that release
  cargo xtask test                     all tests, with what they need fetched first

Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage or data
  3  a backend could not start
  4  fewer cases than the floor";

/// Tells whether an operator backend hangs true to its specification.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one value a process")]
enum Command {
    /// Lists the backends, which of them are at hand, and how to get the others.
    Backends(backends::Args),
    /// Writes the code that is generated and committed: lists of kernels and recipes, structs of DirectML.
    Generate(generate::Args),
    /// Lists, shows, compares, imports and checks the specifications.
    Spec(spec::Args),
    /// Checks what DirectML would refuse, on any machine; opens its device, on Windows.
    Directml(directml::Args),
    /// Fetches and lists the cases ONNX publishes with its releases.
    Suite(suite::Args),
    /// Is the worker process of a backend.
    #[command(hide = true)]
    Worker(worker::Args),
    /// Generates cases, runs them on backends, judges the answers: the main job.
    Conformance(conformance::Args),
    /// Prints how wide the oracle's intervals are over a published suite.
    Tightness(tightness::Args),
    /// Runs one case again and shows both answers.
    Replay(replay::Args),
    /// Tells what changes from version to version of an operator.
    Behaviour(behaviour::Args),
    /// Runs backends that are wrong on purpose: what do cases and judge not notice?
    Mutants(mutants::Args),
    /// Makes the compatibility report (HTML, JUnit, Markdown, JSON) out of results.
    Report(report::Args),
    /// Runs every test of the project, and fetches what they need first.
    Test(test::Args),
}

/// Whether the data this program was built with is valid: somebody may have edited it since the tests passed.
fn check_data() -> anyhow::Result<()> {
    plumbline_spec::Spec::try_embedded()?;
    plumbline_spec::directml::DirectMl::try_embedded()?;
    plumbline_oracle::check_functions().map_err(anyhow::Error::msg)?;
    plumbline_generator::check_values().map_err(anyhow::Error::msg)
}

fn run(command: Command) -> anyhow::Result<Exit> {
    check_data()?;
    match command {
        Command::Backends(args) => backends::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Spec(args) => spec::run(args),
        Command::Directml(args) => directml::run(args),
        Command::Suite(args) => suite::run(args),
        Command::Worker(args) => worker::run(args),
        Command::Conformance(args) => conformance::run(args),
        Command::Tightness(args) => tightness::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Behaviour(args) => behaviour::run(args),
        Command::Mutants(args) => mutants::run(args),
        Command::Report(args) => report::run(args),
        Command::Test(args) => test::run(args),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            exit::print_error(&error);
            Exit::of_error(&error).into()
        }
    }
}
