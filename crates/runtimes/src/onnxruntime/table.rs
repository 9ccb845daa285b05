//! Loads ONNX Runtime's library and hands its table of functions to the `ort` crate.
//!
//! `ort` could load the library itself, but it would refuse every library that lacks a function of the table that `ort`
//! was compiled for. Some functions for plug-ins came with version 1.24, and older libraries have to load too.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::ffi::CStr;
use std::mem::{MaybeUninit, offset_of};
use std::path::Path;

use super::library::load_error;
use ort::sys::{ORT_API_VERSION, OrtApi, OrtApiBase, stub};

/// The minor version of the oldest ONNX Runtime that works: 1.17, which has all functions that are called without a
/// plug-in.
const OLDEST: u32 = 17;

/// The size of the part of the table that [`OLDEST`] fills: a function of 1.18 comes next.
const OLDEST_SIZE: usize = offset_of!(OrtApi, SessionOptionsAppendExecutionProvider_VitisAI);

/// The library that is loaded into this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The version that the library reports: `1.31.1`.
    pub version: String,
    /// Whether all functions of the table may be called, also those for plug-ins. Otherwise only the functions that
    /// version 1.17 has may be called.
    pub is_complete: bool,
}

/// Loads a library. A process can load one only.
pub fn load(library: &Path) -> Result<Loaded, String> {
    let cannot_load =
        |error: libloading::Error| format!("{} cannot be loaded: {}", library.display(), load_error(&error));
    // SAFETY: the user named this library as ONNX Runtime's; its initialization may run at any time.
    let handle = unsafe { libloading::Library::new(library) }.map_err(cannot_load)?;
    type Entry = unsafe extern "C" fn() -> *const OrtApiBase;
    // SAFETY: every library of ONNX Runtime exports this function with this signature.
    let base = unsafe { handle.get::<Entry>(b"OrtGetApiBase") }.map_err(cannot_load)?;
    // SAFETY: the function takes nothing and may be called at any time; its table is never freed.
    let base = unsafe { base().as_ref() }.ok_or_else(|| format!("{} has no function table", library.display()))?;
    // SAFETY: the function returns a text that ends with a zero and is never freed.
    let version = unsafe { CStr::from_ptr((base.GetVersionString)()) }.to_string_lossy().into_owned();
    let minor = minor_version(&version).filter(|minor| *minor >= OLDEST);
    let minor =
        minor.ok_or_else(|| format!("ONNX Runtime {version} cannot be used: 1.{OLDEST} is the oldest that works"))?;
    let is_complete = minor >= ORT_API_VERSION;
    // SAFETY: the function takes any number, and returns null for a version that it does not have.
    let table = unsafe { (base.GetApi)(minor.min(ORT_API_VERSION)) };
    if table.is_null() {
        return Err(format!("ONNX Runtime {version} has no interface of version {}", minor.min(ORT_API_VERSION)));
    }
    let size = if is_complete { size_of::<OrtApi>() } else { OLDEST_SIZE };
    let mut copy = MaybeUninit::new(stub::api());
    // SAFETY: functions are only ever appended to the table, so the table of this version has at least `size` bytes,
    // and so has the copy; in both, these bytes are pointers to functions.
    unsafe { std::ptr::copy_nonoverlapping(table.cast::<u8>(), copy.as_mut_ptr().cast(), size) };
    // SAFETY: the copy was initialized when it was created.
    if !ort::set_api(unsafe { copy.assume_init() }) {
        return Err("this process has loaded a library of ONNX Runtime already".to_owned());
    }
    // The functions of the table may be called until the process ends, so the library must stay loaded.
    std::mem::forget(handle);
    Ok(Loaded { version, is_complete })
}

/// Returns the second number of a version.
fn minor_version(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_a_minor_version() {
        assert_eq!(minor_version("1.31.1"), Some(31));
        assert_eq!(minor_version("1.24.0-dev"), Some(24));
        assert_eq!((minor_version("31"), minor_version("1.x")), (None, None));
    }

    #[test]
    fn a_file_that_is_no_library_is_an_error_with_its_path() {
        let error = load(Path::new("/no/such/libonnxruntime.so")).unwrap_err();
        assert!(error.starts_with("/no/such/libonnxruntime.so cannot be loaded: "), "{error}");
    }
}
