//! Runs cases on backends, judges them against the oracle, and keeps what came out.

mod backends;
pub mod behaviour;
mod coverage;
mod expectations;
pub mod harness;
mod judge;
mod minimize;
pub mod mutants;
mod near;
mod outcome;
mod posed;
pub mod regressions;
mod repro;
mod rerun;
mod run;
mod selection;
mod signature;
pub mod suite;
mod suite_run;
mod tightness;
pub mod twin;
mod verdict;

pub use backends::{Opener, Subject};
pub use coverage::Coverage;
pub use expectations::{Blame, Expectation, ExpectationError, Expectations};
pub use judge::{Judgement, Right, element, judge};
pub use minimize::{Budget, minimize};
pub use outcome::Outcome;
pub use posed::{output_shapes, posed};
pub use repro::{Failure, answers};
pub use rerun::{Further, Objection, Other, Runs};
pub use run::{Progress, Run, RunError, Settings, Work};
pub use selection::Selection;
pub use suite_run::{SuiteCase, Tolerance, case_of_model, suite_cases};
pub use tightness::{RELATIVE, Widths, is_elementwise, median, tightness};
pub use verdict::{CaseResult, FailKind, Verdict};
