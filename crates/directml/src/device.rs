//! The real device: DirectML on Direct3D 12, on Windows. Elsewhere [`Device::open`] says that there is none.
//!
//! Libraries are loaded at run time. `DirectML.dll` is the one of the user's Windows, or of a folder that the user names;
//! its version and SHA-256 are in [`Facts`], with everything else that a result depends on. [`Device::run`] takes an
//! operator in memory ([`Packed`](super::packed::Packed)) and bytes, and gives bytes back.
//!
//! No part of this has met a real device yet. It runs under Wine against a stand-in for DirectML (`tests/wine`), which holds
//! descriptions and bindings against `DirectML.h`, and computes nothing.

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

/// Which adapter to take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Adapter {
    /// The first on which Direct3D 12 starts.
    #[default]
    First,
    /// The one at this place in the list of DXGI.
    Index(u32),
    /// The first with this in its name, in any case.
    Name(String),
    /// WARP, which computes on the CPU.
    Warp,
}

impl std::str::FromStr for Adapter {
    type Err = std::convert::Infallible;

    /// `1`, `warp`, or a part of a name.
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

/// How a device is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// On which adapter.
    pub adapter: Adapter,
    /// `DirectML.dll` under any name that ends with `.dll`, or its folder; `None`: that of Windows.
    pub library: Option<PathBuf>,
    /// Whether the debug layers are turned on, where they are installed.
    pub debug: bool,
    /// `DML_EXECUTION_FLAGS`: 1 allows half precision, 2 leaves meta commands out; both change numbers.
    pub execution_flags: u32,
}

/// What a result depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The adapter's name.
    pub adapter: String,
    /// Whether it computes on the CPU, as WARP does.
    pub software: bool,
    /// The file that DirectML was loaded from.
    pub library: PathBuf,
    /// Its version: `1.15.4.0`; empty where the file does not say.
    pub version: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// The newest feature level of the device, as `DML_FEATURE_LEVEL` has it: `0x6400`.
    pub feature_level: u32,
    /// Bit `n` is set where `DML_TENSOR_DATA_TYPE` `n` is supported.
    pub data_types: u32,
    /// `DML_EXECUTION_FLAGS` that operators are compiled with.
    pub execution_flags: u32,
    /// Whether Direct3D's debug layer is on.
    pub direct3d_debug: bool,
    /// Whether DirectML's debug layer is on.
    pub directml_debug: bool,
}

impl Facts {
    /// Whether the device supports a `DML_TENSOR_DATA_TYPE` at all.
    pub fn supports(&self, data_type: u32) -> bool {
        1u32.checked_shl(data_type).is_some_and(|bit| self.data_types & bit != 0)
    }
}

/// Why there is no device, or no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// This is no Windows.
    #[error(
        "DirectML is a part of Windows, and this is {}; `directml-software` runs its operators anywhere",
        std::env::consts::OS
    )]
    NotWindows,
    /// A library is not there, or does not load.
    #[error("{library} cannot be loaded ({reason}); {advice}")]
    Library {
        /// The file.
        library: String,
        /// What Windows says.
        reason: String,
        /// What to do.
        advice: &'static str,
    },
    /// A library lacks a function: it is too old.
    #[error("{library} has no {function}: it is too old; DirectML 1.1 (feature level 2_0) or newer is needed")]
    Old {
        /// The file.
        library: String,
        /// The function.
        function: String,
    },
    /// No adapter fits.
    #[error("no adapter is {wanted} and has Direct3D 12; there are: {there}")]
    Adapter {
        /// What was asked for.
        wanted: String,
        /// The names of all.
        there: String,
    },
    /// The device does not start.
    #[error("the device cannot be opened: {step}: {reason}")]
    Start {
        /// What was tried.
        step: &'static str,
        /// What Windows says.
        reason: String,
    },
    /// DirectML does not do this operator.
    #[error("DirectML does not support it: {reason}")]
    Unsupported {
        /// What it says.
        reason: String,
    },
    /// DirectML refuses the description.
    #[error("DirectML refuses the description: {step}: {reason}")]
    Invalid {
        /// Where.
        step: &'static str,
        /// What it says.
        reason: String,
    },
    /// It tried and could not.
    #[error("{step} failed: {reason}")]
    Failed {
        /// What.
        step: &'static str,
        /// What Windows says.
        reason: String,
    },
    /// The device is gone: it hung, was reset or taken out. A [`Session`] opens it again.
    #[error("the device was removed: {reason}")]
    Removed {
        /// What Windows says.
        reason: String,
    },
    /// There was no answer in time.
    #[error("there was no answer within {seconds} s; the device is given up")]
    Timeout {
        /// The deadline.
        seconds: u64,
    },
}

impl DeviceError {
    /// Whether the device could not start: exit code 3.
    pub fn is_of_start(&self) -> bool {
        use DeviceError::*;
        matches!(self, NotWindows | Library { .. } | Old { .. } | Adapter { .. } | Start { .. })
    }

    /// Whether the device is of no use any more.
    pub fn is_of_the_device(&self) -> bool {
        matches!(self, DeviceError::Removed { .. } | DeviceError::Timeout { .. })
    }
}

/// An operator and what it is bound to.
pub struct Dispatch<'a> {
    /// The operator.
    pub operator: &'a Packed,
    /// Bytes of each input by the index it is bound at, as many as its description says; `None` where it is left out.
    pub inputs: &'a [Option<&'a [u8]>],
    /// What is in each output's memory beforehand, as many bytes as its description says; `None` where it is left out.
    pub outputs: &'a [Option<&'a [u8]>],
    /// How long it may take.
    pub deadline_seconds: u64,
}

/// A device that is open.
pub struct Device {
    machine: Machine,
}

impl Device {
    /// Opens a device.
    ///
    /// # Errors
    /// Those of [`DeviceError::is_of_start`].
    pub fn open(settings: &Settings) -> Result<Device, DeviceError> {
        Ok(Device { machine: Machine::open(settings)? })
    }

    /// The adapters, by their place in the list.
    ///
    /// # Errors
    /// DXGI is not there.
    pub fn adapters() -> Result<Vec<String>, DeviceError> {
        machine::adapters()
    }

    /// What its results depend on.
    pub fn facts(&self) -> &Facts {
        self.machine.facts()
    }

    /// Compiles, initializes and runs an operator once: the bytes of each output's memory afterwards, none for one that
    /// is left out.
    ///
    /// # Errors
    /// Those that are not of the start.
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
    /// Those of [`Device::open`].
    pub fn open(settings: Settings) -> Result<Session, DeviceError> {
        let device = Some(Device::open(&settings)?);
        Ok(Session { settings, device, lost: 0 })
    }

    /// Runs an operator once; opens the device first, where the one before was lost.
    ///
    /// # Errors
    /// Those of [`Device::run`]; where the device does not come back, those of [`Device::open`].
    pub fn run(&mut self, dispatch: &Dispatch<'_>) -> Result<Vec<Vec<u8>>, DeviceError> {
        let device = match &mut self.device {
            Some(device) => device,
            none => none.insert(Device::open(&self.settings)?),
        };
        let result = device.run(dispatch);
        if result.as_ref().is_err_and(DeviceError::is_of_the_device) {
            self.device = None;
            self.lost += 1;
        }
        result
    }

    /// How often the device was lost.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// The device, unless it is lost and was not needed since.
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
        let error = Session::open(Settings::default()).err().unwrap();
        assert!(error.is_of_start() && !error.is_of_the_device());
        assert!(error.to_string().starts_with("DirectML is a part of Windows, and this is "));
        assert_eq!(Device::adapters(), Err(DeviceError::NotWindows));
    }
}
