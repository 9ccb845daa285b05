//! The states of a type of an operator version on a backend, and how results decide them.

use std::collections::BTreeMap;
use std::fmt;

use plumbline_conformance::{CaseResult, Verdict};
use serde::Serialize;

use crate::Counts;

/// What a backend does with an operator version and the types of a cell. Of the states from `Correct` to `Wrong`, the
/// last one applies that any judged case shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Every judged case passes, or differs only where the specification leaves the answer open.
    Correct,
    /// Valid cases are right, and invalid ones are answered instead of refused.
    Lenient,
    /// The backend refuses valid cases, and says itself that it does not take this attribute, shape or form.
    Limits,
    /// Answers are less exact than they have to be.
    Inaccurate,
    /// Anything else fails: wrong values, shapes or types, refusals, crashes, timeouts.
    Wrong,
    /// No valid case has an answer, and the backend says that it does not support them.
    Unsupported,
    /// No valid case was run.
    NotTested,
}

impl State {
    /// Every state, from the best to the worst, and then those without an answer.
    pub const ALL: [State; 7] = [
        State::Correct,
        State::Lenient,
        State::Limits,
        State::Inaccurate,
        State::Wrong,
        State::Unsupported,
        State::NotTested,
    ];

    /// Returns the word for the state in all formats.
    pub fn name(self) -> &'static str {
        match self {
            State::Correct => "correct",
            State::Lenient => "lenient",
            State::Limits => "limits",
            State::Inaccurate => "inaccurate",
            State::Wrong => "wrong",
            State::Unsupported => "unsupported",
            State::NotTested => "not-tested",
        }
    }

    /// Returns what the state means, as the end of a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            State::Correct => "every judged case is right, or differs only where the specification leaves it open",
            State::Lenient => "valid models are right, and invalid ones are answered instead of refused",
            State::Limits => {
                "valid models are refused, and the backend says itself that it does not take the attribute, shape or form"
            }
            State::Inaccurate => "answers are less exact than they have to be",
            State::Wrong => {
                "values, shapes or types are wrong, valid models are refused, or the backend crashes or hangs"
            }
            State::Unsupported => "the backend says that it does not support it",
            State::NotTested => "no valid case was run",
        }
    }

    /// Returns whether failures show the state.
    pub(super) fn is_failing(self) -> bool {
        (State::Lenient..=State::Wrong).contains(&self)
    }

    /// Returns the state that a failure of this kind shows, named as in results.
    fn shown_by(kind: &str) -> State {
        match kind {
            "accepts-invalid" => State::Lenient,
            "limit" => State::Limits,
            "inaccurate" => State::Inaccurate,
            _ => State::Wrong,
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for State {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Returns how a case failed: its kind of failure, or `crash`, `timeout` or `device-lost`. `None` if it did not fail.
pub(super) fn failure(result: &CaseResult) -> Option<&'static str> {
    let failed = result.verdict.is_bad();
    failed.then(|| match (result.verdict, result.kind) {
        (Verdict::Fail, Some(kind)) => kind.name(),
        (verdict, _) => verdict.name(),
    })
}

/// The results of the same operator version and the same types on one backend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tested {
    /// The results of valid cases.
    pub valid: Counts,
    /// The results of invalid cases.
    pub invalid: Counts,
    /// The number of failures of each kind, and of crashes, timeouts and lost devices.
    pub failures: BTreeMap<&'static str, u64>,
}

impl Tested {
    pub(super) fn add(&mut self, result: &CaseResult) {
        let counts = if result.is_negative() { &mut self.invalid } else { &mut self.valid };
        *counts.of_mut(result.verdict) += 1;
        if let Some(kind) = failure(result) {
            *self.failures.entry(kind).or_default() += 1;
        }
    }

    pub(super) fn merge(&mut self, other: &Tested) {
        self.valid.merge(&other.valid);
        self.invalid.merge(&other.invalid);
        for (kind, count) in &other.failures {
            *self.failures.entry(kind).or_default() += count;
        }
    }

    /// Returns the number of cases that were answered, refused or failed, and not left unanswered as unsupported.
    pub fn judged(&self) -> u64 {
        judged(&self.valid) + judged(&self.invalid)
    }

    /// Returns the number of failures.
    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// Returns whether some case was answered or judged.
    pub fn is_supported(&self) -> bool {
        !matches!(self.state(), State::Unsupported | State::NotTested)
    }

    /// Returns whether the backend supports some valid cases and not others.
    pub fn is_partial(&self) -> bool {
        self.is_supported() && self.valid.unsupported > 0
    }

    /// Returns the state that the results show. Refusals of invalid cases alone do not make it correct.
    pub fn state(&self) -> State {
        let worst = self.failures.keys().map(|kind| State::shown_by(kind)).max().unwrap_or(State::Correct);
        let unsupported = self.valid.unsupported + self.invalid.unsupported;
        match (judged(&self.valid), unsupported) {
            _ if worst > State::Lenient => worst,
            (1.., _) => worst,
            (0, 1..) => State::Unsupported,
            (0, 0) => State::NotTested,
        }
    }
}

/// Returns the number of cases with a verdict that says something about the backend's answer.
fn judged(counts: &Counts) -> u64 {
    counts.all() - counts.unsupported - counts.not_run
}

#[cfg(test)]
mod tests {
    use plumbline_conformance::FailKind;

    use super::*;

    fn state(results: &[(&str, Verdict, Option<FailKind>)]) -> State {
        let mut tested = Tested::default();
        for &(suite, verdict, kind) in results {
            tested.add(&CaseResult { suite: suite.to_owned(), verdict, kind, ..CaseResult::default() });
        }
        tested.state()
    }

    #[test]
    fn the_worst_failure_decides_the_state() {
        use Verdict::*;
        let pass = ("generated", Pass, None);
        let limit = ("generated", Fail, Some(FailKind::Limit));
        let accepted = ("negative", Fail, Some(FailKind::AcceptsInvalid));
        let unsupported = ("generated", Unsupported, None);
        for (results, expected) in [
            (&[][..], State::NotTested),
            (&[("generated", NotRun, None)], State::NotTested),
            (&[unsupported], State::Unsupported),
            (&[unsupported, ("negative", Unsupported, None)], State::Unsupported),
            (&[("negative", Unsupported, None)], State::Unsupported),
            (&[("negative", Pass, None)], State::NotTested),
            (&[accepted], State::NotTested),
            (&[unsupported, ("negative", Pass, None)], State::Unsupported),
            (&[unsupported, accepted], State::Unsupported),
            (&[pass, unsupported], State::Correct),
            (&[pass, ("generated", Latitude, None), ("negative", Pass, None)], State::Correct),
            (&[pass, accepted], State::Lenient),
            (&[pass, accepted, limit], State::Limits),
            (&[limit], State::Limits),
            (&[pass, limit, ("generated", Fail, Some(FailKind::WrongValue))], State::Wrong),
            (&[pass, ("generated", Fail, Some(FailKind::RejectsValid))], State::Wrong),
            (&[pass, ("generated", Fail, Some(FailKind::Optimizer))], State::Wrong),
            (&[pass, ("negative", Crash, None)], State::Wrong),
            (&[("generated", Timeout, None)], State::Wrong),
        ] {
            assert_eq!(state(results), expected, "{results:?}");
        }
    }

    #[test]
    fn kinds_of_failures_have_a_state_by_their_name() {
        let states = ["accepts-invalid", "limit", "inaccurate", "wrong-value", "in-pack", "crash"].map(State::shown_by);
        let expected = [State::Lenient, State::Limits, State::Inaccurate, State::Wrong, State::Wrong, State::Wrong];
        assert_eq!(states, expected);
    }
}
