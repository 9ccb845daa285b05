//! Downloads a wheel with pip and extracts the files that are needed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const FETCH: &str = include_str!("../../scripts/fetch_onnxruntime.py");

/// What is extracted from a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The library of ONNX Runtime, and `DirectML.dll` if the wheel has it.
    Library,
    /// Everything, because a plug-in loads other files of its wheel.
    Plugin,
    /// The libraries of ONNX Runtime and of its providers for NVIDIA, and CUDA's libraries from NVIDIA's packages.
    Cuda,
    /// TensorRT's libraries from NVIDIA's packages, for a folder with [`Content::Cuda`], which takes the place of the
    /// package's name.
    TensorRt,
}

impl Content {
    fn name(self) -> &'static str {
        match self {
            Content::Library => "library",
            Content::Plugin => "plugin",
            Content::Cuda => "cuda",
            Content::TensorRt => "tensorrt",
        }
    }
}

/// Downloads a version of a package and extracts it into a folder, which appears whole or not at all. The error is one
/// line.
pub fn fetch(package: &str, version: &str, folder: &Path, content: Content) -> Result<(), String> {
    let (pythons, mut reason) = match std::env::var("PLUMBLINE_PYTHON") {
        Ok(python) => {
            let reason = format!("PLUMBLINE_PYTHON is {python}, which does not start");
            (vec![python], reason)
        }
        Err(_) => {
            let pythons = vec!["python3".to_owned(), "python".to_owned()];
            (pythons, "python3, which runs pip, is not on this machine".to_owned())
        }
    };
    for python in pythons {
        match run_fetch(&python, package, version, folder, content) {
            Ok(()) => return Ok(()),
            Err(Some(why)) => {
                reason = why;
                break;
            }
            Err(None) => {}
        }
    }
    Err(reason)
}

/// Runs the script that fetches the wheel; returns `Err(None)` if this Python does not start.
fn run_fetch(
    python: &str,
    package: &str,
    version: &str,
    folder: &Path,
    content: Content,
) -> Result<(), Option<String>> {
    let spawned = Command::new(python)
        .arg("-")
        .arg(version)
        .arg(folder)
        .arg(package)
        .arg(content.name())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.map_err(|_| None)?;
    let in_words = |error: std::io::Error| Some(format!("{python}: {error}"));
    if let Some(mut stdin) = child.stdin.take() {
        // Writing fails if the child has already ended; its exit status then says why.
        let _ = stdin.write_all(FETCH.as_bytes());
    }
    let done = child.wait_with_output().map_err(in_words)?;
    if done.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&done.stderr);
    let last = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    Err(Some(last.unwrap_or("pip failed without a message").to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_reason_why_pip_failed_is_one_line() {
        let run = |python| run_fetch(python, "onnxruntime", "1.0.0", Path::new("nowhere"), Content::Library);
        assert_eq!(run("no-such-python-anywhere"), Err(None));
        assert_eq!(run("false"), Err(Some("pip failed without a message".to_owned())));
        let reason = run("sh").unwrap_err().unwrap();
        assert!(!reason.is_empty() && reason.lines().count() == 1, "{reason}");
    }
}
