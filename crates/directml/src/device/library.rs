//! Windows libraries that are loaded at run time, and the version and checksum of their files.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::ffi::{CStr, OsString, c_void};
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use windows::Win32::Foundation::HMODULE;
use windows::Win32::Storage::FileSystem::{
    GetFileVersionInfoSizeW, GetFileVersionInfoW, VS_FIXEDFILEINFO, VerQueryValueW,
};
use windows::Win32::System::LibraryLoader::{
    GetModuleFileNameW, GetProcAddress, LOAD_LIBRARY_SEARCH_SYSTEM32, LOAD_WITH_ALTERED_SEARCH_PATH, LoadLibraryExW,
};
use windows::core::{PCSTR, PCWSTR, w};

use crate::device::DeviceError;

/// A loaded library. It is never unloaded, because COM objects that need it may outlive this value.
#[derive(Clone, Copy)]
pub struct Library {
    module: HMODULE,
}

/// Converts a path or name to UTF-16 with a terminating NUL, as Windows expects it.
fn wide(path: &Path) -> Vec<u16> {
    path.as_os_str().encode_wide().chain([0]).collect()
}

impl Library {
    /// Loads a library. `place` is either a `.dll` file or the folder that holds the file `name`. Without a place, the
    /// library is `name` in the system folder of Windows, and no other folder is searched.
    pub fn load(name: &'static str, place: Option<&Path>, advice: &'static str) -> Result<Library, DeviceError> {
        let is_file = |place: &Path| place.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dll"));
        let path = match place {
            None => PathBuf::from(name),
            Some(file) if is_file(file) => file.to_owned(),
            Some(folder) => folder.join(name),
        };
        let absolute = if place.is_some() { std::path::absolute(&path).unwrap_or(path.clone()) } else { path.clone() };
        let flags = if place.is_some() { LOAD_WITH_ALTERED_SEARCH_PATH } else { LOAD_LIBRARY_SEARCH_SYSTEM32 };
        let text = wide(&absolute);
        // SAFETY: `text` ends with 0 and outlives the call. What the library does in its entry point is out of our
        // control.
        let module = unsafe { LoadLibraryExW(PCWSTR(text.as_ptr()), None, flags) };
        let module = module.map_err(|error| DeviceError::Library {
            library: path.display().to_string(),
            reason: error.to_string(),
            advice,
        })?;
        Ok(Library { module })
    }

    /// Returns the address of a function.
    pub fn function(&self, name: &'static CStr) -> Result<unsafe extern "system" fn() -> isize, DeviceError> {
        // SAFETY: the module stays loaded, and the name ends with 0.
        let found = unsafe { GetProcAddress(self.module, PCSTR(name.as_ptr().cast())) };
        found.ok_or_else(|| DeviceError::Old {
            library: self.file().display().to_string(),
            function: name.to_string_lossy().into_owned(),
        })
    }

    /// Returns the path of the file that the library was loaded from.
    pub fn file(&self) -> PathBuf {
        let mut text = vec![0; 32768];
        // SAFETY: the module stays loaded, and the slice carries its length.
        let length = unsafe { GetModuleFileNameW(Some(self.module), &mut text) };
        PathBuf::from(OsString::from_wide(&text[..length as usize]))
    }
}

/// Returns the version of a file, such as `1.15.4.0`; empty if the file has none.
pub fn version(file: &Path) -> String {
    let path = wide(file);
    let path = PCWSTR(path.as_ptr());
    // SAFETY: the path ends with 0 and lives to the end of this function.
    let size = unsafe { GetFileVersionInfoSizeW(path, None) };
    let mut block = vec![0u64; (size as usize).div_ceil(8)];
    // SAFETY: the block has at least `size` bytes.
    if size == 0 || unsafe { GetFileVersionInfoW(path, None, size, block.as_mut_ptr().cast()) }.is_err() {
        return String::new();
    }
    let (mut found, mut length): (*mut c_void, u32) = (std::ptr::null_mut(), 0);
    // SAFETY: the call above filled the block; both out-pointers point to variables of this function.
    let is_found = unsafe { VerQueryValueW(block.as_ptr().cast(), w!("\\"), &mut found, &mut length) };
    if !is_found.as_bool() || found.is_null() || (length as usize) < size_of::<VS_FIXEDFILEINFO>() {
        return String::new();
    }
    // SAFETY: Windows reports `length` bytes, which are enough, and the block is alive. The read needs no alignment.
    let info = unsafe { found.cast::<VS_FIXEDFILEINFO>().read_unaligned() };
    dotted(u64::from(info.dwFileVersionMS) << 32 | u64::from(info.dwFileVersionLS))
}

/// Returns a version as Windows writes it, from its four numbers of 16 bits, the first of which is the highest.
pub fn dotted(version: u64) -> String {
    [48, 32, 16, 0].map(|shift| (version >> shift & 0xffff).to_string()).join(".")
}

/// Returns the SHA-256 of a file in hexadecimal; empty if the file cannot be read.
pub fn sha256(file: &Path) -> String {
    let Ok(bytes) = std::fs::read(file) else { return String::new() };
    Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
