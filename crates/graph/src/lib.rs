//! The front end that everything that reads an ONNX model shares: how names are resolved, what a node has to satisfy whatever its operator is,
//! and what a call of a model's function means.
//!
//! The oracle, the `cpu` backend and the lowering to DirectML use it. It computes nothing and knows no kernels and no backends.

mod check;
mod function;
mod library;
pub mod names;
mod refusal;

pub use check::{check, is_type_of};
pub use function::{FunctionCall, domain_of};
pub use library::Library;
pub use refusal::{Refusal, RefusalKind};
