//! What can be wrong with `specs/`.

use std::path::PathBuf;

/// Why `specs/` could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// A file or folder could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file or folder could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}:{line}: {message}", file.display())]
    Data {
        /// The file, as it was named to the loader.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

impl SpecError {
    pub(crate) fn data(file: impl Into<PathBuf>, line: usize, message: impl Into<String>) -> SpecError {
        SpecError::Data { file: file.into(), line, message: message.into() }
    }
}

/// The line of byte `offset` of `text`, from 1.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}
