//! What cases are made of: edge values, run profiles, goals, images, and the cases that are kept for good.

use include_dir::{Dir, include_dir};

/// The files of this folder.
pub static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR");
