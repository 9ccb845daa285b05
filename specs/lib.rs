//! What ONNX and DirectML say of every operator, as text: the files of this folder.

use include_dir::{Dir, include_dir};

/// The files of this folder.
pub static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR");
