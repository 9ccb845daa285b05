//! The errors of loading and writing `specs/`.

use std::path::{Path, PathBuf};

/// Why `specs/` could not be loaded or written.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// A file or folder could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file or folder could not be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file has wrong content.
    #[error("{}:{line}: {message}", file.display())]
    Data {
        /// The path of the file, as the loader received it.
        file: PathBuf,
        /// The line number, from 1.
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

/// Reads a TOML file. `file` is the path in error messages.
///
/// # Errors
/// Returns an error that names the line if the text is not TOML, or does not have the form of `T`.
pub(crate) fn parse_toml<T: serde::de::DeserializeOwned>(file: &Path, text: &str) -> Result<T, SpecError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        SpecError::data(file, line, error.message())
    })
}

/// Returns the line number, from 1, of byte `offset` of `text`.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}
