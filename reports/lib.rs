//! Templates of the report, known verdicts of backends, and how versions of operators differ.

use include_dir::{Dir, include_dir};

/// The files of this folder.
pub static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR");
