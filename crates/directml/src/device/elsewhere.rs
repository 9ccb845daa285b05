//! The stand-in for the device on systems without DirectML.

use std::convert::Infallible;

use super::{DeviceError, Dispatch, Facts, Settings};

/// A machine that cannot exist, because it cannot be opened.
pub struct Machine(Infallible);

/// Returns [`DeviceError::NotWindows`].
pub fn adapters() -> Result<Vec<String>, DeviceError> {
    Err(DeviceError::NotWindows)
}

impl Machine {
    /// Returns [`DeviceError::NotWindows`].
    pub fn start(_settings: &Settings) -> Result<Machine, DeviceError> {
        Err(DeviceError::NotWindows)
    }

    /// Returns the facts of a machine; never called, because no machine exists.
    pub fn facts(&self) -> &Facts {
        match self.0 {}
    }

    /// Runs an operator on a machine; never called, because no machine exists.
    pub fn run(&mut self, _dispatch: &Dispatch<'_>) -> Result<Vec<Vec<u8>>, DeviceError> {
        match self.0 {}
    }
}
