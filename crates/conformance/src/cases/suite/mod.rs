//! Published cases in the folder form of ONNX.

mod folder;
mod published;

pub use folder::{CaseFolder, DataSet, SuiteError, read_inputs, read_outputs};
pub(crate) use folder::{listing, read_value};
pub use published::{CaseDir, Manifest, SuiteName, case_dirs, cases};
