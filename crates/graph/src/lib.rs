//! The front end that everything shares that reads an ONNX model.

mod refusal;

pub use refusal::{Refusal, RefusalKind};
