//! The summary of a run.

use std::collections::BTreeMap;

use crate::{CaseResult, Verdict};

/// The largest number of lines in [`Outcome::unexpected`].
const MOST_LINES: usize = 200;

/// The summary of a run over all backends.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Cases run. A case counts once, however many backends ran it.
    pub cases: u64,
    /// Results by backend and verdict.
    pub counts: BTreeMap<String, BTreeMap<Verdict, u64>>,
    /// Results that an expectation covers, by backend.
    pub expected: BTreeMap<String, u64>,
    /// Invalid cases that count as unsupported, by backend: the backend refused the case, but does not answer its valid
    /// twin either.
    pub unjudged: BTreeMap<String, u64>,
    /// Results that fail the run, as lines for people: neither passed nor covered by an expectation. Only the first
    /// ones are kept.
    pub unexpected: Vec<String>,
    /// The number of results that fail the run.
    pub unexpected_count: u64,
    /// Cases where the oracle refuses a valid case or answers an invalid one. These are our own errors.
    pub broken: Vec<String>,
    /// The coverage of the cases, by cell and by operator version.
    pub coverage: crate::Coverage,
    /// Expectations that no longer match any result.
    pub stale: Vec<String>,
    /// Pieces of work that produced no result.
    pub missing: Vec<String>,
}

impl Outcome {
    /// Counts a result and returns whether it fails the run.
    pub(crate) fn count(&mut self, result: &CaseResult) -> bool {
        *self.counts.entry(result.backend.clone()).or_default().entry(result.verdict).or_default() += 1;
        if result.expected_verdict.is_some() {
            *self.expected.entry(result.backend.clone()).or_default() += 1;
            return false;
        }
        let fails = result.verdict.is_bad() || result.verdict == Verdict::NotRun;
        if fails {
            self.unexpected_count += 1;
            if self.unexpected.len() < MOST_LINES {
                let kind = result.kind.map(|k| format!(" ({})", k.name())).unwrap_or_default();
                let detail = result.detail.as_deref().unwrap_or("");
                let detail: String = detail.lines().next().unwrap_or("").chars().take(240).collect();
                self.unexpected
                    .push(format!("{}: {}{kind}: {}: {detail}", result.backend, result.verdict, result.case));
            }
        }
        fails
    }

    pub(crate) fn take(&mut self, other: Outcome) {
        self.cases += other.cases;
        for (backend, count) in other.unjudged {
            *self.unjudged.entry(backend).or_default() += count;
        }
        self.broken.extend(other.broken);
        self.coverage.take(other.coverage);
    }
}
