//! Finds and fetches ONNX Runtime's shared library: `pip` downloads the wheel of a version, and the library is
//! extracted from it into `LIBRARIES/onnxruntime/VERSION/`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A pip package that contains the library, and the version that is used by default.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// The name of the package.
    pub name: &'static str,
    /// The version that is used if none is requested.
    pub default_version: &'static str,
}

/// ONNX Runtime for the CPU.
pub const USUAL: Package = Package { name: "onnxruntime", default_version: "1.31.1" };

/// ONNX Runtime with the DirectML provider, for Windows only. The wheel contains a `DirectML.dll`, which the library
/// loads.
pub const DIRECTML: Package = Package { name: "onnxruntime-directml", default_version: "1.24.4" };

const FETCH: &str = include_str!("../../scripts/fetch_onnxruntime.py");

impl Package {
    fn folder(self, libraries: &Path, version: &str) -> PathBuf {
        libraries.join(self.name).join(version)
    }

    /// Returns the library of a version if it is installed.
    pub fn find(self, libraries: &Path, version: &str) -> Option<PathBuf> {
        let is_library = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libonnxruntime.") || name == "onnxruntime.dll"
        };
        let entries = std::fs::read_dir(self.folder(libraries, version)).ok()?;
        entries.flatten().map(|entry| entry.path()).find(is_library)
    }

    /// Returns the installed versions, in numerical order.
    pub fn versions(self, libraries: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(libraries.join(self.name)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut versions: Vec<String> = names.filter(|name| self.find(libraries, name).is_some()).collect();
        versions.sort_by_key(|version| version.split('.').map(|n| n.parse::<u64>().unwrap_or(0)).collect::<Vec<_>>());
        versions
    }

    /// Fetches the library of a version if it is not installed. The error is one line.
    pub fn fetch(self, libraries: &Path, version: &str) -> Result<PathBuf, String> {
        if let Some(library) = self.find(libraries, version) {
            return Ok(library);
        }
        if version.is_empty() || !version.chars().all(|c| c.is_ascii_alphanumeric() || c == '.') {
            return Err(format!("`{version}` is not a version of ONNX Runtime"));
        }
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
            match run_fetch(&python, self.name, &self.folder(libraries, version), version) {
                Ok(()) => break,
                Err(Some(why)) => {
                    reason = why;
                    break;
                }
                Err(None) => {}
            }
        }
        self.find(libraries, version).ok_or_else(|| {
            format!("{} {version} is not on this machine and cannot be downloaded with pip: {reason}", self.name)
        })
    }
}

/// Runs the script that fetches the library; returns `Err(None)` if this python does not exist.
fn run_fetch(python: &str, package: &str, folder: &Path, version: &str) -> Result<(), Option<String>> {
    let spawned = Command::new(python)
        .arg("-")
        .arg(version)
        .arg(folder)
        .arg(package)
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

    #[test]
    fn available_versions_are_sorted_and_have_a_library() {
        let libraries = std::env::temp_dir().join(format!("plumbline-libraries-{}", std::process::id()));
        for version in ["1.31.1", "1.9.0", "1.23.2"] {
            std::fs::create_dir_all(USUAL.folder(&libraries, version)).unwrap();
            std::fs::write(USUAL.folder(&libraries, version).join(format!("libonnxruntime.so.{version}")), "").unwrap();
        }
        std::fs::create_dir_all(USUAL.folder(&libraries, "1.10.0")).unwrap();
        assert_eq!(USUAL.versions(&libraries), ["1.9.0", "1.23.2", "1.31.1"]);
        assert!(USUAL.find(&libraries, "1.10.0").is_none());
        std::fs::remove_dir_all(&libraries).unwrap();
        assert!(USUAL.versions(&libraries).is_empty());
        let reason = USUAL.fetch(&libraries, "../../etc").unwrap_err();
        assert_eq!(reason, "`../../etc` is not a version of ONNX Runtime");
    }

    #[cfg(unix)]
    #[test]
    fn the_reason_why_pip_failed_is_one_line() {
        let folder = Path::new("nowhere");
        assert_eq!(run_fetch("no-such-python-anywhere", "onnxruntime", folder, "1.0.0"), Err(None));
        assert_eq!(
            run_fetch("false", "onnxruntime", folder, "1.0.0"),
            Err(Some("pip failed without a message".to_owned()))
        );
        let reason = run_fetch("sh", "onnxruntime", folder, "1.0.0").unwrap_err().unwrap();
        assert!(!reason.is_empty() && reason.lines().count() == 1, "{reason}");
    }
}
