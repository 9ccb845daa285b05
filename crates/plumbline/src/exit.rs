//! The exit code of the process and its last message.

use std::fmt;
use std::process::ExitCode;

/// The documented exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: what was checked conforms.
    Conforms,
    /// 1: what was checked does not conform.
    DoesNotConform,
    /// 2: wrong usage or data (also what clap exits with).
    Usage,
    /// 3: a backend could not start.
    BackendStart,
    /// 4: fewer judged cases than the floor, work without a result, or nothing to run.
    TooFewCases,
}

impl Exit {
    /// Returns the exit code of an error: that of a [`Failure`] in its chain, or else 2.
    pub fn of_error(error: &anyhow::Error) -> Exit {
        match error.downcast_ref::<Failure>() {
            Some(failure) => failure.exit,
            None => Exit::Usage,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Conforms => 0,
            Exit::DoesNotConform => 1,
            Exit::Usage => 2,
            Exit::BackendStart => 3,
            Exit::TooFewCases => 4,
        })
    }
}

/// Names the exit code of an error: `return Err(error.context(Failure::new(exit, "...")))`, or
/// `Err(Failure::new(exit, "...").into())`.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    /// Creates a failure with this message, which ends the process with `exit`.
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Prints `error: ...` and the causes below it to stderr.
pub fn print_error(error: &anyhow::Error) {
    eprintln!("error: {error}");
    let mut said = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Some errors already contain the message of their cause.
        if !said.ends_with(&cause) {
            eprintln!("  caused by: {cause}");
        }
        said = cause;
    }
}
