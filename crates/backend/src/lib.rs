//! Runs cases on backends. A [`Backend`] runs models. A [`Runner`] runs cases on a backend and survives the backend's
//! failures. The module [`worker`] runs a backend in a process of its own.

mod backend;
pub mod mock;
mod overlay;
mod plain;
mod runner;
pub mod worker;

pub use backend::{Backend, Identity, Prepared, Profile, at_once};
pub use overlay::{Overlay, OverlayError};
pub use plumbline_graph::{Refusal, RefusalKind};
pub use plumbline_spec::Ulp;
pub use runner::{GarbageKind, Job, Local, Observation, Runner, observe};
pub use worker::{StartError, StartFault};
