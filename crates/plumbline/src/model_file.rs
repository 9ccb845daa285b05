//! Reads files with models.

use std::path::Path;

use anyhow::Context;
use plumbline_tensor::{Model, SyntaxError, load_model};

/// Reads a model from a `.txt` file in ONNX's text syntax, or from an `.onnx` file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Model> {
    if path.extension().is_some_and(|extension| extension == "txt") {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        return text.parse().map_err(|error: SyntaxError| anyhow::anyhow!("{}: {error}", path.display()));
    }
    Ok(load_model(path)?)
}
