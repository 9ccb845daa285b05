//! The status that the functions of ONNX Runtime's C API return if they can fail.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use ort::sys::OrtStatusPtr;

/// An error status of ONNX Runtime, with its code and message.
pub type Error = ort::Error;

/// Takes the status that a function of the API has returned. Returns an error unless the function succeeded.
pub(super) fn check(status: OrtStatusPtr) -> Result<(), Error> {
    // SAFETY: every caller passes the status that a function of the API has just returned, and passes it once.
    unsafe { Error::result_from_status(status) }
}
