//! Says for each backend, operator version and element type whether it is supported, and whether its answers are right.
//!
//! [`support`] reads results and returns a [`Support`], which is plain data in a fixed order. [`Support::markdown`] makes
//! tables for the documentation of a project, [`Support::json`] data by the schema [`SCHEMA`], and [`winml`] the rule
//! files of Microsoft's winml-cli. The same results give the same bytes, whatever their order.

mod collect;
mod features;
mod json;
mod markdown;
mod state;
pub mod winml;

use std::collections::BTreeMap;
use std::path::PathBuf;

use plumbline_conformance::Selection;
use plumbline_spec::OperatorId;

use crate::ReportError;
pub use collect::support;
pub use features::{Failures, FeatureCount};
pub use json::SCHEMA;
pub use state::{State, Tested};

/// The reason why no table of support can be made. Messages name the file or the backend.
#[derive(Debug, thiserror::Error)]
pub enum SupportError {
    /// A file cannot be read, `run.json` is invalid, or a line of the results is not a result.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The same results were given twice, and would count twice.
    #[error("{}: these results are given twice", path.display())]
    Twice {
        /// The results file.
        path: PathBuf,
    },
    /// The files have no results that count.
    #[error("{}: there are no results{wanted}", files.join(", "))]
    NoResults {
        /// The files.
        files: Vec<String>,
        /// Of what there are no results, if only some were asked for.
        wanted: &'static str,
    },
    /// The results have no backend of this name.
    #[error("there are no results of a backend {name}; the results have {}", known.join(", "))]
    UnknownBackend {
        /// The name that was given.
        name: String,
        /// The backends of the results.
        known: Vec<String>,
    },
}

/// What to read, and which part of it to show.
#[derive(Clone, Debug)]
pub struct SupportOptions<'a> {
    /// Folders of runs, or files of results; a file may be compressed with gzip (`.gz`).
    pub results: &'a [PathBuf],
    /// The backends to show: the name, or the name and version (`onnxruntime 1.31.1`, `onnxruntime@1.31.1`). All if
    /// there are none.
    pub backends: &'a [String],
    /// The operators to show.
    pub selection: &'a Selection,
    /// Whether to show only the newest version of each operator that the results have.
    pub newest: bool,
    /// The version of this program. Cases are drawn again, to know their features, only if the results are of this
    /// version.
    pub project_version: &'a str,
}

/// What the backends of one or several runs support.
#[derive(Clone, Debug, PartialEq)]
pub struct Support {
    /// The version of this program.
    pub project_version: String,
    /// The facts about the runs, in the order in which their results were given.
    pub runs: Vec<RunFacts>,
    /// The backends, sorted by name and version.
    pub backends: Vec<BackendSupport>,
    /// What the tables do not show, as sentences.
    pub limits: Vec<String>,
}

/// The facts about a run that decide what its results say.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct RunFacts {
    /// The command.
    pub command: Option<String>,
    /// The time at which the run started.
    pub started: Option<String>,
    /// The seed of its cases.
    pub seed: Option<String>,
    /// The profile.
    pub profile: Option<String>,
    /// The version of Plumbline.
    pub project_version: Option<String>,
}

/// What a backend supports.
#[derive(Clone, Debug, PartialEq)]
pub struct BackendSupport {
    /// The name and version: `onnxruntime 1.31.1`.
    pub backend: String,
    /// The operator versions that any backend of the results was tested with, sorted.
    pub versions: Vec<VersionSupport>,
    /// The operator versions of the specification without a result of this backend.
    pub not_tested: Vec<OperatorId>,
}

/// What a backend does with an operator version.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionSupport {
    /// The operator version.
    pub id: OperatorId,
    /// The types of the first input (or output, if there is no input), first those that are tensors, wide types first.
    pub types: Vec<TypeSupport>,
    /// The failures of all types by their kind, the most frequent first.
    pub failures: Vec<Failures>,
}

/// What a backend does with an operator version and a type of its first input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeSupport {
    /// The type: `float16`, `seq(tensor(float))`; `-` if there is none.
    pub type_: String,
    /// The results of all bindings together.
    pub tested: Tested,
    /// The results of each binding of the type variables. There is none if no case was run.
    pub bindings: BTreeMap<BTreeMap<String, String>, Tested>,
}

impl BackendSupport {
    /// Returns how many types of operator versions are in each state. States without any are left out.
    pub fn totals(&self) -> BTreeMap<State, u64> {
        let mut totals = BTreeMap::new();
        for one in self.versions.iter().flat_map(|version| &version.types) {
            *totals.entry(one.tested.state()).or_default() += 1;
        }
        totals
    }
}
