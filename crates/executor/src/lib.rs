//! Starts backends by name, in this process or in a worker: see [`Registry`]. The backends that it starts are
//! re-exported here.
//!
//! The backends [`cpu`] and [`directml`] are crates of their own, each behind a feature. The features `rten`,
//! `onnxruntime` and `tract` add the runtimes of these names.

mod oracle_backend;
mod registry;

#[cfg(feature = "cpu")]
pub use plumbline_cpu as cpu;
#[cfg(feature = "directml")]
pub use plumbline_directml as directml;
pub use plumbline_oracle as oracle;
pub use plumbline_runtimes::adapter;
#[cfg(feature = "onnxruntime")]
pub use plumbline_runtimes::onnxruntime;
#[cfg(feature = "rten")]
pub use plumbline_runtimes::rten;
#[cfg(feature = "tract")]
pub use plumbline_runtimes::tract;
pub use plumbline_runtimes::{snippet, stamp};

pub use oracle_backend::{ORACLE, OracleBackend};
pub use plumbline_backend::{
    Backend, Identity, Job, Local, Observation, Prepared, Profile, Refusal, RefusalKind, Runner, StartError, Ulp, mock,
    observe, worker,
};
pub use plumbline_spec::{Label, rule};
pub use registry::{Available, BackendName, Options, Registry};
