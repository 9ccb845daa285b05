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
    let is_ours = |entry: &walkdir::DirEntry| entry.file_name() != "target" && entry.file_name() != ".git";
    let entries = walkdir::WalkDir::new(folder).follow_links(true).into_iter().filter_entry(is_ours).flatten();
    let mut found: Vec<PathBuf> =
        entries.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path()).collect();
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
