//! The real device: DirectML on Direct3D 12, on Windows. On other systems [`Device::start`] returns
//! [`DeviceError::NotWindows`].
//!
//! Libraries are loaded at run time. `DirectML.dll` comes from the user's Windows or from a path that the user names;
//! [`Facts`] holds its version and SHA-256, and other facts that results depend on. [`Device::run`] takes an operator's
//! description in DirectML's memory layout ([`Packed`](super::packed::Packed)) and the bytes of its inputs, and returns
//! the bytes of its outputs.
//!
//! No part of this module has run on a real device yet. It runs under Wine against a stand-in for DirectML
//! (`tests/wine`), which checks descriptions and bindings against `DirectML.h` and computes nothing.

use std::path::PathBuf;

use super::packed::Packed;
use machine::Machine;

#[cfg(windows)]
mod direct3d;
#[cfg(windows)]
mod library;
#[cfg(windows)]
mod machine;
#[cfg(not(windows))]
#[path = "device/elsewhere.rs"]
mod machine;

/// The choice of an adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Adapter {
    /// The first adapter on which Direct3D 12 starts.
    #[default]
    First,
    /// The adapter at this index in DXGI's list.
    Index(u32),
    /// The first adapter that has this text in its name, in upper or lower case, and on which Direct3D 12 starts.
    Name(String),
    /// WARP, Windows' software adapter, which computes on the CPU.
    Warp,
}

impl std::str::FromStr for Adapter {
    type Err = std::convert::Infallible;

    /// Parses an index (`1`), `warp`, or a part of a name. The empty text stands for the first adapter.
    fn from_str(text: &str) -> Result<Adapter, Self::Err> {
        Ok(match text.parse() {
            Ok(index) => Adapter::Index(index),
            Err(_) if text.is_empty() => Adapter::First,
            Err(_) if text.eq_ignore_ascii_case("warp") => Adapter::Warp,
            Err(_) => Adapter::Name(text.to_owned()),
        })
    }
}

impl std::fmt::Display for Adapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Adapter::First => f.write_str("the first that works"),
            Adapter::Index(index) => write!(f, "number {index}"),
            Adapter::Name(name) => write!(f, "`{name}`"),
            Adapter::Warp => f.write_str("WARP"),
        }
    }
}

/// Options for opening a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The adapter to open.
    pub adapter: Adapter,
    /// The path of `DirectML.dll` (any file name that ends with `.dll`) or of its folder; `None` for the library of
    /// Windows.
    pub library: Option<PathBuf>,
    /// Whether to turn on the debug layers, if they are installed.
    pub debug: bool,
    /// `DML_EXECUTION_FLAGS`: 1 allows half precision, 2 disables meta commands; both may change results.
    pub execution_flags: u32,
}

/// Facts about the device that results depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The adapter's name.
    pub adapter: String,
    /// The version of the adapter's driver, such as `31.0.15.3623`; empty if Windows does not tell it.
    pub driver: String,
    /// Whether the adapter computes on the CPU, as WARP does.
    pub software: bool,
    /// The path of the file that DirectML was loaded from.
    pub library: PathBuf,
    /// The version of that file, such as `1.15.4.0`; empty if the file has none.
    pub version: String,
    /// The SHA-256 of that file, in hexadecimal; empty if the file cannot be read.
    pub sha256: String,
    /// The newest feature level of the device, as the number in `DML_FEATURE_LEVEL`, such as `0x6400`.
    pub feature_level: u32,
    /// The supported data types: bit `n` is set if `DML_TENSOR_DATA_TYPE` `n` is supported.
    pub data_types: u32,
    /// The `DML_EXECUTION_FLAGS` that operators are compiled with.
    pub execution_flags: u32,
    /// Whether Direct3D's debug layer is on.
    pub direct3d_debug: bool,
    /// Whether DirectML's debug layer is on.
    pub directml_debug: bool,
}

impl Facts {
    /// Returns whether the device supports a `DML_TENSOR_DATA_TYPE` at all.
    pub fn supports(&self, data_type: u32) -> bool {
        1u32.checked_shl(data_type).is_some_and(|bit| self.data_types & bit != 0)
    }
}

/// The reason why a device cannot be opened or cannot run an operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// The operating system is not Windows.
    #[error(
        "DirectML is a part of Windows, and this is {}; `directml-software` runs DirectML's operators anywhere",
        std::env::consts::OS
    )]
    NotWindows,
    /// A library does not exist or cannot be loaded.
    #[error("{library} cannot be loaded ({reason}); {advice}")]
    Library {
        /// The library's file.
        library: String,
        /// The error message of Windows.
        reason: String,
        /// What the user can do.
        advice: &'static str,
    },
    /// A library is too old and lacks a function.
    #[error(
        "{library} is too old and has no {function}; Windows 10 and DirectML 1.1 (feature level 2_0) or newer \
         are needed"
    )]
    Old {
        /// The library's file.
        library: String,
        /// The missing function.
        function: String,
    },
    /// No adapter matches the settings.
    #[error("no adapter with Direct3D 12 was found (wanted: {wanted}); the adapters are: {available}")]
    Adapter {
        /// The adapter that was asked for.
        wanted: String,
        /// The names of the adapters to choose from, or `none`.
        available: String,
    },
    /// The device cannot be opened.
    #[error("the device cannot be opened: {step}: {reason}")]
    Start {
        /// The step that failed.
        step: &'static str,
        /// The error message of Windows.
        reason: String,
    },
    /// DirectML does not support this operator.
    #[error("DirectML does not support the operator: {reason}")]
    Unsupported {
        /// DirectML's error message.
        reason: String,
    },
    /// DirectML refuses the description.
    #[error("DirectML rejects the description: {step}: {reason}")]
    Invalid {
        /// The function that refused it.
        step: &'static str,
        /// DirectML's error message.
        reason: String,
    },
    /// A step of the run failed.
    #[error("{step} failed: {reason}")]
    Failed {
        /// The step that failed.
        step: &'static str,
        /// The error message of Windows.
        reason: String,
    },
    /// The device is lost: it hung, was reset or was removed. A [`Session`] opens the device again.
    #[error("the device was removed: {reason}")]
    Removed {
        /// The error message of Windows.
        reason: String,
    },
    /// The device did not finish before the deadline, and may still be running. A [`Session`] counts it as lost, and
    /// opens the device again.
    #[error("the device did not finish within {seconds} s, so it was given up")]
    Timeout {
        /// The deadline in seconds.
        seconds: u64,
    },
}

impl DeviceError {
    /// Returns whether the error means that the device could not be opened.
    pub fn could_not_open(&self) -> bool {
        use DeviceError::*;
        matches!(self, NotWindows | Library { .. } | Old { .. } | Adapter { .. } | Start { .. })
    }

    /// Returns whether the error means that the device can no longer be used.
    pub fn is_device_lost(&self) -> bool {
        matches!(self, DeviceError::Removed { .. } | DeviceError::Timeout { .. })
    }
}

/// An operator with the bytes of its tensors.
pub struct Dispatch<'a> {
    /// The operator.
    pub operator: &'a Packed,
    /// The bytes of each input by binding index; `None` if the input is left out. The number of bytes is the size that
    /// the operator's description gives for the tensor.
    pub inputs: &'a [Option<&'a [u8]>],
    /// The bytes in each output's memory before the run; `None` if the output is left out. The number of bytes is again
    /// the size that the description gives for the tensor.
    pub outputs: &'a [Option<&'a [u8]>],
    /// The most seconds that the device may take for the initialization, and again for the execution.
    pub deadline_seconds: u64,
}

/// An open device.
pub struct Device {
    machine: Machine,
}

impl Device {
    /// Opens a device.
    ///
    /// # Errors
    /// The errors for which [`DeviceError::could_not_open`] is true.
    pub fn start(settings: &Settings) -> Result<Device, DeviceError> {
        Ok(Device { machine: Machine::start(settings)? })
    }

    /// Returns the names of the adapters, in DXGI's order.
    ///
    /// # Errors
    /// Fails outside of Windows, and if DXGI is not available.
    pub fn adapters() -> Result<Vec<String>, DeviceError> {
        machine::adapters()
    }

    /// Returns the facts that results depend on.
    pub fn facts(&self) -> &Facts {
        self.machine.facts()
    }

    /// Compiles, initializes and runs an operator once. Returns the bytes in each output's memory afterwards; they are
    /// empty for an output that is left out.
    ///
    /// # Errors
    /// The errors for which [`DeviceError::could_not_open`] is false.
    pub fn run(&mut self, dispatch: &Dispatch<'_>) -> Result<Vec<Vec<u8>>, DeviceError> {
        self.machine.run(dispatch)
    }
}

/// A device that is opened again after it was lost.
pub struct Session {
    settings: Settings,
    device: Option<Device>,
    lost: u32,
}

impl Session {
    /// Opens a device.
    ///
    /// # Errors
    /// The same as for [`Device::start`].
    pub fn start(settings: Settings) -> Result<Session, DeviceError> {
        let device = Some(Device::start(&settings)?);
        Ok(Session { settings, device, lost: 0 })
    }

    /// Runs an operator once. If the device was lost before, opens it again first.
    ///
    /// # Errors
    /// The same as for [`Device::run`]; if the device cannot be opened again, the same as for [`Device::start`].
    pub fn run(&mut self, dispatch: &Dispatch<'_>) -> Result<Vec<Vec<u8>>, DeviceError> {
        let device = match &mut self.device {
            Some(device) => device,
            none => none.insert(Device::start(&self.settings)?),
        };
        let result = device.run(dispatch);
        if result.as_ref().is_err_and(DeviceError::is_device_lost) {
            self.device = None;
            self.lost += 1;
        }
        result
    }

    /// Returns how many times the device was lost, timeouts included.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// Returns the device; `None` if it was lost and has not been opened again.
    pub fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters_are_named_by_number_name_or_warp() {
        let adapter = |text: &str| text.parse::<Adapter>().unwrap();
        assert_eq!(adapter("1"), Adapter::Index(1));
        assert_eq!(adapter("WARP"), Adapter::Warp);
        assert_eq!(adapter("radeon"), Adapter::Name("radeon".to_owned()));
        assert_eq!(adapter(""), Adapter::First);
    }

    #[cfg(not(windows))]
    #[test]
    fn there_is_no_device_outside_of_windows() {
        let error = Session::start(Settings::default()).err().unwrap();
        assert!(error.could_not_open() && !error.is_device_lost());
        assert!(error.to_string().starts_with("DirectML is a part of Windows, and this is "));
        assert_eq!(Device::adapters(), Err(DeviceError::NotWindows));
    }
}
