//! Runs cases on backends, judges the answers against the oracle, and records the results.
//!
//! Each folder is a part with one door, its `mod.rs`. From the lowest one up: `cases` (what runs), `subjects` (the
//! backends), `results` (what is recorded), `examining` (one case on one backend), `running` (all of them). On these stand
//! `corpus`, `selftest`, [`behaviour`], [`model`], [`probing`] and [`harness`]. Verdicts come from the crate `plumbline-judge`.

pub mod behaviour;
mod cases;
mod corpus;
mod examining;
pub mod harness;
pub mod model;
pub mod probing;
mod results;
mod running;
mod selftest;
mod subjects;

pub use cases::{
    Selection, SuiteCase, case_of_model, excerpts, graphs, mutated, regressions, suite, suite_cases, twin,
};
pub use corpus::FORMAT as CORPUS_FORMAT;
pub use corpus::{Encoding, Export, ExportError, Exported, JUDGE};
pub use examining::{
    Budget, Failure, Finding, Further, Objection, Other, PreparedCase, REPLAY_DEADLINE_MS, Runs, Tolerance,
    all_answers, answers, examine, examine_folder, examine_one, minimize, quoted, replay_command, right, short_answers,
    smaller, write_failure,
};
pub use plumbline_judge::{
    ElementJudgement, FailKind, Judgement, NOTABLE_RATIO, Reason, ReasonKind, Right, Scalar, Verdict, element,
    inaccuracy, judge, output_shapes,
};
pub use results::{
    Base, Blame, CaseResult, Cause, Coverage, Draft, Expectation, ExpectationError, Expectations, Goals, Known,
    OptimizerFault, Outcome, Recorded, RunError, Severity, Unexpected, Unreached, gate, shortened,
};
pub use running::{Advance, Interrupt, Minimization, Progress, Run, Settings, Work, merge};
pub use selftest::{RELATIVE, Row, Widths, is_elementwise, median, mutants, tightness, widest_rows};
pub use subjects::{Jobs, Opener, Optimizer, Pack, Role, Scaling, Subject, doctor};
