//! Tests the house rules that no compiler checks. Each test lists all problems.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod expectations;
mod laws;
mod modules;
mod operators;
mod reasons;
mod texts;

use std::path::{Path, PathBuf};

/// Returns the root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns a path relative to the workspace.
fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string().replace('\\', "/")
}

/// Returns every file below a folder, sorted, except those in folders named `target` or `.git`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            true if matches!(name.as_str(), "target" | ".git") => {}
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Returns the text of a file; empty if it is not text.
fn text(path: &Path) -> String {
    String::from_utf8(std::fs::read(path).unwrap()).unwrap_or_default()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

/// Fails if there are problems.
fn none(problems: Vec<String>, rule: &str) {
    assert!(problems.is_empty(), "{rule}\n{} problems:\n{}", problems.len(), problems.join("\n"));
}
