//! The house rules that no compiler checks. Each test collects everything that is wrong and names it.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod expectations;
mod laws;
mod operators;
mod texts;

use std::path::{Path, PathBuf};

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A path as people write it.
fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string().replace('\\', "/")
}

/// Every file of the project below a folder, sorted; what Git ignores and Cargo writes is no part of it.
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

/// The text of a file; nothing for one that is not text.
fn text(path: &Path) -> String {
    String::from_utf8(std::fs::read(path).unwrap()).unwrap_or_default()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

/// Fails where anything is wrong.
fn none(problems: Vec<String>, rule: &str) {
    assert!(problems.is_empty(), "{rule}\n{} problems:\n{}", problems.len(), problems.join("\n"));
}
