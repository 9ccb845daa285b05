//! Checks tensors and models: ONNX's two formats are read and written as the `onnx` package does, hostile files are
//! refused, and floats of every format are exact.
#![allow(clippy::unwrap_used, reason = "a test may panic, in its helpers too")]

mod external;
mod floats;
mod hostile;
mod published;
mod syntax;
mod wire;
