//! Runs cases on backends: the [`Backend`] trait, the [`Runner`] trait, which runs cases on a backend and survives its
//! failures, and [`worker`] processes.

mod backend;
pub mod mock;
mod plain;
mod runner;
pub mod worker;

pub use backend::{Backend, Identity, Prepared, Profile};
pub use plumbline_graph::{Refusal, RefusalKind};
pub use plumbline_spec::Ulp;
pub use runner::{Job, Local, Observation, Runner, observe};
pub use worker::StartError;
