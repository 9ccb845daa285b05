//! Reads the messages of the stand-in.
#![allow(unsafe_code, reason = "a foreign interface; each block says why it is sound")]

use std::path::Path;

use windows::Win32::System::LibraryLoader::{GetProcAddress, LoadLibraryW};
use windows::core::{HSTRING, s};

/// The type of `plumbline_standin_said` in `standin.cpp`.
type Said = unsafe extern "C" fn(*mut u8, usize) -> usize;

/// The stand-in, which is never unloaded.
pub struct Standin(Said);

impl Standin {
    /// Loads the stand-in, or returns it if it is already loaded.
    pub fn load(file: &Path) -> Result<Standin, String> {
        let name = HSTRING::from(file.as_os_str());
        // SAFETY: the name outlives the call; the library does nothing when it is loaded.
        let module = unsafe { LoadLibraryW(&name) }.map_err(|error| format!("{}: {error}", file.display()))?;
        // SAFETY: the module stays loaded.
        let function = unsafe { GetProcAddress(module, s!("plumbline_standin_said")) };
        let function = function.ok_or("the library is not the stand-in")?;
        // SAFETY: standin.cpp declares the function with the type `Said`.
        Ok(Standin(unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, Said>(function) }))
    }

    /// Returns the stand-in's messages since the last call, and how many of its objects are alive.
    pub fn said(&self) -> (Vec<String>, i64) {
        let mut text = vec![0; 1 << 20];
        // SAFETY: the function writes at most as many bytes as the buffer has.
        let length = unsafe { (self.0)(text.as_mut_ptr(), text.len()) };
        let text = String::from_utf8_lossy(&text[..length.min(text.len())]).into_owned();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let alive = lines.pop().and_then(|line| line.strip_prefix("alive ")?.parse().ok()).unwrap_or(-1);
        (lines, alive)
    }
}
