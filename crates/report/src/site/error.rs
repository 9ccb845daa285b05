//! The errors of a site.

use std::path::PathBuf;

use crate::ReportError;

/// The reason why a site could not be made. A message about a file or a folder says which one.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// Results cannot be read, or pages cannot be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A folder is neither a run nor a site and has no history files, or there are no results in it.
    #[error(
        "{}: no results here: a run has results.jsonl and run.json, a site has site.json, and other folders have \
         files *.jsonl.gz that `plumbline site` wrote",
        path.display()
    )]
    NoResults {
        /// The folder.
        path: PathBuf,
    },
    /// A run still goes on, or was killed.
    #[error(
        "{}: this run did not end: it still goes on, or it was killed; wait for it, or let `conformance --resume` \
         finish it",
        path.display()
    )]
    Unfinished {
        /// The folder of the run.
        path: PathBuf,
    },
    /// The last line of the results is cut off.
    #[error("{}: the last line is cut off, so results are missing", path.display())]
    CutOff {
        /// The results file.
        path: PathBuf,
    },
    /// A folder has only a part (shard) of a run.
    #[error("{}: this is part {shard} of a run; `merge` joins the parts", path.display())]
    Shard {
        /// The folder of the run.
        path: PathBuf,
        /// Which part: `2/8`.
        shard: String,
    },
    /// `run.json` does not say what a site needs to know.
    #[error("{}: it does not say the {what} of the run", path.display())]
    NotSaid {
        /// The file.
        path: PathBuf,
        /// What it does not say.
        what: &'static str,
    },
    /// There are results of a backend, but `run.json` does not say that this backend ran.
    #[error(
        "{}: there are results of {backend}, but run.json in the same folder does not list {backend} as a backend \
         that ran",
        path.display()
    )]
    UnknownBackend {
        /// The results file.
        path: PathBuf,
        /// The backend in the results.
        backend: String,
    },
    /// A run has two results of a case.
    #[error("{}: there are two results of {backend} for the case {case}, so this is not one run", path.display())]
    TwoResults {
        /// The results file.
        path: PathBuf,
        /// The backend.
        backend: String,
        /// The case.
        case: String,
    },
    /// Two runs of the same backend and version started in the same minute.
    #[error(
        "two runs of {backend} started at {started}: {} and {}; leave one of them out",
        paths[0].display(), paths[1].display()
    )]
    SameRun {
        /// The name and version of the backend.
        backend: String,
        /// When both started, to the minute.
        started: String,
        /// Where they are.
        paths: Box<[PathBuf; 2]>,
    },
    /// A history file is damaged, or has another format.
    #[error("{}:{line}: not a valid history file: {message}", path.display())]
    History {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the line.
        message: String,
    },
    /// The folder for the site is neither empty nor a site.
    #[error(
        "{}: this is not a site (it has no site.json that `plumbline site` wrote), so it is not replaced; name \
         another folder, or empty this one",
        path.display()
    )]
    NotASite {
        /// The folder.
        path: PathBuf,
    },
}

impl SiteError {
    /// Wraps an error of the operating system.
    pub(super) fn io(action: &'static str, path: &std::path::Path, source: std::io::Error) -> SiteError {
        ReportError::Io { action, path: path.to_owned(), source }.into()
    }
}

impl From<minijinja::Error> for SiteError {
    fn from(error: minijinja::Error) -> SiteError {
        ReportError::from(error).into()
    }
}

impl From<serde_json::Error> for SiteError {
    fn from(error: serde_json::Error) -> SiteError {
        ReportError::from(error).into()
    }
}
