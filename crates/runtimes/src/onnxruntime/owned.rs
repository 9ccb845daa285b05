//! Objects of ONNX Runtime's C API, which are released when they are dropped.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::ptr::NonNull;

use super::status::Error;

/// An object of ONNX Runtime that is released when it is dropped.
pub(super) struct Owned<T> {
    pointer: NonNull<T>,
    release: unsafe extern "system" fn(*mut T),
}

impl<T> Owned<T> {
    /// Takes ownership of an object that a function of the API has just created.
    pub(super) fn new(pointer: *mut T, release: unsafe extern "system" fn(*mut T)) -> Result<Owned<T>, Error> {
        match NonNull::new(pointer) {
            Some(pointer) => Ok(Owned { pointer, release }),
            None => Err(Error::new("ONNX Runtime returned no object and no error")),
        }
    }

    pub(super) fn as_ptr(&self) -> *mut T {
        self.pointer.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the object was created by the API, `release` is the function the API names for its type, and
        // nothing else releases it.
        unsafe { (self.release)(self.pointer.as_ptr()) }
    }
}
