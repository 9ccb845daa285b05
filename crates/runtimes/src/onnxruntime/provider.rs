//! Which of ONNX Runtime's providers runs the operators.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

#[cfg(windows)]
use std::ffi::c_void;
#[cfg(windows)]
use std::ptr;

use ort::sys::{GraphOptimizationLevel, OrtSessionOptions};

use super::api::Error;
#[cfg(windows)]
use super::api::check;

/// Which of ONNX Runtime's providers runs the operators.
#[derive(Clone, Copy, Debug)]
pub enum Provider {
    /// The CPU's.
    Cpu,
    /// DirectML's, on an adapter by its number; what it does not do is refused, and not done on the CPU.
    #[cfg(windows)]
    DirectMl(i32),
}

impl Provider {
    /// The graph optimizations of sessions: for the CPU those that a user gets by default. Constants are folded by the CPU, so that for another
    /// provider what is constant would not be its own answer.
    pub(super) fn optimizations(self) -> GraphOptimizationLevel {
        match self {
            Provider::Cpu => GraphOptimizationLevel::ORT_ENABLE_ALL,
            #[cfg(windows)]
            Provider::DirectMl(_) => GraphOptimizationLevel::ORT_DISABLE_ALL,
        }
    }

    /// Has it run the operators of sessions with these options; the CPU's does where nothing is said.
    pub(super) fn add_to(self, options: *mut OrtSessionOptions) -> Result<(), Error> {
        match self {
            Provider::Cpu => {
                let _ = options;
                Ok(())
            }
            #[cfg(windows)]
            Provider::DirectMl(adapter) => add_directml(options, adapter),
        }
    }
}

/// Has DirectML's provider run all operators: those that it does not have are an error, where the CPU's would step in.
#[cfg(windows)]
fn add_directml(options: *mut OrtSessionOptions, adapter: i32) -> Result<(), Error> {
    let api = ort::api();
    let mut found: *const c_void = ptr::null();
    // SAFETY: the name ends with a zero; the API writes the pointer to a table that stays.
    check(unsafe { (api.GetExecutionProviderApi)(c"DML".as_ptr(), 0, &mut found) })?;
    // SAFETY: this is the table that goes by the name, and null where there is none.
    let directml = unsafe { found.cast::<ort::sys::OrtDmlApi>().as_ref() };
    let directml = directml.ok_or_else(|| Error::new("this library has no DirectML provider"))?;
    // SAFETY: the options are alive and nobody else's yet; the words end with a zero.
    unsafe {
        check((directml.SessionOptionsAppendExecutionProvider_DML)(options, adapter))?;
        check((api.AddSessionConfigEntry)(options, c"session.disable_cpu_ep_fallback".as_ptr(), c"1".as_ptr()))
    }
}
