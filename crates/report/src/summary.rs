//! The counted results of a run: the data behind every format of the report.

// Over 400 lines: every type of `summary.json`, and how its counts add up.

use std::collections::BTreeMap;

use plumbline_conformance::{Blame, FailKind, Severity, Verdict};
use serde::{Deserialize, Serialize};

use crate::RunMeta;
use crate::text::{shell_quoted, visible_line};
use crate::tools::{Conversion, Inferred};

/// Every verdict, in the order in which reports show them.
pub const VERDICTS: [Verdict; 8] = [
    Verdict::Pass,
    Verdict::Fail,
    Verdict::Crash,
    Verdict::Timeout,
    Verdict::DeviceLost,
    Verdict::Latitude,
    Verdict::Unsupported,
    Verdict::NotRun,
];

/// The counted results of a run. The same results in another order give the same summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The version of this format. It is raised when a key changes its meaning.
    pub format: u32,
    /// The facts about the run.
    pub meta: RunMeta,
    /// Results files with a last line that was cut off, because the run was killed.
    pub truncated: Vec<String>,
    /// The tally of all results.
    pub total: Tally,
    /// The tally of each suite.
    pub suites: BTreeMap<String, Tally>,
    /// The summary of each backend: first the backends of `meta`, in the same order, then the others by name.
    pub backends: Vec<BackendSummary>,
    /// The summary of each operator that occurs in the results, sorted by domain and name.
    pub operators: Vec<OperatorSummary>,
    /// What became of conversions between opsets, if a converter ran with one target for each opset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conversions: Vec<Conversion>,
    /// How much tools infer, if they ran with `coverage=on`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<Inferred>,
}

/// The results of one backend.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BackendSummary {
    /// The backend's name in the results: `onnxruntime 1.31.1`.
    pub backend: String,
    /// The name without the version: `onnxruntime`.
    pub name: String,
    /// The tally of all its results.
    pub total: Tally,
    /// The tally of each suite.
    pub suites: BTreeMap<String, Tally>,
    /// The number of answers to invalid cases that are latitude, because the backend declares not to check values.
    #[serde(skip_serializing_if = "crate::text::is_zero")]
    pub unchecked: u64,
}

/// The results of one operator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperatorSummary {
    /// The domain of the operator. It is empty for results of graphs with several operators.
    pub domain: String,
    /// The name of the operator.
    pub op: String,
    /// The tally of each backend.
    pub backends: BTreeMap<String, Tally>,
    /// The summary of each version.
    pub versions: Vec<VersionSummary>,
    /// Failures, crashes, timeouts, lost devices and latitude, with those that are alike grouped together.
    pub findings: Vec<Finding>,
    /// The number of results with a finding that does not fit into the list.
    pub findings_left_out: u64,
    /// The reasons why cases were unsupported or not run.
    pub reasons: Vec<Reason>,
    /// The number of results with a reason that does not fit into the list.
    pub reasons_left_out: u64,
}

/// The results of one operator version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VersionSummary {
    /// The version of the operator.
    pub since: u32,
    /// The summary of each binding of the type variables.
    pub cells: Vec<CellSummary>,
}

/// The results of one operator version with one binding of its type variables.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// The type that each type variable is bound to.
    pub types: BTreeMap<String, String>,
    /// The tally of each backend.
    pub backends: BTreeMap<String, Tally>,
}

/// A group of results that failed alike, or that differ alike where the specification leaves the answer open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The backend's name in the results.
    pub backend: String,
    /// The verdict: `fail`, `crash`, `timeout`, `device-lost` or `latitude`.
    pub verdict: Verdict,
    /// How the cases failed.
    pub kind: Option<FailKind>,
    /// The signature of the failure or, for latitude, the name of the rule. It is absent if the results have none.
    pub signature: Option<String>,
    /// The tally of all results in the group, including how they compare with the expectations.
    pub tally: Tally,
    /// The first case in the order of ids.
    pub case: String,
    /// What happened in that case. A long text is cut.
    pub detail: Option<String>,
    /// The rule that the case violates, or that allows what happened. `null` without one.
    pub rule: Option<String>,
    /// Another backend that fails some of these cases in the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also_on: Option<String>,
    /// The severity of the worst result.
    #[serde(skip)]
    pub severity: Severity,
    /// Why results of the group are expected, in the words of the expectations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownCount>,
    /// The cells in which the finding occurs.
    pub cells: Vec<CellCount>,
    /// The number of results in cells that are not listed.
    pub cells_left_out: u64,
}

/// How many results of a finding are expected for the same reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnownCount {
    /// Who is at fault.
    pub blame: Blame,
    /// The reason, as the expectations state it. A long text is cut.
    pub reason: String,
    /// The number of results.
    pub count: u64,
}

/// How often a finding or reason occurs in a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellCount {
    /// The version of the operator.
    pub since: u32,
    /// The type that each type variable is bound to.
    pub types: BTreeMap<String, String>,
    /// The number of results.
    pub count: u64,
}

/// A reason why cases were unsupported or not run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The backend's name in the results.
    pub backend: String,
    /// The verdict: `unsupported` or `not-run`.
    pub verdict: Verdict,
    /// The reason in words; a long text is cut. Numbers and lists of numbers are replaced by an ellipsis, so that the
    /// same reason is not repeated for every shape. It is absent if the results have none.
    pub reason: Option<String>,
    /// The number of cases.
    pub count: u64,
    /// The first of these cases in the order of ids.
    pub case: String,
    /// The cells in which the reason occurs.
    pub cells: Vec<CellCount>,
    /// The number of results in cells that are not listed.
    pub cells_left_out: u64,
}

/// The number of results with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Counts {
    /// Accepted answers, and refusals of invalid cases.
    pub pass: u64,
    /// Wrong answers, and refusals of valid cases.
    pub fail: u64,
    /// Crashes of the backend.
    pub crash: u64,
    /// Answers that did not come in time.
    pub timeout: u64,
    /// Devices that were lost.
    pub device_lost: u64,
    /// Differences that the specification leaves open, and mutated cases for which nothing says what is right.
    pub latitude: u64,
    /// Cases that the backend says it does not support, and refusals of invalid cases whose twin it did not answer.
    pub unsupported: u64,
    /// Cases that were not run.
    pub not_run: u64,
}

impl Counts {
    /// Returns the count of a verdict.
    pub fn count(&self, verdict: Verdict) -> u64 {
        match verdict {
            Verdict::Pass => self.pass,
            Verdict::Fail => self.fail,
            Verdict::Crash => self.crash,
            Verdict::Timeout => self.timeout,
            Verdict::DeviceLost => self.device_lost,
            Verdict::Latitude => self.latitude,
            Verdict::Unsupported => self.unsupported,
            Verdict::NotRun => self.not_run,
        }
    }

    /// Adds other counts to these.
    pub fn merge(&mut self, other: &Counts) {
        for verdict in VERDICTS {
            *self.of_mut(verdict) += other.count(verdict);
        }
    }

    pub(crate) fn of_mut(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Pass => &mut self.pass,
            Verdict::Fail => &mut self.fail,
            Verdict::Crash => &mut self.crash,
            Verdict::Timeout => &mut self.timeout,
            Verdict::DeviceLost => &mut self.device_lost,
            Verdict::Latitude => &mut self.latitude,
            Verdict::Unsupported => &mut self.unsupported,
            Verdict::NotRun => &mut self.not_run,
        }
    }

    /// Returns the number of all results.
    pub fn all(&self) -> u64 {
        VERDICTS.iter().map(|&verdict| self.count(verdict)).sum()
    }

    /// Returns the number of failures, crashes, timeouts and lost devices.
    pub fn bad(&self) -> u64 {
        VERDICTS.iter().filter(|verdict| verdict.is_bad()).map(|&verdict| self.count(verdict)).sum()
    }
}

/// How the results compare with the expectations for their backend. Cases that were not run do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standings {
    /// Results with the verdict that an expectation states.
    pub expected: u64,
    /// Failures, crashes, timeouts and lost devices without an expectation.
    pub new: u64,
    /// Results with a verdict other than the one that an expectation states, except passes.
    pub changed: u64,
    /// Passes of cases for which an expectation states another verdict.
    pub improved: u64,
}

impl Standings {
    /// Returns the number of results that should not get past a gate, because they are new, changed or improved.
    pub fn unexpected(&self) -> u64 {
        self.new + self.changed + self.improved
    }
}

/// The sum of several results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// The number of results with each verdict.
    #[serde(flatten)]
    pub counts: Counts,
    /// How the results compare with the expectations.
    #[serde(flatten)]
    pub standings: Standings,
    /// The largest distance from the answer that the oracle prefers, in ULP of the output's type.
    pub max_ulp: Option<f64>,
    /// The largest distance in passing results only.
    pub max_ulp_passing: Option<f64>,
    /// The widest accepted interval, in ULP of the output's type.
    pub max_width_ulp: Option<f64>,
    /// The largest error in usual errors, of accepted answers only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_error_ratio: Option<f64>,
    /// The wall time of the backend's runs. It is an integer, so that the order of addition makes no difference.
    pub nanoseconds: u64,
}

/// The measurements of one result that a [`Tally`] sums up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub verdict: Verdict,
    pub expected_verdict: Option<Verdict>,
    pub max_ulp: Option<f64>,
    pub width_ulp: Option<f64>,
    pub error_ratio: Option<f64>,
    pub nanoseconds: u64,
}

impl Summary {
    /// Returns the command that runs a case again on a backend of the results.
    pub(crate) fn replay(&self, case: &str, backend: &str) -> String {
        let [case, name] = [case, self.selector(backend)].map(|text| shell_quoted(&visible_line(text)));
        format!("{} replay {case} --backend {name}", self.meta.program())
    }

    /// Returns the name by which `--backend` selects a backend. `backend` is its name in the results.
    pub(crate) fn selector<'a>(&'a self, backend: &'a str) -> &'a str {
        let selected = self.meta.backends.iter().find(|meta| meta.label() == backend);
        // If no selector is known, the name without the version selects the backend.
        let selected = selected.and_then(|meta| meta.selector.as_deref());
        let known = self.backends.iter().find(|known| known.backend == backend).map(|known| known.name.as_str());
        selected.or(known).unwrap_or(backend)
    }
}

impl Tally {
    pub(crate) fn add(&mut self, result: Measured) {
        let verdict = result.verdict;
        *self.counts.of_mut(verdict) += 1;
        if let Some(standing) = self.standings.of_mut(verdict, result.expected_verdict) {
            *standing += 1;
        }
        raise(&mut self.max_ulp, result.max_ulp);
        if verdict == Verdict::Pass {
            raise(&mut self.max_ulp_passing, result.max_ulp);
        }
        raise(&mut self.max_width_ulp, result.width_ulp);
        if matches!(verdict, Verdict::Pass | Verdict::Latitude) {
            raise(&mut self.max_error_ratio, result.error_ratio);
        }
        self.nanoseconds = self.nanoseconds.saturating_add(result.nanoseconds);
    }

    /// Adds another tally to this one.
    pub fn merge(&mut self, other: &Tally) {
        self.counts.merge(&other.counts);
        self.standings.expected += other.standings.expected;
        self.standings.new += other.standings.new;
        self.standings.changed += other.standings.changed;
        self.standings.improved += other.standings.improved;
        raise(&mut self.max_ulp, other.max_ulp);
        raise(&mut self.max_ulp_passing, other.max_ulp_passing);
        raise(&mut self.max_width_ulp, other.max_width_ulp);
        raise(&mut self.max_error_ratio, other.max_error_ratio);
        self.nanoseconds = self.nanoseconds.saturating_add(other.nanoseconds);
    }
}

impl Standings {
    /// Returns the count that a result belongs to. Returns `None` for a verdict that needs no expectation and has none,
    /// and for a case that was not run, because that neither meets nor breaks an expectation.
    fn of_mut(&mut self, verdict: Verdict, expected: Option<Verdict>) -> Option<&mut u64> {
        match (verdict, expected) {
            (Verdict::NotRun, _) => None,
            (_, Some(expected)) if expected == verdict => Some(&mut self.expected),
            (Verdict::Pass, Some(_)) => Some(&mut self.improved),
            (_, Some(_)) => Some(&mut self.changed),
            (_, None) => verdict.is_bad().then_some(&mut self.new),
        }
    }
}

/// Raises `most` to `value` if that is larger. NaN counts as no value.
fn raise(most: &mut Option<f64>, value: Option<f64>) {
    if let Some(value) = value.filter(|value| !value.is_nan())
        && most.is_none_or(|most| value > most)
    {
        *most = Some(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(verdict: Verdict, expected_verdict: Option<Verdict>, max_ulp: Option<f64>) -> Tally {
        let mut tally = Tally::default();
        let (width_ulp, error_ratio) = (None, max_ulp);
        tally.add(Measured { verdict, expected_verdict, max_ulp, width_ulp, error_ratio, nanoseconds: 5 });
        tally
    }

    #[test]
    fn every_verdict_is_counted_once_and_under_its_name() {
        for verdict in VERDICTS {
            let tally = tally(verdict, None, None);
            assert_eq!(tally.counts.all(), 1);
            assert_eq!(tally.counts.count(verdict), 1);
            let json = serde_json::to_value(&tally).unwrap();
            assert_eq!(json[verdict.name()], 1, "{json}");
        }
    }

    #[test]
    fn results_are_compared_with_their_expectations() {
        use Verdict::*;
        for verdict in VERDICTS {
            for expected in VERDICTS.into_iter().map(Some).chain([None]) {
                let standings = tally(verdict, expected, None).standings;
                let wanted = match (verdict, expected) {
                    (NotRun, _) => (0, 0, 0, 0),
                    (verdict, Some(expected)) if verdict == expected => (1, 0, 0, 0),
                    (Fail | Crash | Timeout | DeviceLost, None) => (0, 1, 0, 0),
                    (_, None) => (0, 0, 0, 0),
                    (Pass, Some(_)) => (0, 0, 0, 1),
                    (_, Some(_)) => (0, 0, 1, 0),
                };
                let found = (standings.expected, standings.new, standings.changed, standings.improved);
                assert_eq!(found, wanted, "{verdict} {expected:?}");
            }
        }
    }

    #[test]
    fn merging_tallies_adds_their_counts() {
        let mut merged = tally(Verdict::Pass, None, Some(2.0));
        merged.merge(&tally(Verdict::Fail, None, Some(7.0)));
        merged.merge(&tally(Verdict::Pass, Some(Verdict::Fail), Some(f64::NAN)));
        assert_eq!((merged.counts.pass, merged.counts.fail, merged.nanoseconds), (2, 1, 15));
        assert_eq!((merged.max_ulp, merged.max_ulp_passing), (Some(7.0), Some(2.0)));
        assert_eq!(merged.max_error_ratio, Some(2.0), "the answer with 7 is not accepted");
        assert_eq!((merged.standings.new, merged.standings.improved), (1, 1));
    }
}
