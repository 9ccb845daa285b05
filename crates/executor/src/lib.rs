//! What runs a case: the [`Backend`] trait, and [`reference`], the oracle that says what is right.
//!
//! [`Runner`] runs cases on a backend and survives it, in this process or in a [`worker`]; [`Registry`] starts
//! runners by name.

mod backend;
pub mod cpu;
pub mod directml;
pub mod mock;
#[cfg(feature = "onnxruntime")]
pub mod onnxruntime;
pub mod reference;
mod refusal;
mod registry;
#[cfg(feature = "rten")]
pub mod rten;
mod runner;
pub mod stamp;
#[cfg(feature = "tract")]
pub mod tract;
pub mod worker;
pub use refusal::labels;

pub use backend::{Backend, Identity, Prepared, Profile, Ulp};
pub use refusal::{Label, Refusal, RefusalKind};
pub use registry::{Available, BackendName, Options, Registry};
pub use runner::{Job, Local, Observation, Runner, observe};
pub use worker::StartError;
