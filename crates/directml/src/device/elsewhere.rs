//! Where there is no DirectML.

use std::convert::Infallible;

use super::{DeviceError, Dispatch, Facts, Settings};

/// What cannot be opened.
pub struct Machine(Infallible);

/// No adapters either.
pub fn adapters() -> Result<Vec<String>, DeviceError> {
    Err(DeviceError::NotWindows)
}

impl Machine {
    /// Says that this is no Windows.
    pub fn open(_settings: &Settings) -> Result<Machine, DeviceError> {
        Err(DeviceError::NotWindows)
    }

    /// Of no machine.
    pub fn facts(&self) -> &Facts {
        match self.0 {}
    }

    /// On no machine.
    pub fn run(&mut self, _dispatch: &Dispatch<'_>) -> Result<Vec<Vec<u8>>, DeviceError> {
        match self.0 {}
    }
}
