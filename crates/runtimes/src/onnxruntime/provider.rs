//! Chooses which of ONNX Runtime's execution providers runs the operators.
#![cfg_attr(windows, allow(unsafe_code, reason = "a foreign interface; each block says why it is sound"))]

#[cfg(windows)]
use std::ffi::c_void;
#[cfg(windows)]
use std::ptr;

use ort::environment::Environment;
use ort::sys::{GraphOptimizationLevel, OrtSessionOptions};

use super::selection::{Found, Selection};
use super::settings::Optimization;
use super::status::Error;
#[cfg(windows)]
use super::status::check;
use super::tensorrt;

/// The execution provider of ONNX Runtime that runs the operators. If this is not the CPU provider, the operators that
/// it does not support are refused, and not run on the CPU.
#[derive(Clone, Debug)]
pub enum Provider {
    /// The CPU provider.
    Cpu,
    /// The DirectML provider, on the graphics adapter of this number.
    #[cfg(windows)]
    DirectMl(i32),
    /// A provider that is selected by its devices, from a plug-in or from ONNX Runtime's library.
    Selected(Selection),
    /// TensorRT, with these options.
    TensorRt(Vec<(String, String)>),
}

impl Provider {
    /// Returns the graph optimizations of a session. If the user did not choose, the CPU provider gets ONNX Runtime's
    /// default, and other providers get none: with optimizations, the CPU would fold constants, and the result would
    /// not be the provider's own.
    pub(super) fn optimizations(&self, chosen: Option<Optimization>) -> GraphOptimizationLevel {
        match (chosen, self) {
            (Some(Optimization::Basic), _) => GraphOptimizationLevel::ORT_ENABLE_BASIC,
            (Some(Optimization::Extended), _) => GraphOptimizationLevel::ORT_ENABLE_EXTENDED,
            (Some(Optimization::Layout), _) => GraphOptimizationLevel::ORT_ENABLE_LAYOUT,
            (Some(Optimization::All), _) | (None, Provider::Cpu) => GraphOptimizationLevel::ORT_ENABLE_ALL,
            (Some(Optimization::None), _) | (None, _) => GraphOptimizationLevel::ORT_DISABLE_ALL,
        }
    }

    /// Registers the provider's plug-in, if it has one, and finds its device. The error is one line.
    pub(super) fn find(&self, environment: &Environment) -> Result<Option<Found>, String> {
        match self {
            Provider::Selected(selection) => selection.find(environment).map(Some),
            Provider::TensorRt(_) => Ok(Some(tensorrt::found())),
            _ => Ok(None),
        }
    }

    /// Adds the provider to the options of a session. The CPU provider needs no entry: it is the default.
    pub(super) fn add_to(
        &self,
        found: Option<&Found>,
        environment: &Environment,
        options: *mut OrtSessionOptions,
    ) -> Result<(), Error> {
        match (self, found) {
            (Provider::Cpu, _) | (Provider::Selected(_), None) => Ok(()),
            #[cfg(windows)]
            (Provider::DirectMl(adapter), _) => add_directml(options, *adapter),
            (Provider::Selected(selection), Some(found)) => selection.add_to(found, environment, options),
            (Provider::TensorRt(provider_options), _) => tensorrt::add_to(provider_options, options),
        }
    }
}

/// Adds the DirectML provider and disables the fallback to the CPU: operators that DirectML does not support are an
/// error.
#[cfg(windows)]
fn add_directml(options: *mut OrtSessionOptions, adapter: i32) -> Result<(), Error> {
    let api = ort::api();
    let mut found: *const c_void = ptr::null();
    // SAFETY: the name ends with a zero; the API writes a pointer to a table that is never freed.
    check(unsafe { (api.GetExecutionProviderApi)(c"DML".as_ptr(), 0, &mut found) })?;
    // SAFETY: the pointer is the table of this name, or null if the library does not have it.
    let directml = unsafe { found.cast::<ort::sys::OrtDmlApi>().as_ref() };
    let directml = directml.ok_or_else(|| Error::new("this library has no DirectML provider"))?;
    // SAFETY: the options are alive and not yet used by anything else; the strings end with a zero.
    unsafe {
        check((directml.SessionOptionsAppendExecutionProvider_DML)(options, adapter))?;
        check((api.AddSessionConfigEntry)(options, c"session.disable_cpu_ep_fallback".as_ptr(), c"1".as_ptr()))
    }
}
