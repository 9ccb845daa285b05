//! Tests the built program `plumbline` from the outside. Most tests compare its output with a file in `snapshots/`,
//! which has the commands in the order in which they ran, each with its output and its exit code.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

#[cfg(unix)]
mod action;
mod canonical;
mod compare;
mod directml;
mod doctor;
mod empty_folder;
mod errors;
mod export;
mod failure;
mod judge;
mod judged_by;
mod merge;
mod models;
mod pieces;
mod project;
mod python;
mod readme;
mod rewriters;
mod site;
mod specifications;
#[cfg(unix)]
mod stops;
mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `plumbline` in a folder, with the given cache folder.
fn plumbline(folder: &Path, cache: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("PLUMBLINE_CACHE", cache)
        .env("NO_COLOR", "1")
        .env_remove("GITHUB_ACTIONS");
    // A user's shell does not have the variables that Cargo sets for tests.
    std::env::vars().filter(|(name, _)| name.starts_with("CARGO")).for_each(|(name, _)| _ = command.env_remove(name));
    command.output().unwrap()
}

/// Copies a folder with everything in it.
fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy_folder(&path, &to),
            false => _ = std::fs::copy(&path, &to).unwrap(),
        }
    }
}

/// Commands that run one after the other in a folder of their own, and their output.
struct Session {
    folder: tempfile::TempDir,
    cache: tempfile::TempDir,
    printed: String,
}

impl Session {
    fn new() -> Session {
        Session { folder: tempfile::tempdir().unwrap(), cache: tempfile::tempdir().unwrap(), printed: String::new() }
    }

    /// Returns a path in the folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    /// Runs `plumbline` and adds its output to `printed`. If `plumbline` panics, the test fails.
    #[track_caller]
    fn run(&mut self, arguments: &[&str]) {
        let output = plumbline(self.folder.path(), self.cache.path(), arguments);
        let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
        assert!(!text.contains("thread 'main'"), "{arguments:?}\n{text}");
        let quoted = |argument: &&str| match argument.contains(' ') {
            true => format!("'{argument}'"),
            false => (*argument).to_owned(),
        };
        let command: Vec<String> = arguments.iter().map(quoted).collect();
        writeln!(self.printed, "$ plumbline {}", command.join(" ")).unwrap();
        self.printed += &text;
        writeln!(self.printed, "exit code {}\n", output.status.code().unwrap()).unwrap();
    }

    /// Adds a line that says what is different for the next command.
    fn note(&mut self, text: &str) {
        writeln!(self.printed, "# {text}").unwrap();
    }

    /// Adds the text of a file in the folder.
    fn show(&mut self, name: &str) {
        let text = std::fs::read_to_string(self.path(name)).unwrap();
        writeln!(self.printed, "# {name}\n{}\n", text.trim_end()).unwrap();
    }

    /// Returns the output without what varies from run to run and from machine to machine.
    fn printed(&self) -> String {
        redacted(&self.printed, self.folder.path())
    }
}

/// Replaces the folder of the test, durations, numbers of processes and the version of the backend `cpu` by names in
/// brackets.
fn redacted(text: &str, folder: &Path) -> String {
    let text = text.replace(&folder.display().to_string(), "[folder]");
    let text = text.replace(&format!("cpu {}", env!("CARGO_PKG_VERSION")), "cpu [version]");
    let seconds = regex::Regex::new(r"[0-9]+\.[0-9]+ s(?-u:\b)").unwrap();
    let text = seconds.replace_all(&text, "[seconds] s");
    let share = regex::Regex::new("with [0-9.]+ of its processes").unwrap();
    share.replace_all(&text, "with [number] of its processes").into_owned()
}

#[test]
fn folders_durations_and_versions_are_redacted() {
    let redacted = |text: &str| redacted(text, Path::new("/some/folder"));
    let text = format!("cpu {}: 4 cases, 12.3 s; /some/folder/out", env!("CARGO_PKG_VERSION"));
    assert_eq!(redacted(&text), "cpu [version]: 4 cases, [seconds] s; [folder]/out");
    let share = redacted("with 1.5 of its processes busy");
    assert_eq!(share, "with [number] of its processes busy");
}
