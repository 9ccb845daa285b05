//! Selects an execution provider by its devices, and checks that it runs the nodes of a session.
//!
//! This is ONNX Runtime's interface for plug-ins: once a library is registered with the environment, the environment's
//! list has the devices of the library's providers, and a session names the device that it wants. The interface has
//! been complete since version 1.24, which can list the provider of each node.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use std::ptr::{self, NonNull};

use ort::AsPointer;
use ort::environment::Environment;
use ort::sys::{
    OrtEpDevice, OrtHardwareDevice, OrtHardwareDeviceType, OrtKeyValuePairs, OrtSession, OrtSessionOptions,
};

use super::settings::{Device, DeviceType};
use super::status::{Error, check};

/// The entries of a session's configuration without which the CPU provider could compute something unnoticed.
const CONFIGURATION: [(&CStr, &CStr); 3] = [
    // A node that the provider does not take is an error.
    (c"session.disable_cpu_ep_fallback", c"1"),
    // The session records which provider runs each node; `check_nodes` reads this.
    (c"session.record_ep_graph_assignment_info", c"1"),
    // With optimizations, the CPU provider would compute nodes whose inputs are constant, and remove them.
    (c"optimization.disable_specified_optimizers", c"ConstantFolding"),
];

/// An execution provider and the device that it computes on, as the user named them.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The plug-in library; `None` if ONNX Runtime's library itself has the provider.
    pub library: Option<PathBuf>,
    /// The name under which the library is registered. Some plug-ins give their provider this name.
    pub registration: String,
    /// The name of the provider. It may be absent if a library is given, because most libraries have only one provider.
    pub provider: Option<String>,
    /// The device.
    pub device: Device,
    /// The options that are passed to the provider.
    pub options: Vec<(String, String)>,
}

/// A provider that was found in the environment.
pub struct Found {
    /// The name of the provider, as ONNX Runtime writes it.
    pub provider: String,
    /// The version that the provider reports.
    pub version: Option<String>,
    /// The device and its driver, as far as ONNX Runtime knows them; `None` for a processor.
    pub hardware: Option<String>,
    /// The device; `None` for a provider that is not selected by its device.
    pub(super) device: Option<NonNull<OrtEpDevice>>,
}

/// The keys and values of options, as texts that end with a zero.
pub(super) struct Pairs(Vec<(CString, CString)>);

impl Pairs {
    pub(super) fn new(options: &[(String, String)]) -> Result<Pairs, Error> {
        let text = |text: &str| CString::new(text).map_err(|_| Error::new("an option has a zero byte"));
        options.iter().map(|(key, value)| Ok((text(key)?, text(value)?))).collect::<Result<_, _>>().map(Pairs)
    }

    /// Returns the pointers to the keys, and those to the values. They are valid as long as this object lives.
    pub(super) fn pointers(&self) -> (Vec<*const c_char>, Vec<*const c_char>) {
        self.0.iter().map(|(key, value)| (key.as_ptr(), value.as_ptr())).unzip()
    }
}

/// Keeps the CPU provider from computing anything in the sessions of these options.
pub(super) fn forbid_cpu(options: *mut OrtSessionOptions) -> Result<(), Error> {
    for (key, value) in CONFIGURATION {
        // SAFETY: the options are alive and not yet used by anything else; the strings end with a zero.
        check(unsafe { (ort::api().AddSessionConfigEntry)(options, key.as_ptr(), value.as_ptr()) })?;
    }
    Ok(())
}

/// Copies a text that the library owns. Returns `None` if the pointer is null.
///
/// # Safety
/// `text` must be null, or end with a zero and be alive.
unsafe fn text(text: *const c_char) -> Option<String> {
    // SAFETY: the caller guarantees that a text which is not null ends with a zero and is alive.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Returns the message of an error in one line.
pub(super) fn one_line(error: &Error) -> String {
    error.message().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A device in the environment's list.
struct Listed {
    device: NonNull<OrtEpDevice>,
    provider: String,
    device_type: Option<DeviceType>,
}

fn list(environment: &Environment) -> Vec<Listed> {
    let api = ort::api();
    let listed = |device: ort::device::Device| {
        let device = NonNull::new(device.ptr().cast_mut())?;
        // SAFETY: the device belongs to the environment, which is alive.
        let provider = unsafe { text((api.EpDevice_EpName)(device.as_ptr())) }?;
        // SAFETY: as above.
        let hardware = unsafe { (api.EpDevice_Device)(device.as_ptr()) };
        Some(Listed { device, provider, device_type: type_of(hardware) })
    };
    environment.devices().filter_map(listed).collect()
}

fn type_of(hardware: *const OrtHardwareDevice) -> Option<DeviceType> {
    type WithEnum = unsafe extern "system" fn(*const OrtHardwareDevice) -> OrtHardwareDeviceType;
    type WithNumber = unsafe extern "system" fn(*const OrtHardwareDevice) -> i32;
    if hardware.is_null() {
        return None;
    }
    // SAFETY: the enum is an int in C, and is read as an int because a newer library may know more types.
    let function = unsafe { std::mem::transmute::<WithEnum, WithNumber>(ort::api().HardwareDevice_Type) };
    // SAFETY: the hardware device belongs to the environment, which is alive.
    let number = unsafe { function(hardware) };
    DeviceType::ALL.get(usize::try_from(number).ok()?).copied()
}

/// Returns the entry of a list of keys and values of the environment. The list may be null.
fn entry(list: *const OrtKeyValuePairs, key: &CStr) -> Option<String> {
    // SAFETY: a list that is not null belongs to a device of the environment, which is alive; the key ends with a zero.
    (!list.is_null()).then(|| unsafe { text((ort::api().GetKeyValue)(list, key.as_ptr())) }).flatten()
}

/// Names a device and its driver: `NVIDIA 0x2335, driver 580.95`. Windows gives a description; elsewhere there are only
/// the vendor and the number that the vendor gave the device.
fn describe(device: NonNull<OrtEpDevice>, driver: Option<String>) -> Option<String> {
    let api = ort::api();
    // SAFETY: the device belongs to the environment, which is alive.
    let hardware = unsafe { (api.EpDevice_Device)(device.as_ptr()) };
    if hardware.is_null() {
        return None;
    }
    // SAFETY: the hardware device belongs to the environment, which is alive, and so do its vendor and metadata.
    let (vendor, number, metadata) = unsafe {
        let vendor = text((api.HardwareDevice_Vendor)(hardware)).unwrap_or_default();
        (vendor, (api.HardwareDevice_DeviceId)(hardware), (api.HardwareDevice_Metadata)(hardware))
    };
    let name = entry(metadata, c"Description").unwrap_or_else(|| format!("{vendor} {number:#06x}").trim().to_owned());
    Some(driver.map_or(name.clone(), |driver| format!("{name}, driver {driver}")))
}

impl Selection {
    /// Registers the library, if there is one, and finds the device. The error is one line.
    pub fn find(&self, environment: &Environment) -> Result<Found, String> {
        let before: BTreeSet<_> = list(environment).into_iter().map(|listed| listed.device).collect();
        if let Some(library) = &self.library {
            environment.register_ep_library(self.registration.as_str(), library).map_err(|error| {
                format!("ONNX Runtime refuses the plug-in {}: {}", library.display(), one_line(&error))
            })?;
        }
        let mut all = list(environment);
        if self.library.is_some() {
            all.retain(|listed| !before.contains(&listed.device));
        }
        let names: BTreeSet<String> = all.iter().map(|listed| listed.provider.clone()).collect();
        let owner = match &self.library {
            Some(library) => format!("the plug-in {}", library.display()),
            None => "this library of ONNX Runtime".to_owned(),
        };
        let names_text = names.iter().cloned().collect::<Vec<_>>().join(", ");
        let provider = match &self.provider {
            _ if names.is_empty() => {
                // A plug-in that needs a newer ONNX Runtime lists no device either, and gives no reason.
                let reason = "finds no device that it can use on this machine with this version of ONNX Runtime";
                return Err(format!("{owner} {reason}"));
            }
            Some(name) if names.contains(name) => name.clone(),
            Some(name) => {
                return Err(format!("{owner} has no provider `{name}` with a device here; it has {names_text}"));
            }
            None if names.len() == 1 => names_text,
            None => return Err(format!("{owner} has several providers: add provider=NAME, one of {names_text}")),
        };
        all.retain(|listed| listed.provider == provider);
        let types: Vec<&str> =
            all.iter().map(|listed| listed.device_type.map_or("unknown", DeviceType::name)).collect();
        let has = format!("the devices of {provider} on this machine are {}", types.join(", "));
        let index = match self.device {
            Device::First => Some(0),
            Device::Number(number) => Some(number).filter(|number| *number < all.len()),
            Device::Type(wanted) => all.iter().position(|listed| listed.device_type == Some(wanted)),
        };
        let chosen = index.and_then(|index| all.into_iter().nth(index));
        let Listed { device, device_type, .. } = chosen.ok_or_else(|| format!("there is no such device: {has}"))?;
        // SAFETY: the device belongs to the environment, which is alive, and so do its metadata.
        let metadata = unsafe { (ort::api().EpDevice_EpMetadata)(device.as_ptr()) };
        let version = entry(metadata, c"version");
        let driver = entry(metadata, c"os_driver_version");
        let hardware = (device_type != Some(DeviceType::Cpu)).then(|| describe(device, driver)).flatten();
        Ok(Found { provider, version, hardware, device: Some(device) })
    }

    /// Adds the provider to the options of a session, and keeps the CPU provider from computing anything.
    pub(super) fn add_to(
        &self,
        found: &Found,
        environment: &Environment,
        options: *mut OrtSessionOptions,
    ) -> Result<(), Error> {
        forbid_cpu(options)?;
        let pairs = Pairs::new(&self.options)?;
        let (keys, values) = pairs.pointers();
        let devices: Vec<_> = found.device.iter().map(|device| device.as_ptr().cast_const()).collect();
        // SAFETY: options, environment and device are alive; each array has the length that is passed with it, and is
        // only read during the call. `keys` and `values` point into `pairs`.
        check(unsafe {
            (ort::api().SessionOptionsAppendExecutionProvider_V2)(
                options,
                environment.ptr().cast_mut(),
                devices.as_ptr(),
                devices.len(),
                keys.as_ptr(),
                values.as_ptr(),
                keys.len(),
            )
        })
    }
}

/// Checks that a session has at least one node, and that this provider runs all nodes. If not, the error has the code
/// for a missing implementation.
pub(super) fn check_nodes(session: *const OrtSession, provider: &str) -> Result<(), Error> {
    let api = ort::api();
    let (mut graphs, mut count) = (ptr::null(), 0);
    // SAFETY: the session is alive; it owns the list.
    check(unsafe { (api.Session_GetEpGraphAssignmentInfo)(session, &mut graphs, &mut count) })?;
    let (mut matching, mut others) = (0, BTreeSet::new());
    for index in 0..count {
        // SAFETY: the list has `count` elements, and lives as long as the session.
        let graph = unsafe { *graphs.add(index) };
        let (mut name, mut nodes, mut node_count) = (ptr::null(), ptr::null(), 0);
        // SAFETY: the graph lives as long as the session, and so do its name and nodes.
        let name = unsafe {
            check((api.EpAssignedSubgraph_GetEpName)(graph, &mut name))?;
            check((api.EpAssignedSubgraph_GetNodes)(graph, &mut nodes, &mut node_count))?;
            text(name).unwrap_or_default()
        };
        for node in 0..node_count {
            let mut operator = ptr::null();
            // SAFETY: the list has `node_count` elements; the node lives as long as the session.
            let operator = unsafe {
                check((api.EpAssignedNode_GetOperatorType)(*nodes.add(node), &mut operator))?;
                text(operator).unwrap_or_default()
            };
            if name == provider {
                matching += 1;
            } else {
                others.insert(format!("{operator} runs on {name}"));
            }
        }
    }
    let problem = match others.is_empty() {
        false => others.into_iter().collect::<Vec<_>>().join(", "),
        true if matching == 0 => "the model has no node that runs on a provider".to_owned(),
        true => return Ok(()),
    };
    Err(Error::new_with_code(ort::ErrorCode::NotImplemented, format!("not computed by {provider}: {problem}")))
}
