//! Packages of npm, and Node, which runs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::{Interpreter, ran};

/// Returns where the files of a package are, if npm installed it into `folder`.
pub(super) fn package_in(folder: &Path, runtime: &str) -> PathBuf {
    folder.join("node_modules").join(runtime)
}

/// Returns Node, and the arguments that tell the adapter where the package is. The error is one line.
pub(super) fn interpreter(folder: &Path, runtime: &str) -> Result<Interpreter, String> {
    let package = package_in(folder, runtime);
    let package = std::path::absolute(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    let adapter_arguments = vec!["--package".into(), package.into()];
    Ok(Interpreter { program: node()?.into(), arguments: Vec::new(), adapter_arguments })
}

/// Installs a package, and what it depends on, into an empty folder. The error is one line.
pub(super) fn install(folder: &Path, package: &str) -> Result<(), String> {
    node()?;
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["install", "--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts", "--loglevel=error"]);
    npm.args(["--fetch-retries=1", "--prefix"]).arg(folder).arg(package);
    ran(&mut npm, "npm").map(|_| ())
}

/// Returns the path of the first Node in `PATH`. The error is one line.
fn node() -> Result<PathBuf, String> {
    let name = if cfg!(windows) { "node.exe" } else { "node" };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.ok_or_else(|| "Node 18 or later is needed, and `node` is not in PATH".to_owned())
}
