//! Third-party runtimes as backends: ONNX Runtime, rten and tract, each behind a feature of its name, and runtimes that
//! are used from another language ([`adapter`]).

pub mod adapter;
#[cfg(feature = "onnxruntime")]
pub mod onnxruntime;
#[cfg(feature = "rten")]
pub mod rten;
pub mod snippet;
pub mod stamp;
#[cfg(feature = "tract")]
pub mod tract;

pub(crate) use plumbline_backend::Refusal;
#[cfg(any(feature = "onnxruntime", feature = "rten", feature = "tract"))]
pub(crate) use plumbline_backend::{Backend, Identity, Prepared, Profile};
