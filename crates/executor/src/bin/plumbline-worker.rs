//! A worker process for a backend of this crate: `plumbline-worker worker --backend NAME`.

use std::process::ExitCode;

use plumbline_executor::{Options, Registry};

fn main() -> ExitCode {
    match Registry::new(Options::default()).serve_if_asked(std::env::args_os().skip(1)) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
        None => {
            eprintln!("usage: plumbline-worker worker --backend NAME (see docs/worker-protocol.md)");
            ExitCode::from(2)
        }
    }
}
