//! The front end that everything that reads an ONNX model shares.

mod refusal;

pub use refusal::{Refusal, RefusalKind};
