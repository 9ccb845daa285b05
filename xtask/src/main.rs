//! `cargo xtask ...`: the commands of `plumbline` ([`plumbline::Command`]), and the commands that only developers of
//! Plumbline need. The commands of `plumbline` keep results and fetched files below `target/` when xtask runs them.

mod generate;
mod mutants;
mod test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use plumbline::exit::{self, Exit};
use plumbline::places::Places;

/// Tensors are allocated and freed all the time; this allocator reuses their pages.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EXAMPLES: &str = "\
Examples:
  cargo xtask conformance              every operator on every available backend
  cargo xtask replay ID --backend rten run one case again and show the answers of the oracle and of the backend
  cargo xtask spec show Min            every version of Min, its types and rules
  cargo xtask spec diff Min 6 8        what changed between two versions
  cargo xtask suite fetch onnx:1.23.2  the cases that ONNX published with this release
  cargo xtask test                     run all tests, after fetching what they need

Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage or data
  3  a backend could not start
  4  fewer judged cases than the floor, work without a result, or nothing to run";

/// Tests whether a backend of ONNX operators conforms to the specification.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "a process has only one value of this type")]
enum Command {
    #[command(flatten)]
    Product(plumbline::Command),
    /// Writes the generated files that are committed: lists of kernels, recipes, rules and data, graph of crates,
    /// structs of DirectML.
    Generate(generate::Args),
    /// Runs backends that are wrong on purpose, and lists those that the judge does not notice.
    Mutants(mutants::Args),
    /// Runs every test of the project, after fetching what the tests need.
    Test(test::Args),
}

/// Returns the root of the workspace, which is the folder above this package.
fn workspace() -> PathBuf {
    // Cargo sets the variable to the folder where the package is now. Without Cargo, the result is the folder where the
    // package was when this binary was built.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.filter(|path| path.join("src/main.rs").is_file() && path.ends_with("xtask"));
    let package = package.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    package.parent().map_or_else(|| package.clone(), Path::to_owned)
}

fn run(command: Command) -> anyhow::Result<Exit> {
    // `generate` may be needed to repair the data that this program embeds.
    if !matches!(command, Command::Generate(_)) {
        plumbline::check_data()?;
    }
    match command {
        Command::Product(command) => command.run(),
        Command::Generate(args) => generate::run(args),
        Command::Mutants(args) => mutants::run(args),
        Command::Test(args) => test::run(args),
    }
}

fn main() -> ExitCode {
    Places::of_workspace(&workspace()).set();
    let arguments: Arguments = plumbline::parse();
    match run(arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            exit::print_error(&error);
            Exit::of_error(&error).into()
        }
    }
}
