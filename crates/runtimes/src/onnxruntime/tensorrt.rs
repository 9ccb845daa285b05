//! TensorRT's execution provider. Its library is not a plug-in (it does not export `CreateEpFactories`), so a session
//! names the provider itself instead of a device.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::ptr;

use ort::sys::OrtSessionOptions;

use super::owned::Owned;
use super::selection::{Found, Pairs, forbid_cpu};
use super::status::{Error, check};

/// Returns what stands for the provider in the place of a device that was found.
pub(super) fn found() -> Found {
    Found { provider: "TensorrtExecutionProvider".to_owned(), version: None, hardware: None, device: None }
}

/// Adds the provider to the options of a session, and keeps the CPU provider from computing anything.
pub(super) fn add_to(provider_options: &[(String, String)], options: *mut OrtSessionOptions) -> Result<(), Error> {
    forbid_cpu(options)?;
    let api = ort::api();
    let pairs = Pairs::new(provider_options)?;
    let (keys, values) = pairs.pointers();
    let mut tensorrt = ptr::null_mut();
    // SAFETY: the API writes the pointer to a new object.
    check(unsafe { (api.CreateTensorRTProviderOptions)(&mut tensorrt) })?;
    let tensorrt = Owned::new(tensorrt, api.ReleaseTensorRTProviderOptions)?;
    // SAFETY: both options are alive; the arrays have the length that is passed with them, and point into `pairs`.
    unsafe {
        if !keys.is_empty() {
            check((api.UpdateTensorRTProviderOptions)(tensorrt.as_ptr(), keys.as_ptr(), values.as_ptr(), keys.len()))?;
        }
        check((api.SessionOptionsAppendExecutionProvider_TensorRT_V2)(options, tensorrt.as_ptr()))
    }
}
