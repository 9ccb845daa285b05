//! What a run writes and reads: results, expectations, coverage, the summary, and the gate.

mod case_result;
mod coverage;
mod error;
mod expectations;
pub mod gate;
mod outcome;
mod recorded;
mod unexpected;

pub use case_result::{Blame, CaseResult, Known};
pub use coverage::{Coverage, Goals};
pub use error::RunError;
pub(crate) use error::write;
pub use expectations::{Draft, Expectation, ExpectationError, Expectations};
pub use outcome::{Outcome, Unreached};
pub use recorded::{Recorded, shortened};
pub use unexpected::{Cause, Unexpected};
