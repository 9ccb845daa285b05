//! What a run writes and reads: results, expectations, coverage, the summary, and the gate.

mod case_result;
mod coverage;
mod error;
mod expectations;
pub mod gate;
mod outcome;
mod recorded;
mod severity;
mod shared;
mod unexpected;

pub use case_result::{Blame, CaseResult, Known, OptimizerFault};
pub(crate) use case_result::{GENERATED, NEGATIVE};
pub use coverage::{Coverage, Goals};
pub use error::RunError;
pub(crate) use error::write;
pub use expectations::{Draft, Expectation, ExpectationError, Expectations};
pub use outcome::{Outcome, Unreached};
pub use recorded::{Recorded, shortened};
pub use severity::Severity;
pub use shared::Base;
pub(crate) use shared::mark_shared;
pub use unexpected::{Cause, Unexpected};
