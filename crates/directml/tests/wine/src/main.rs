//! Runs the code of the Windows device under Wine against a stand-in for DirectML: `plumbline-wine-test STANDIN`.
//! `scripts/windows-run.sh` builds both and starts the program. The stand-in computes nothing, and Wine invents the
//! adapter, so this tests only how the device is opened, fed, read and lost. The results say nothing about DirectML or
//! any hardware. The program also tests that job objects end the processes of workers.

// The shared modules use `thiserror::Error`, `sha2::Sha256` and `win32job::Job`, so this crate depends on thiserror,
// sha2 and win32job.
#[cfg(windows)]
#[path = "../../../src"]
#[allow(dead_code, reason = "parts of another crate, of which this uses some")]
mod directml {
    pub mod abi;
    pub mod device;
    pub mod packed;
}
#[cfg(windows)]
use directml::{abi, device};

#[cfg(windows)]
mod checks;
#[cfg(windows)]
#[path = "../../../../backend/src/worker/job.rs"]
mod job;
#[cfg(windows)]
mod standin;
#[cfg(windows)]
mod workers;

#[cfg(windows)]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    workers::part(&arguments).unwrap_or_else(checks::run)
}

#[cfg(not(windows))]
fn main() {
    eprintln!("This runs on Windows and under Wine: see scripts/windows-run.sh.");
}
