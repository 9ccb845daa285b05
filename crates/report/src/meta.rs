//! The facts about a run besides its results: `run.json`, which is written beside `results.jsonl`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ReportError;

/// The facts about a run besides its results. All dates and machine names in a report come from here, so that the same
/// input gives the same bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunMeta {
    /// The heading of the report.
    pub title: String,
    /// The command that was run, as a user would type it again.
    pub command: Option<String>,
    /// The seed of the run.
    pub seed: Option<String>,
    /// The name of the run profile: `smoke`, `ci`, `nightly`.
    pub profile: Option<String>,
    /// If the run is a shard, its number and the number of all shards: `2/8`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The time at which the run started, as text.
    pub started: Option<String>,
    /// The version of Plumbline.
    pub project_version: Option<String>,
    /// All requested backends, including those that never ran, in the order of the report.
    pub backends: Vec<BackendMeta>,
    /// How much the run reached of what the generator can produce.
    pub coverage: Option<Coverage>,
    /// Why results are missing, if the run has not ended, or was killed or interrupted.
    pub incomplete: Option<String>,
    /// Whether the run had not ended when `run.json` was written: it still goes on, or was killed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
    /// Limits of the report, as sentences for the reader ("nothing ran on a real device").
    pub limits: Vec<String>,
}

impl RunMeta {
    /// Returns the program with which the commands in a report begin: `plumbline` if the command of the run begins with
    /// it, and otherwise `cargo xtask`.
    pub fn program(&self) -> &'static str {
        let is_installed = self.command.as_deref().is_some_and(|command| command.starts_with("plumbline "));
        if is_installed { "plumbline" } else { "cargo xtask" }
    }
}

/// A requested backend.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackendMeta {
    /// The name for `--backend`: `onnxruntime`.
    pub name: String,
    /// The version. Together with the name it is the field `backend` of results: `onnxruntime 1.31.1`.
    #[serde(default)]
    pub version: Option<String>,
    /// The name that selects the backend on the command line: `onnxruntime@1.31.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// The table of `specs/functions.toml` by which the backend's functions were judged, and the functions for which
    /// its profile declares other numbers.
    #[serde(default)]
    pub accuracy: Option<String>,
    /// What the backend's profile declares beyond the defaults: flushed subnormals, wider accuracy.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Whether the backend ran.
    #[serde(default)]
    pub status: BackendStatus,
    /// Why the backend did not run.
    #[serde(default)]
    pub why: Option<String>,
}

/// Whether a backend ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackendStatus {
    /// The backend was started and received cases.
    #[default]
    Ran,
    /// The backend is not available on this machine.
    Absent,
    /// The backend is available, but did not start.
    CouldNotStart,
}

/// How much the run reached of what the generator can produce.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// The counted items: cells, attributes given, optional inputs left out.
    pub items: Vec<CoverageItem>,
}

/// An item that [`Coverage`] counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageItem {
    /// What is counted, in words.
    pub what: String,
    /// How many of these the run reached.
    pub reached: u64,
    /// How many of these there are.
    pub of: u64,
}

impl BackendMeta {
    /// Returns the backend's name in the results: `onnxruntime 1.31.1`.
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
    /// Fails if the file cannot be read, is not valid JSON of this format, or has an unknown key. The error has the
    /// file and line.
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
