//! Runs the code of the Windows device against the stand-in for DirectML beside it, under Wine: `plumbline-wine-test STANDIN`.
//! `scripts/windows-run.sh` builds both and starts this. The stand-in computes nothing, and Wine invents the adapter: what is
//! seen here is how the device is opened, fed, read and lost. It is no result of DirectML, and of no hardware.

// What they use, `thiserror::Error` and `sha2::Sha256`, this crate depends on for them.
#[cfg(windows)]
#[path = "../../../src"]
#[allow(dead_code, reason = "parts of another crate, of which this uses some")]
mod directml {
    pub mod abi;
    pub mod device;
    pub mod packed;
}
#[cfg(windows)]
use directml::{abi, device, packed};

#[cfg(windows)]
mod checks;
#[cfg(windows)]
mod standin;

#[cfg(windows)]
fn main() -> std::process::ExitCode {
    checks::run()
}

#[cfg(not(windows))]
fn main() {
    eprintln!("This runs on Windows and under Wine: see scripts/windows-run.sh.");
}
