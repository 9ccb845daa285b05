//! Writes the results of a run in the order of its work, and counts them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use crate::examining::{Failure, Repros, is_unjudged};
use crate::results::{Base, Blame, CaseResult, Expectations, Known, Outcome, RunError, mark_shared};
use crate::running::minimizer::{Minimizer, Task};
use crate::running::packable::Packable;
use crate::running::work::Work;
use plumbline_judge::{FailKind, Verdict};

/// A result and, if it is a failure, what is needed to write its repro folder.
pub(crate) struct Found {
    pub result: CaseResult,
    pub failure: Option<Failure>,
}

/// What one piece of work gave in one round.
pub(crate) struct Done {
    pub found: Vec<Found>,
    pub outcome: Outcome,
    /// The features of the cases that this run drew but did not run, by the id of the case.
    pub drawn: BTreeMap<String, Vec<String>>,
    /// Whether the piece must have results in this round: it has cases, and none were left out because of their form.
    pub has_cases: bool,
    /// Whether all cases of the round ran.
    pub is_whole: bool,
}

impl Done {
    pub fn new(found: Vec<Found>, outcome: Outcome) -> Done {
        Done { found, outcome, drawn: BTreeMap::new(), has_cases: true, is_whole: true }
    }

    /// Returns no results, for a piece whose only case may have been cut off by the end of the run.
    pub fn stopped() -> Done {
        Done { is_whole: false, ..Done::new(vec![], Outcome::default()) }
    }
}

/// The results of a run as they are written and counted.
pub(crate) struct Writer<'a> {
    pub expectations: &'a [Expectations],
    /// The failures of another run that are marked.
    pub base: &'a Base,
    /// Kinds of failure that do not fail the run.
    pub accepted: &'a [FailKind],
    pub repros: &'a Repros,
    pub path: PathBuf,
    pub file: BufWriter<File>,
    pub outcome: Outcome,
    /// The number of results with each signature.
    pub signatures: BTreeMap<String, u64>,
    /// Pieces that at least one backend supports.
    pub supported: BTreeSet<String>,
    /// Pieces that gave no result in a round in which they must have results.
    pub empty: BTreeSet<String>,
    /// The pieces of work that have results.
    pub answered: BTreeSet<String>,
    /// Which pieces may share a session with others.
    pub packable: Packable,
    pub minimizer: &'a Minimizer<'a>,
}

impl Writer<'_> {
    /// Cuts the file of a stopped run to `end` bytes, and goes on writing there.
    pub fn go_on(&mut self, end: u64) -> Result<(), RunError> {
        let io = |source| RunError::Io { path: self.path.clone(), source };
        let file = OpenOptions::new().append(true).open(&self.path).map_err(io)?;
        file.set_len(end).map_err(io)?;
        self.file = BufWriter::new(file);
        Ok(())
    }

    /// Writes and counts what a piece gave, and returns the number of unexpected results. `rows` are the results of the
    /// piece in an earlier run, which are in the file already.
    pub fn take(&mut self, piece: &Work, done: Done, rows: Option<Vec<CaseResult>>) -> Result<u64, RunError> {
        let Done { found, outcome, drawn, has_cases, is_whole } = done;
        let cases = outcome.cases;
        let name = piece.to_string();
        let declined = piece.may_decline() && cases == 0;
        self.outcome.take(outcome);
        let mut failures: BTreeMap<(String, String), Failure> = BTreeMap::new();
        let mut results = Vec::new();
        for Found { result, failure } in found {
            if let Some(failure) = failure {
                failures.insert((result.case.clone(), result.backend.clone()), failure);
            }
            results.push(result);
        }
        let in_file = rows.is_some();
        let mut results = rows.unwrap_or(results);
        mark_shared(&mut results);
        results.iter_mut().for_each(|result| self.base.mark(result));
        if !results.is_empty() {
            self.answered.insert(name.clone());
        } else if has_cases && is_whole && !declined {
            self.empty.insert(name.clone());
        }
        if let Work::Cell(_, None) = piece {
            results.iter().for_each(|result| self.packable.note(&name, result));
        }
        if results.iter().any(|result| result.verdict != Verdict::Unsupported) {
            self.supported.insert(name);
        }
        let mut unexpected = 0;
        for mut result in results {
            let failure = failures.remove(&(result.case.clone(), result.backend.clone()));
            let features = failure.as_ref().map(|failure| &failure.case.features);
            let features = features.or_else(|| drawn.get(&result.case)).map_or(&[][..], |features| features);
            (result.expected_verdict, result.known) = (None, None);
            for expectations in self.expectations {
                expectations.check_errata(&mut result);
                if expectations.concerns(&result.backend) {
                    expectations.apply(&mut result, features);
                }
            }
            accept(&mut result, self.accepted);
            unexpected += u64::from(self.outcome.count(&result));
            if in_file && is_unjudged(&result) {
                *self.outcome.unjudged.entry(result.backend.clone()).or_default() += 1;
            }
            if !in_file {
                let io = |source| RunError::Io { path: self.path.clone(), source };
                serde_json::to_writer(&mut self.file, &result).map_err(|error| io(error.into()))?;
                self.file.write_all(b"\n").map_err(io)?;
            }
            if let Some(signature) = &result.signature {
                let count = self.signatures.entry(signature.clone()).or_default();
                *count += 1;
                if let (1, Some(failure)) = (*count, failure) {
                    let task = Task { result, failure };
                    // A failure that no expectation describes gets its folder at once, so that it has one even if the
                    // run is killed. A flaky failure is not minimized, so it never gets its folder later.
                    if !task.is_known() || task.is_flaky() {
                        self.repros.write(&task.result, &task.failure)?;
                    }
                    if !task.is_flaky() {
                        self.minimizer.add(task);
                    }
                }
            }
        }
        self.file.flush().map_err(|source| RunError::Io { path: self.path.clone(), source })?;
        Ok(unexpected)
    }
}

/// Marks a result as expected if the run accepts failures of its kind and no expectation describes it.
fn accept(result: &mut CaseResult, accepted: &[FailKind]) {
    let Some(kind) = result.kind.filter(|kind| accepted.contains(kind) && result.expected_verdict.is_none()) else {
        return;
    };
    result.expected_verdict = Some(result.verdict);
    let reason = format!("the run accepts results of the kind {}", kind.name());
    result.known = Some(Known { blame: Blame::Backend, reason });
}
