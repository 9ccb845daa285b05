//! What came out of a run, counted: the data behind every form of the report.

use std::collections::BTreeMap;

use plumbline_conformance::{FailKind, Verdict};
use serde::Serialize;

use crate::RunMeta;

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

/// A run, counted. Its order is that of names, never that of the results: the same results in another
/// order give the same summary.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Version of this form, raised when a key changes its meaning.
    pub format: u32,
    /// What is known of the run.
    pub meta: RunMeta,
    /// Files of results whose last line was cut off: the run was killed.
    pub truncated: Vec<String>,
    /// All results together.
    pub total: Tally,
    /// By suite.
    pub suites: BTreeMap<String, Tally>,
    /// By backend: those of the meta data first, in its order, then the others by name.
    pub backends: Vec<BackendSummary>,
    /// By operator, sorted by domain and name. Only operators that occur in the results.
    pub operators: Vec<OperatorSummary>,
}

/// The results of one backend.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BackendSummary {
    /// Its name in the results: `onnxruntime 1.31.1`.
    pub backend: String,
    /// The name `--backend` takes: `onnxruntime`.
    pub name: String,
    /// All its results.
    pub total: Tally,
    /// By suite.
    pub suites: BTreeMap<String, Tally>,
}

/// The results of one operator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperatorSummary {
    /// Its domain; empty for results of graphs with several operators.
    pub domain: String,
    /// Its name.
    pub op: String,
    /// By backend.
    pub backends: BTreeMap<String, Tally>,
    /// By version.
    pub versions: Vec<VersionSummary>,
    /// Failures, crashes, timeouts, lost devices and latitude, those that are alike together.
    pub findings: Vec<Finding>,
    /// Results whose finding is not in the list because it would be too long.
    pub findings_left_out: u64,
    /// Why cases were unsupported or not run.
    pub reasons: Vec<Reason>,
    /// Results whose reason is not in the list because it would be too long.
    pub reasons_left_out: u64,
}

/// The results of one operator version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VersionSummary {
    /// Version of the operator.
    pub since: u32,
    /// By binding of the type variables.
    pub cells: Vec<CellSummary>,
}

/// The results of one cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// What each type variable is bound to.
    pub types: BTreeMap<String, String>,
    /// By backend.
    pub backends: BTreeMap<String, Tally>,
}

/// Results that failed alike, or differ alike where the specification does not decide.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The backend's name in the results.
    pub backend: String,
    /// `fail`, `crash`, `timeout`, `device-lost` or `latitude`.
    pub verdict: Verdict,
    /// How it failed.
    pub kind: Option<FailKind>,
    /// What names it; none if the results gave none.
    pub signature: Option<String>,
    /// All results, and how they stand to what was expected.
    pub tally: Tally,
    /// The first case, in the order of ids.
    pub case: String,
    /// What happened to that case; cut if it is long.
    pub detail: Option<String>,
    /// The cells it occurs in.
    pub cells: Vec<CellCount>,
    /// How many results lie in cells beyond the listed ones.
    pub cells_left_out: u64,
}

/// How often something occurs in a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellCount {
    /// Version of the operator.
    pub since: u32,
    /// What each type variable is bound to.
    pub types: BTreeMap<String, String>,
    /// How many results.
    pub count: u64,
}

/// Why cases were unsupported or not run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The backend's name in the results.
    pub backend: String,
    /// `unsupported` or `not-run`.
    pub verdict: Verdict,
    /// In the backend's words, an ellipsis for each number and list of numbers, so that one reason is not
    /// told for every shape; none if it gave none.
    pub reason: Option<String>,
    /// How many cases.
    pub count: u64,
    /// The first such case, in the order of ids.
    pub case: String,
    /// The cells it is given in.
    pub cells: Vec<CellCount>,
    /// How many results lie in cells beyond the listed ones.
    pub cells_left_out: u64,
}

/// How many results there are of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Counts {
    /// Accepted answers.
    pub pass: u64,
    /// Wrong answers.
    pub fail: u64,
    /// Deaths of the backend.
    pub crash: u64,
    /// Answers that did not come in time.
    pub timeout: u64,
    /// Devices that were gone.
    pub device_lost: u64,
    /// Differences where the specification does not decide.
    pub latitude: u64,
    /// Cases the backend says it does not do.
    pub unsupported: u64,
    /// Cases without an answer.
    pub not_run: u64,
}

impl Counts {
    /// The count of a verdict.
    pub fn of(&self, verdict: Verdict) -> u64 {
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

    fn of_mut(&mut self, verdict: Verdict) -> &mut u64 {
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

    /// All results.
    pub fn all(&self) -> u64 {
        VERDICTS.iter().map(|&verdict| self.of(verdict)).sum()
    }

    /// Failures, crashes, timeouts and lost devices.
    pub fn bad(&self) -> u64 {
        VERDICTS.iter().filter(|verdict| verdict.is_bad()).map(|&verdict| self.of(verdict)).sum()
    }
}

/// How results stand to the expectations of their backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standings {
    /// An expectation states this verdict.
    pub expected: u64,
    /// Fail, crash, timeout or a lost device, and no expectation says so.
    pub new: u64,
    /// An expectation states another verdict than the one that came, which is not pass.
    pub changed: u64,
    /// An expectation states a verdict other than pass, and the case passed: the expectation is stale.
    pub improved: u64,
}

impl Standings {
    /// What a gate does not let through: all that no expectation foresaw.
    pub fn unexpected(&self) -> u64 {
        self.new + self.changed + self.improved
    }
}

/// Results added up.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// By verdict.
    #[serde(flatten)]
    pub counts: Counts,
    /// Against the expectations.
    #[serde(flatten)]
    pub standings: Standings,
    /// Largest distance from the oracle's middle answer, in ULP of the output's type.
    pub max_ulp: Option<f64>,
    /// The same over passing results alone.
    pub max_ulp_passing: Option<f64>,
    /// Widest accepted interval, in ULP of the output's type.
    pub max_width_ulp: Option<f64>,
    /// Wall time of the backend's runs. Whole, so that the order of adding makes no difference.
    pub nanoseconds: u64,
}

/// The numbers of one result that a [`Tally`] adds up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub verdict: Verdict,
    pub expected_verdict: Option<Verdict>,
    pub max_ulp: Option<f64>,
    pub width_ulp: Option<f64>,
    pub nanoseconds: u64,
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
        self.nanoseconds = self.nanoseconds.saturating_add(result.nanoseconds);
    }

    /// Adds another tally to this one.
    pub fn merge(&mut self, other: &Tally) {
        for verdict in VERDICTS {
            *self.counts.of_mut(verdict) += other.counts.of(verdict);
        }
        self.standings.expected += other.standings.expected;
        self.standings.new += other.standings.new;
        self.standings.changed += other.standings.changed;
        self.standings.improved += other.standings.improved;
        raise(&mut self.max_ulp, other.max_ulp);
        raise(&mut self.max_ulp_passing, other.max_ulp_passing);
        raise(&mut self.max_width_ulp, other.max_width_ulp);
        self.nanoseconds = self.nanoseconds.saturating_add(other.nanoseconds);
    }
}

impl Standings {
    /// The count a result belongs to; none for a verdict that needs no expectation and has none, and
    /// for a case that was not run, which neither meets an expectation nor breaks it.
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

/// The larger of both; what is not a number counts as nothing said.
fn raise(most: &mut Option<f64>, value: Option<f64>) {
    if let Some(value) = value.filter(|value| !value.is_nan())
        && most.is_none_or(|most| value > most)
    {
        *most = Some(value);
    }
}

/// `T=float16`, `T1=float T2=int64`, or an empty text for an operator without type variables.
pub fn types_text(types: &BTreeMap<String, String>) -> String {
    types.iter().map(|(variable, bound)| format!("{variable}={bound}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(verdict: Verdict, expected_verdict: Option<Verdict>, max_ulp: Option<f64>) -> Tally {
        let mut tally = Tally::default();
        tally.add(Measured { verdict, expected_verdict, max_ulp, width_ulp: None, nanoseconds: 5 });
        tally
    }

    #[test]
    fn every_verdict_is_counted_once_and_under_its_name() {
        for verdict in VERDICTS {
            let tally = tally(verdict, None, None);
            assert_eq!(tally.counts.all(), 1);
            assert_eq!(tally.counts.of(verdict), 1);
            let json = serde_json::to_value(&tally).unwrap();
            assert_eq!(json[verdict.name()], 1, "{json}");
        }
    }

    #[test]
    fn standings() {
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
    fn merging_is_adding() {
        let mut merged = tally(Verdict::Pass, None, Some(2.0));
        merged.merge(&tally(Verdict::Fail, None, Some(7.0)));
        merged.merge(&tally(Verdict::Pass, Some(Verdict::Fail), Some(f64::NAN)));
        assert_eq!((merged.counts.pass, merged.counts.fail, merged.nanoseconds), (2, 1, 15));
        assert_eq!((merged.max_ulp, merged.max_ulp_passing), (Some(7.0), Some(2.0)));
        assert_eq!((merged.standings.new, merged.standings.improved), (1, 1));
    }
}
