//! Published cases, in the folder form ONNX uses.

mod folder;
mod published;

pub use folder::{CaseFolder, DataSet, SuiteError};
pub use published::{CaseDir, Manifest, SuiteName, case_dirs, cases};
