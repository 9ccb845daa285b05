//! `plumbline worker ...`: runs as a worker process, which Plumbline itself starts (`docs/worker-protocol.md`).

use std::path::PathBuf;

use anyhow::Context;

use crate::backends;
use crate::exit::Exit;

/// Arguments of `plumbline worker`.
#[derive(clap::Args)]
pub struct Args {
    /// The backend to serve.
    #[arg(long)]
    backend: String,
    /// The folder with shared libraries of runtimes.
    #[arg(long)]
    libraries: Option<PathBuf>,
}

/// Runs `plumbline worker`: answers requests until stdin ends.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let mut options = backends::options();
    options.libraries = args.libraries.unwrap_or(options.libraries);
    backends::registry(options).serve(&args.backend).context("the worker ended early")?;
    Ok(Exit::Conforms)
}
