//! What the registry knows of each backend.

use std::ffi::OsString;
use std::path::Path;

use crate::worker::Command;
use crate::{Backend, StartError};

use super::{BackendName, Options};

pub(super) type Constructor = Box<dyn Fn(&BackendName, &Options) -> Result<Box<dyn Backend>, StartError> + Send + Sync>;

/// A function that looks for the requirements of a backend in the folder of libraries, or fetches them. Its error is
/// one line.
pub(super) type Ready = Box<dyn Fn(&BackendName, &Path) -> Result<(), String> + Send + Sync>;

/// A function that checks the version and the argument of a name, or the machine for it. Its error is one line.
pub(super) type Check = Box<dyn Fn(&BackendName) -> Result<(), String> + Send + Sync>;

/// A function that returns variables for the environment of a worker. Its error is one line.
pub(super) type Environment = Box<dyn Fn(&BackendName) -> Result<Vec<(OsString, OsString)>, String> + Send + Sync>;

/// A function that returns the names of a backend's variants that are installed in the folder of libraries.
pub(super) type Installed = Box<dyn Fn(&Path) -> Vec<String> + Send + Sync>;

/// A function that returns the passes of the optimizer of a backend with this name, and settings of the name that can be
/// left out like a pass; `None` if there is nothing that can be switched off.
pub(super) type Passes = fn(&BackendName) -> Option<Vec<&'static str>>;

/// A function that returns the command line of a program that speaks the worker protocol.
pub(super) type CommandLine = Box<dyn Fn(&BackendName, &Options) -> Result<Command, StartError> + Send + Sync>;

/// The requirements of a backend on this machine, without which it cannot start.
#[derive(Default)]
pub(super) struct Needs {
    /// Checks the version and the argument of the name; `None` if they are not checked before the start.
    pub(super) check: Option<Check>,
    /// Fetches the requirements that are missing.
    pub(super) fetch: Option<Ready>,
    /// Checks whether the requirements are met; the error says how to get what is missing.
    pub(super) at_hand: Option<Ready>,
    /// Checks that the machine has what cannot be fetched, such as a driver; `None` if nothing is needed.
    pub(super) machine: Option<Check>,
    /// Returns variables that are set in the environment of the worker; `None` if there are none.
    pub(super) environment: Option<Environment>,
    /// Returns the passes of its graph optimizer that can be left out by name; `None` if it has no optimizer that can be
    /// switched off.
    pub(super) passes: Option<Passes>,
    /// Returns the names of the installed variants besides the default version.
    pub(super) variants: Option<Installed>,
    /// Whether a run that names no backend leaves this one out as long as its requirements are missing.
    pub(super) is_optional: bool,
    /// Whether a run that names no backend leaves this one out in any case.
    pub(super) is_only_by_name: bool,
}

/// The place where a backend runs.
pub(super) enum Place {
    /// In this process, because it is safe Rust.
    Here(Constructor),
    /// In a worker process of ours.
    Worker(Constructor),
    /// In a program in another language, which speaks the worker protocol.
    Program(CommandLine),
    /// In a program that rewrites models. The oracle runs what it makes of them.
    Rewriter(CommandLine),
}

pub(super) struct Entry {
    pub(super) base: String,
    pub(super) about: String,
    pub(super) place: Place,
    pub(super) needs: Needs,
}

impl Entry {
    /// Constructs the backend in this process.
    pub(super) fn construct(&self, name: &BackendName, options: &Options) -> Result<Box<dyn Backend>, StartError> {
        match &self.place {
            Place::Here(construct) | Place::Worker(construct) => construct(name, options),
            Place::Program(_) | Place::Rewriter(_) => {
                Err(StartError::cannot_start(name, "it runs in a program of its own"))
            }
        }
    }
}
