//! What is known of a run besides its results: `run.json`, written beside `results.jsonl`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ReportError;

/// Facts of a run that no result line carries. Everything a report prints about time or machine comes
/// from here, so that the same input gives the same bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunMeta {
    /// Heading of the report.
    pub title: String,
    /// The command that ran, as one would type it again.
    pub command: Option<String>,
    /// The run's seed.
    pub seed: Option<String>,
    /// Name of the run profile: `smoke`, `ci`, `nightly`.
    pub profile: Option<String>,
    /// When the run started, as text.
    pub started: Option<String>,
    /// Version of Plumbline.
    pub project_version: Option<String>,
    /// Every backend that was asked for, those that never ran included, in the order of the report.
    pub backends: Vec<BackendMeta>,
    /// What the generator reached, of what it knows of.
    pub coverage: Option<Coverage>,
    /// What the report does not say: sentences for the reader ("nothing ran on a real device").
    pub limits: Vec<String>,
}

/// A backend that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackendMeta {
    /// The name that `--backend` takes: `onnxruntime`.
    pub name: String,
    /// Its version; together with the name (`onnxruntime 1.31.1`) it is `backend` in the results.
    #[serde(default)]
    pub version: Option<String>,
    /// By which table of `specs/functions.toml` its functions were judged, and which numbers are its own.
    #[serde(default)]
    pub accuracy: Option<String>,
    /// What its profile declares beyond the defaults: flushed subnormals, wider accuracy.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Whether it ran.
    #[serde(default)]
    pub status: BackendStatus,
    /// Why it did not run.
    #[serde(default)]
    pub why: Option<String>,
}

/// Whether a backend ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackendStatus {
    /// It was started and asked.
    #[default]
    Ran,
    /// It is not at hand on this machine.
    Absent,
    /// It is at hand and did not start.
    CouldNotStart,
}

/// What the generator reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Things counted: cells, attributes given, optional inputs left out.
    pub items: Vec<CoverageItem>,
}

/// One thing counted by [`Coverage`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageItem {
    /// What is counted, in words.
    pub what: String,
    /// How many of it were reached.
    pub reached: u64,
    /// How many there are.
    pub of: u64,
}

impl BackendMeta {
    /// The backend's name in the results: `onnxruntime 1.31.1`.
    pub fn label(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }
}

impl RunMeta {
    /// Reads `run.json`.
    ///
    /// # Errors
    /// The file cannot be read, is not JSON of this form, or has an unknown key; with file and line.
    pub fn read(path: &Path) -> Result<RunMeta, ReportError> {
        let text = std::fs::read_to_string(path).map_err(|source| ReportError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        serde_json::from_str(&text).map_err(|error| ReportError::Meta {
            path: path.to_owned(),
            line: error.line(),
            message: error.to_string(),
        })
    }
}
