//! The front end that all readers of ONNX models share: how names are resolved, what a node of any operator has to
//! satisfy, which values its attributes have, what a call of a model's function means, and how a pattern of
//! RegexFullMatch is read.
//!
//! The oracle, the `cpu` backend and the lowering to DirectML use it. It computes nothing and knows no kernels and no
//! backends.

mod attributes;
mod check;
mod function;
mod library;
pub mod names;
pub mod re2;
mod refusal;

pub use attributes::Attributes;
pub use check::{check, is_type_of};
pub use function::{FunctionCall, domain_of};
pub use library::Library;
pub use refusal::{Limit, Refusal, RefusalKind};
