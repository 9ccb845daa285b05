//! What a run came to.

use std::collections::BTreeMap;

use crate::{CaseResult, Verdict};

/// Most lines of [`Outcome::unexpected`].
const MOST_LINES: usize = 200;

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Cases run, each once however many backends there are.
    pub cases: u64,
    /// Results by backend and verdict.
    pub counts: BTreeMap<String, BTreeMap<Verdict, u64>>,
    /// Results that an expectation covers, by backend.
    pub expected: BTreeMap<String, u64>,
    /// Invalid cases that a backend refuses, and whose valid twins it does not answer either, by backend: they are unsupported.
    pub unjudged: BTreeMap<String, u64>,
    /// Results that fail the run: not passed, not known. First ones only, as lines for people.
    pub unexpected: Vec<String>,
    /// How many there are of them.
    pub unexpected_count: u64,
    /// Cases the oracle refuses though they are valid, or answers though they are not: our own errors.
    pub broken: Vec<String>,
    /// What the cases had, by operator version.
    pub coverage: crate::Coverage,
    /// Expectations that match nothing any more.
    pub stale: Vec<String>,
    /// Pieces of work that produced no result.
    pub missing: Vec<String>,
}

impl Outcome {
    /// Counts a result; says whether it fails the run.
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
