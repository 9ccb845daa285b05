//! Packages of npm, and Node, which runs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::{COMPLETE, Interpreter, not_fetched, ran};

/// Returns the folder of a package in the folder that npm installed it into.
fn package_in(folder: &Path, runtime: &str) -> PathBuf {
    folder.join("node_modules").join(runtime)
}

/// Returns Node's path, and the arguments that name the installed package. The error is one line.
pub(super) fn interpreter(
    runtime: &str,
    folder: &Path,
    name: &str,
    version: Option<&str>,
) -> Result<Interpreter, String> {
    let package = package_in(folder, runtime);
    if !folder.join(COMPLETE).is_file() || !package.is_dir() {
        return Err(not_fetched(name, version, "npm"));
    }
    let node = node().ok_or("Node is needed, and `node` is not in PATH")?;
    let package = std::path::absolute(&package).map_err(|error| format!("{}: {error}", package.display()))?;
    Ok(Interpreter {
        program: node.into(),
        arguments: Vec::new(),
        adapter_arguments: vec!["--package".into(), package.into()],
    })
}

/// Installs a package, and what it depends on, into an empty folder. The error is one line.
pub(super) fn install(folder: &Path, package: &str) -> Result<(), String> {
    if node().is_none() {
        return Err("Node is needed, and `node` is not in PATH".to_owned());
    }
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["install", "--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts", "--loglevel=error"]);
    npm.args(["--fetch-retries=1", "--prefix"]).arg(folder).arg(package);
    ran(&mut npm, "npm")
}

/// Returns the path of the first Node in `PATH`.
fn node() -> Option<PathBuf> {
    let name = if cfg!(windows) { "node.exe" } else { "node" };
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
