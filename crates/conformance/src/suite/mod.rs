//! Published cases in the folder form of ONNX.

mod folder;
mod published;

pub use folder::{CaseFolder, DataSet, SuiteError};
pub use published::{CaseDir, Manifest, SuiteName, case_dirs, cases};
