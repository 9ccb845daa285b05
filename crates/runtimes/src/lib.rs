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
pub(crate) use plumbline_backend::{Backend, Identity, Prepared, Profile, at_once};

/// Returns the identity of a runtime whose graph optimizer may be switched off. The version says so, because the answers
/// depend on it.
#[cfg(any(feature = "rten", feature = "tract"))]
fn identity(name: &str, version: &str, is_optimized: bool) -> Identity {
    let setting = if is_optimized { "" } else { ",optimization=none" };
    Identity { name: name.to_owned(), version: format!("{version}{setting}") }
}
