//! Tests that this crate reads and writes ONNX's wire format and text syntax as the `onnx` package does, refuses
//! hostile files, and rounds and decodes floats of every format correctly.
#![allow(clippy::unwrap_used, reason = "a test may panic, in its helpers too")]

mod external;
mod floats;
mod hostile;
mod published;
mod syntax;
mod wire;
