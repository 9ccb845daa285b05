//! `cargo xtask ...`: compiles the package `xtask` and runs it, in the profile that the command needs.
//!
//! `cargo xtask test` needs the dev profile, in which the tests run; all other commands need the release profile. An
//! alias of Cargo has one profile for all commands, so it starts this program, which has no dependencies and is
//! compiled within a second ([decision](../../../docs/decisions/tests-in-the-dev-profile.md)).

use std::process::{Command, ExitCode};

use xtask_launcher::LINTED;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet"]);
    if arguments.first().is_some_and(|command| command == "test") {
        // Without `--package`, crates have the features that they have in the tests of the workspace.
        cargo.args(["--bin", "xtask"]).envs(LINTED);
    } else {
        cargo.args(["--release", "--package", "xtask"]);
    }
    cargo.arg("--").args(arguments);
    run(cargo)
}

/// Replaces this process by a command, which then gets the signals to this process and decides its exit code.
#[cfg(unix)]
fn run(mut command: Command) -> ExitCode {
    failed(&std::os::unix::process::CommandExt::exec(&mut command))
}

/// Runs a command and ends with its exit code.
#[cfg(not(unix))]
fn run(mut command: Command) -> ExitCode {
    match command.status() {
        // A process that was killed has no exit code; codes beyond a byte do not come from `xtask`.
        Ok(status) => status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => failed(&error),
    }
}

fn failed(error: &std::io::Error) -> ExitCode {
    eprintln!("error: cannot start cargo: {error}");
    ExitCode::FAILURE
}
