//! The programs that run adapters, and those that install what adapters need.

use std::ffi::OsString;
use std::process::{Command, Output, Stdio};

/// The program that runs an adapter, with the arguments of the program and those of the adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// The path of the program, or its name in `PATH`.
    pub program: OsString,
    /// The arguments before the path of the adapter.
    pub arguments: Vec<OsString>,
    /// The arguments after the path of the adapter. They tell the adapter where its packages are.
    pub adapter_arguments: Vec<OsString>,
}

/// Runs a command and returns its stdout. The error is one line: the first that begins with `ERROR`, or else the last
/// that the command wrote.
pub(super) fn ran(command: &mut Command, what: &str) -> Result<String, String> {
    let output: Output = command.stdin(Stdio::null()).output().map_err(|error| format!("{what}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line =
        lines().find(|line| line.starts_with("ERROR")).or(lines().next_back()).unwrap_or("it failed without a message");
    Err(format!("{what}: {line}"))
}
