//! Why a run ends early.

use std::path::{Path, PathBuf};

/// The reason why a run ended early. Results found until then are on disk.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be written or read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The results of a stopped run cannot be continued.
    #[error("{0}")]
    Resume(String),
    /// A case folder cannot be read, or its description cannot be written.
    #[error("{0}")]
    Suite(String),
}

/// Writes a file. The error names the path.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    std::fs::write(path, bytes).map_err(|source| RunError::Io { path: path.to_owned(), source })
}
