//! The command line and the limits of a worker, and the reasons why a backend cannot be started.

use std::ffi::OsString;
use std::time::Duration;

/// The command line of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program to start.
    pub program: OsString,
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
    /// Variables that are set in the program's environment, besides those of the host.
    pub environment: Vec<(OsString, OsString)>,
}

impl Command {
    /// Returns the command line that starts `program` with these arguments.
    pub fn new(program: impl Into<OsString>, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Command {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Command { program: program.into(), arguments, environment: vec![] }
    }
}

impl std::fmt::Display for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|a| write!(f, " {}", a.display()))
    }
}

/// The limits of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest time from the start of the process to its greeting.
    pub start_deadline: Duration,
    /// How often a worker may be started again after its process has ended. Cases that would need another start are not
    /// run. `None` is no limit.
    pub restarts: Option<u64>,
    /// The resident memory that the worker and its descendants may use together, in bytes. The host measures it while
    /// it waits for the greeting or an answer, and kills a worker that uses more. `None` is no limit. Enforced on Linux
    /// only.
    pub memory_bytes: Option<u64>,
    /// The address space that each process of the worker may reserve, in bytes. An allocation beyond it fails inside
    /// the worker. Enforced on Linux only. `None` is no limit. Programs that are not part of Plumbline have no limit,
    /// because V8, the JVM and CUDA reserve far more address space than they use.
    pub address_space_bytes: Option<u64>,
    /// The largest payload of one frame, in bytes, in both directions.
    pub frame_bytes: u64,
    /// The number of requests that may be written ahead of the answers.
    pub ahead_requests: usize,
    /// Once the unanswered requests have this many bytes in total, no further request is written ahead.
    pub ahead_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start_deadline: Duration::from_secs(60),
            restarts: None,
            memory_bytes: Some(4 << 30),
            address_space_bytes: Some(4 << 30),
            frame_bytes: 256 << 20,
            ahead_requests: 32,
            ahead_bytes: 4 << 20,
        }
    }
}

/// Why a backend could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// No backend has this name. The caller made a mistake.
    #[error("no backend is called `{name}`; the backends are {known}")]
    Unknown {
        /// The name that the caller asked for.
        name: String,
        /// The names of all backends.
        known: String,
    },
    /// The name starts with that of a backend, but the rest is wrong. The caller made a mistake.
    #[error("`{name}` is not the name of a backend: {reason}")]
    Misnamed {
        /// The name that the caller asked for.
        name: String,
        /// The reason why the name is wrong, in one line.
        reason: String,
    },
    /// The backend is known but cannot start.
    #[error("{backend} cannot start: {reason}")]
    CannotStart {
        /// The backend's name, or the command line of its worker.
        backend: String,
        /// The reason and, if known, what to do about it. May hold several lines of the worker's stderr.
        reason: String,
        /// What the worker did wrong.
        fault: StartFault,
    },
}

/// What a worker that did not start did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartFault {
    /// It wrote something other than a frame.
    NoFrame,
    /// Its greeting has a key that the protocol does not have.
    UnknownKey,
    /// It speaks another version of the protocol.
    Version,
    /// Its greeting cannot be read for another reason.
    Greeting,
    /// It ended without a greeting.
    Ended,
    /// It sent no greeting in time.
    Silent,
    /// It says itself why it cannot start, or the command cannot be run.
    Other,
}

impl StartError {
    /// Returns the error that this backend cannot start for this reason.
    pub fn cannot_start(backend: impl std::fmt::Display, reason: impl std::fmt::Display) -> StartError {
        StartError::CannotStart { backend: backend.to_string(), reason: reason.to_string(), fault: StartFault::Other }
    }

    /// Returns the error that this backend cannot start, for the reason of this error.
    pub fn of_backend(self, backend: impl std::fmt::Display) -> StartError {
        match self {
            StartError::CannotStart { reason, fault, .. } => {
                StartError::CannotStart { backend: backend.to_string(), reason, fault }
            }
            other => StartError::cannot_start(backend, other.reason()),
        }
    }

    /// Returns the reason alone, without the backend's name. For an unknown name, returns the whole message.
    pub fn reason(&self) -> String {
        match self {
            StartError::Unknown { .. } => self.to_string(),
            StartError::Misnamed { reason, .. } | StartError::CannotStart { reason, .. } => reason.clone(),
        }
    }
}
