//! The summary of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::results::case_result::CaseResult;
use crate::results::unexpected::Unexpected;
use plumbline_judge::{ReasonKind, Verdict};

/// The summary of a run over all backends.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The number of cases that ran. A case counts once, however many backends ran it.
    pub cases: u64,
    /// Results by backend and verdict.
    pub counts: BTreeMap<String, BTreeMap<Verdict, u64>>,
    /// Results that an expectation covers, by backend.
    pub expected: BTreeMap<String, u64>,
    /// The seconds that all backends took together, by operator.
    pub seconds: BTreeMap<String, f64>,
    /// Invalid cases that count as unsupported, by backend: the backend refused the case, but does not answer its valid
    /// twin either.
    pub unjudged: BTreeMap<String, u64>,
    /// Invalid cases that were answered, by backend: their violation is only in values, and the backend declares that it
    /// does not check them.
    pub unchecked: BTreeMap<String, u64>,
    /// The operators that a backend answers far less accurately than others do, although its answers are accepted, with
    /// the largest error in usual errors and the case that has it.
    pub less_accurate: BTreeMap<String, BTreeMap<String, (f64, String)>>,
    /// Results that fail the run, by their cause: faults of a backend, and cases that were not run, unless an
    /// expectation covers them.
    pub unexpected: Unexpected,
    /// The number of results that fail the run.
    pub unexpected_count: u64,
    /// Cases on which the oracle contradicts the generator: it refuses a valid case, or it answers an invalid one or
    /// refuses it for another reason. These are our own errors.
    pub broken: Vec<String>,
    /// The coverage of the cases, by cell and by operator version.
    pub coverage: crate::results::coverage::Coverage,
    /// Expectations that no longer match any result.
    pub stale: Vec<String>,
    /// Expectations that describe more results than they may.
    pub exceeded: Vec<String>,
    /// Pieces of work that produced no result.
    pub missing: Vec<String>,
    /// The work that a run did not reach because it was stopped.
    pub unreached: Option<Unreached>,
    /// Unexpected failures that were not minimized, because there was no time.
    pub not_minimized: u64,
}

/// The work that a stopped run did not reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// Pieces of work that were not reached, or not completed, in the round in which the run was stopped.
    pub pieces: u64,
    /// All pieces of that round.
    pub of: u64,
    /// The number of cases that a piece had before this round, on average. In the first round it is 0.
    pub cases: u64,
    /// Operators of which no case ran.
    pub operators: BTreeSet<String>,
    /// Whether the user stopped the run. Otherwise its time was over.
    pub interrupted: bool,
}

impl fmt::Display for Unreached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = if self.interrupted { "the run was interrupted" } else { "the time of the run was over" };
        let (pieces, of, cases) = (self.pieces, self.of, self.cases);
        match cases {
            0 => write!(f, "{pieces} of {of} pieces of work were not reached, because {why}"),
            _ => write!(f, "{pieces} of {of} pieces of work have no more than {cases} cases, because {why}"),
        }?;
        if !self.operators.is_empty() {
            let names: Vec<&str> = self.operators.iter().map(String::as_str).collect();
            write!(f, "; no case of {} ran", names.join(", "))?;
        }
        Ok(())
    }
}

impl Outcome {
    /// Counts a result and returns whether it fails the run.
    pub(crate) fn count(&mut self, result: &CaseResult) -> bool {
        *self.counts.entry(result.backend.clone()).or_default().entry(result.verdict).or_default() += 1;
        if result.seconds > 0.0 {
            *self.seconds.entry(result.operator()).or_default() += result.seconds;
        }
        if result.reason == Some(ReasonKind::Unchecked) {
            *self.unchecked.entry(result.backend.clone()).or_default() += 1;
        }
        if let Some(ratio) = result.notable_ratio() {
            let operators = self.less_accurate.entry(result.backend.clone()).or_default();
            let worst = operators.entry(result.operator()).or_insert((0.0, String::new()));
            if ratio > worst.0 {
                *worst = (ratio, result.case.clone());
            }
        }
        if result.expected_verdict.is_some() {
            *self.expected.entry(result.backend.clone()).or_default() += 1;
            return false;
        }
        let fails = result.verdict.is_bad() || result.verdict == Verdict::NotRun;
        if fails {
            self.unexpected_count += 1;
            self.unexpected.add(result);
        }
        fails
    }

    pub(crate) fn take(&mut self, other: Outcome) {
        self.cases += other.cases;
        for (backend, count) in other.unjudged {
            *self.unjudged.entry(backend).or_default() += count;
        }
        self.broken.extend(other.broken);
        self.coverage.add(other.coverage);
    }
}
