//! The errors of this crate.

use std::path::PathBuf;

/// The reason why a report could not be made. A message about a file has the path of the file. If a line of the file is
/// wrong, the message also has the number of the line.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file could not be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The action that failed: `read`, `write` or `create`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A line of the results is not a result.
    #[error("{}:{line}: not a line of results: {message}", path.display())]
    Line {
        /// The results file.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
        /// What is wrong with the line.
        message: String,
    },
    /// `run.json` is invalid.
    #[error("{}:{line}: not the facts of a run: {message}", path.display())]
    Meta {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the file.
        message: String,
    },
    /// There are more combinations of operator version, types and backend, or of suite and backend, than any run has.
    /// The input is damaged, or is not a results file.
    #[error(
        "the results have more than {limit} combinations of operator version, types and backend, or of suite and \
         backend; the last cell in the order of the report is {cell} on {backend}"
    )]
    TooManyCells {
        /// The limit that was reached.
        limit: usize,
        /// The operator version of the last cell in the order of the report.
        cell: String,
        /// The last backend of that cell.
        backend: String,
    },
    /// A template of the page is broken. This is a bug in this project.
    #[error("the template of the page could not be rendered")]
    Template(#[from] minijinja::Error),
    /// The JUnit file could not be written as XML.
    #[error("the JUnit file could not be serialized")]
    Junit(#[from] quick_junit::SerializeError),
    /// A summary, a comparison or a file of a site could not be written as JSON.
    #[error("a value could not be serialized as JSON")]
    Json(#[from] serde_json::Error),
}
