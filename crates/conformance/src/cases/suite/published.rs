//! The published cases of an ONNX release as `cargo xtask suite fetch` stores them, and any other folder of case
//! folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{CaseFolder, SuiteError};

/// The name of a suite: `onnx:1.23.2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SuiteName {
    version: String,
}

impl SuiteName {
    /// Returns the release of the onnx package: `1.23.2`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the suite's folder below the folder of all suites: `onnx-1.23.2`.
    pub fn dir(&self, suites: &Path) -> PathBuf {
        suites.join(format!("onnx-{}", self.version))
    }
}

impl FromStr for SuiteName {
    type Err = String;

    fn from_str(text: &str) -> Result<SuiteName, String> {
        let version = text.strip_prefix("onnx:").unwrap_or("");
        let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        // The version (1.23.2, 1.22.0rc1) starts with numbers and contains no character that is special in a path or a
        // shell.
        let plain = version.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.');
        if plain && version.split('.').count() >= 2 && version.split('.').take(2).all(number) {
            Ok(SuiteName { version: version.to_owned() })
        } else {
            Err(format!("`{text}` is not a suite; a suite is named by a release of onnx, as in `onnx:1.23.2`"))
        }
    }
}

impl std::fmt::Display for SuiteName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "onnx:{}", self.version)
    }
}

/// The contents of `suite.json`, which says where a suite comes from. It is written last, so a suite that has it is
/// complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name of the suite: `onnx:1.23.2`.
    pub suite: String,
    /// The wheel that the files come from.
    pub wheel: String,
    /// The packages, by name with their version, that computed the cases which the wheel contains only as Python code.
    /// Empty if the wheel contains all cases as files.
    pub computed_by: BTreeMap<String, String>,
    /// The number of cases by kind (`node`, `simple`, ...).
    pub cases: BTreeMap<String, usize>,
}

impl Manifest {
    const FILE: &str = "suite.json";

    /// Reads the manifest of a suite's folder. Returns `None` if the suite is missing or incomplete.
    pub fn read(dir: &Path) -> Result<Option<Manifest>, SuiteError> {
        let path = dir.join(Self::FILE);
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| SuiteError::data(&path, e)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(SuiteError::io(&path)(e)),
        }
    }

    /// Writes the manifest into a suite's folder.
    pub fn write(&self, dir: &Path) -> Result<(), SuiteError> {
        let path = dir.join(Self::FILE);
        let mut text = serde_json::to_string_pretty(self).map_err(|e| SuiteError::data(&path, e))?;
        text.push('\n');
        std::fs::write(&path, text).map_err(SuiteError::io(&path))
    }
}

/// The place of one case of a suite.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseDir {
    /// The kind, which is the name of the folder around the case: `node`. It is empty if the case lies directly in the
    /// suite's folder.
    pub kind: String,
    /// The name of the folder: `test_min_int8`.
    pub name: String,
    /// The path of the folder.
    pub path: PathBuf,
}

impl CaseDir {
    /// Reads the case.
    pub fn read(&self) -> Result<CaseFolder, SuiteError> {
        CaseFolder::read(&self.path)
    }
}

/// Lists every case in `dir` or one level below, sorted by kind and name. A case is a folder that holds a `model.onnx`.
///
/// The cases are not read yet: use [`CaseDir::read`], one after the other or in parallel.
///
/// # Errors
/// Fails if a folder cannot be listed.
pub fn case_dirs(dir: &Path) -> Result<Vec<CaseDir>, SuiteError> {
    let mut cases = Vec::new();
    for (name, path) in folders(dir)? {
        if path.join("model.onnx").is_file() {
            cases.push(CaseDir { kind: String::new(), name, path });
            continue;
        }
        for (case, path) in folders(&path)? {
            if path.join("model.onnx").is_file() {
                cases.push(CaseDir { kind: name.clone(), name: case, path });
            }
        }
    }
    cases.sort();
    Ok(cases)
}

/// Iterates over every case below a folder in the order of [`case_dirs`]. Each case is read when the iterator reaches
/// it.
///
/// # Errors
/// Fails if a folder cannot be listed. A case that cannot be read is an item with an error.
pub fn cases(dir: &Path) -> Result<impl Iterator<Item = (CaseDir, Result<CaseFolder, SuiteError>)>, SuiteError> {
    Ok(case_dirs(dir)?.into_iter().map(|case| {
        let folder = case.read();
        (case, folder)
    }))
}

fn folders(dir: &Path) -> Result<Vec<(String, PathBuf)>, SuiteError> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(SuiteError::io(dir))? {
        let path = entry.map_err(SuiteError::io(dir))?.path();
        if path.is_dir()
            && let Some(name) = path.file_name()
        {
            folders.push((name.to_string_lossy().into_owned(), path));
        }
    }
    Ok(folders)
}
