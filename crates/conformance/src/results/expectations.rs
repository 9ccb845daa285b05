//! The known verdicts of a backend in `reports/expectations/<backend>.toml`, which are checked in both directions.
//!
//! A result that fails needs an entry that gives a reason. An entry is stale if it matches no result although the
//! run has enough cases to which the entry applies. Stale entries fail a run with `--gate`.

// Over 400 lines: the checks and the matching of one kind of file.

mod agreement;
mod draft;
mod driver;
mod extent;
mod format;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use plumbline_executor::ORACLE;
use plumbline_generator::least_share;
use plumbline_judge::{FailKind, ReasonKind, Verdict};
use plumbline_spec::OperatorId;
use regex::Regex;

use self::agreement::Agreement;
pub use self::draft::Draft;
use self::draft::UNWRITTEN;
use self::driver::DriverRange;
use self::extent::Extent;
use self::format::{ANY_PASS, ErrataFile, File, OneOrMore};
use crate::cases::{graphs, operator_named};
use crate::results::case_result::{Blame, CaseResult, GRAPH, Known, suite_of};

/// The reason why an expectations file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ExpectationError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is invalid.
    #[error("{path}: {reason}")]
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong, usually with the line.
        reason: String,
    },
}

/// A known difference.
#[derive(Debug)]
pub struct Expectation {
    line: usize,
    /// The names and versions of operators; empty for every operator.
    operators: Vec<(String, Option<u32>)>,
    case: Option<String>,
    suite: Option<String>,
    types: Vec<String>,
    verdict: Verdict,
    /// The kinds of fail; empty for any.
    kinds: Vec<FailKind>,
    detail: Option<Regex>,
    features: Vec<String>,
    pass: Option<String>,
    max_ulp: Option<f64>,
    /// How many of the judged results the entry may describe.
    extent: Option<Extent>,
    versions: Vec<String>,
    adapter: Option<Regex>,
    driver: Option<DriverRange>,
    /// Who is at fault.
    pub blame: Blame,
    /// The explanation of the difference.
    pub reason: String,
    cases: u64,
    matched: AtomicU64,
    applied: AtomicU64,
}

/// The known verdicts of a backend.
#[derive(Debug)]
pub struct Expectations {
    /// The path of the file, for messages.
    pub path: PathBuf,
    backend: String,
    entries: Vec<Expectation>,
    /// What the errata claim about other backends.
    agreement: Agreement,
}

impl Expectations {
    /// Reads an expectations file.
    pub fn load(path: &Path) -> Result<Expectations, ExpectationError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| ExpectationError::Io { path: path.to_owned(), source })?;
        Expectations::parse(path, &text)
    }

    /// Parses the text of an expectations file. Errors refer to it as `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Expectations, ExpectationError> {
        let data = |reason: String| ExpectationError::Data { path: path.to_owned(), reason };
        let file: File = toml::from_str(text).map_err(|e| data(e.to_string()))?;
        let mut entries = Vec::new();
        for raw in file.expect {
            let line = text[..raw.span().start].matches('\n').count() + 1;
            let raw = raw.into_inner();
            if raw.reason.trim().is_empty() {
                return Err(data(format!("line {line}: the reason is empty")));
            }
            if raw.op.is_none() && raw.case.is_none() {
                return Err(data(format!("line {line}: the entry needs `op` or `case`")));
            }
            if matches!(raw.verdict, Verdict::Pass | Verdict::Unsupported | Verdict::NotRun) {
                return Err(data(format!(
                    "line {line}: the verdict `{}` needs no expectation, so an entry for it is not allowed",
                    raw.verdict
                )));
            }
            let detail = raw.detail.as_deref().map(Regex::new).transpose();
            let detail = detail.map_err(|e| data(format!("line {line}: `detail` is not a regular expression: {e}")))?;
            let adapter = raw.adapter.as_deref().map(Regex::new).transpose();
            let adapter =
                adapter.map_err(|e| data(format!("line {line}: `adapter` is not a regular expression: {e}")))?;
            let extent = || match raw.share.map(Extent::new) {
                Some(None) => Err(data(format!("line {line}: `share` is between 0 and 1"))),
                extent => Ok(extent.flatten()),
            };
            let names = match raw.op {
                None => vec![],
                Some(OneOrMore::One(all)) if all == "*" => vec![],
                Some(names) => names.all(),
            };
            let operators: Vec<_> =
                names.iter().map(|op| operator(op, line)).collect::<Result<_, _>>().map_err(data)?;
            let kinds = raw.kind.map_or_else(Vec::new, OneOrMore::all);
            let cases = raw.case.map_or(vec![None], |cases| cases.all().into_iter().map(Some).collect());
            for case in cases {
                entries.push(Expectation {
                    line,
                    operators: operators.clone(),
                    case,
                    suite: raw.suite.clone(),
                    types: raw.types.clone(),
                    verdict: raw.verdict,
                    kinds: kinds.clone(),
                    detail: detail.clone(),
                    features: raw.features.clone(),
                    pass: raw.pass.clone(),
                    max_ulp: raw.max_ulp,
                    extent: extent()?,
                    versions: raw.versions.clone(),
                    adapter: adapter.clone(),
                    driver: raw.driver.clone(),
                    blame: raw.blame,
                    reason: raw.reason.clone(),
                    cases: raw.cases,
                    matched: AtomicU64::new(0),
                    applied: AtomicU64::new(0),
                });
            }
        }
        Ok(Expectations { path: path.to_owned(), backend: file.backend, entries, agreement: Agreement::default() })
    }

    /// Parses `specs/onnx/suite-errata.toml`. The published cases in it, which are wrong, become known failures of the
    /// `reference` backend. Each erratum names those of `backends` that agree with the oracle, or says why none of them
    /// does. Runs on these backends check the claim.
    pub fn errata(path: &Path, text: &str, backends: &[&str]) -> Result<Expectations, ExpectationError> {
        let data = |reason: String| ExpectationError::Data { path: path.to_owned(), reason };
        let file: ErrataFile = toml::from_str(text).map_err(|e| data(e.to_string()))?;
        let (mut entries, mut agreement) = (Vec::new(), Agreement::new(backends));
        for erratum in file.erratum {
            let line = text[..erratum.span().start].matches('\n').count() + 1;
            let erratum = erratum.into_inner();
            if erratum.proof.trim().is_empty() || erratum.releases.is_empty() {
                return Err(data(format!("line {line}: an erratum needs `releases` and `proof`")));
            }
            let verdict = if erratum.unreadable { Verdict::NotRun } else { Verdict::Fail };
            let cases = erratum.case.clone().all();
            let each = || erratum.releases.iter().flat_map(|r| cases.iter().map(move |case| (r, case)));
            let ids = each().map(|(release, case)| format!("onnx:{release}/{case}"));
            agreement.take(line, &erratum, ids).map_err(|reason| data(format!("line {line}: {reason}")))?;
            for (release, case) in each() {
                entries.push(Expectation {
                    line,
                    operators: vec![],
                    case: Some(case.clone()),
                    suite: Some(format!("onnx:{release}")),
                    types: vec![],
                    verdict,
                    kinds: vec![],
                    detail: None,
                    features: vec![],
                    pass: None,
                    max_ulp: None,
                    extent: None,
                    versions: vec![],
                    adapter: None,
                    driver: None,
                    blame: Blame::Suite,
                    reason: erratum.proof.clone(),
                    cases: 0,
                    matched: AtomicU64::new(0),
                    applied: AtomicU64::new(0),
                });
            }
        }
        Ok(Expectations { path: path.to_owned(), backend: ORACLE.to_owned(), entries, agreement })
    }

    /// Returns whether these are the known verdicts of this backend (`onnxruntime` or `onnxruntime 1.31.1`).
    pub fn concerns(&self, backend: &str) -> bool {
        backend == self.backend || backend.split([' ', '@']).next() == Some(&self.backend)
    }

    /// Returns the backend that the file is about.
    pub fn backend(&self) -> &str {
        &self.backend
    }

    /// Returns the lines of the entries whose reason nobody has written yet.
    pub fn unexplained(&self) -> Vec<usize> {
        self.entries.iter().filter(|entry| entry.reason.trim() == UNWRITTEN).map(|entry| entry.line).collect()
    }

    /// Returns the lines of unmatched entries: [`Expectations::apply`] got results to which the entry applies, and the
    /// entry marked none of them. An entry with a list of cases is unmatched only if each of its cases had results and
    /// none was marked. `without_features` leaves out entries that ask for features: the caller sets it if the results
    /// come from a file, which does not have the features of cases.
    pub fn unmatched(&self, without_features: bool) -> Vec<usize> {
        let counts = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let is_seen = |entry: &&Expectation| counts(&entry.matched) > 0 || counts(&entry.applied) == 0;
        let seen: BTreeSet<usize> = self.entries.iter().filter(is_seen).map(|entry| entry.line).collect();
        let kept = |entry: &&Expectation| without_features && !entry.features.is_empty();
        let unseen = self.entries.iter().filter(|entry| !kept(entry) && !seen.contains(&entry.line));
        unseen.map(|entry| entry.line).collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// Returns whether an entry may apply to this operator version.
    pub fn mentions(&self, id: &OperatorId) -> bool {
        let name = id.qualified_name();
        let is = |(n, since): &(String, Option<u32>)| *n == name && since.is_none_or(|s| s == id.since);
        self.entries.iter().any(|entry| entry.operators.is_empty() || entry.operators.iter().any(is))
    }

    /// Checks a result of any backend against what the errata claim about its case. The result of a case that has an
    /// erratum is marked as expected if the oracle refuses the case but the backend answers it, because nothing can
    /// judge that answer.
    pub fn check_errata(&self, result: &mut CaseResult) {
        self.agreement.check(result);
        let undecided = result.reason == Some(ReasonKind::OracleRefuses);
        if result.verdict == Verdict::NotRun && undecided && self.agreement.knows(&result.case) {
            result.expected_verdict = Some(Verdict::NotRun);
        }
    }

    /// Marks a result as expected by the first entry that describes it. Counts for each entry how many results it
    /// marked, and to how many it applied. The latter count leaves out suites that cannot show what the entry is about.
    /// `features` are the features of a case that failed.
    pub fn apply(&self, result: &mut CaseResult, features: &[String]) {
        let operator = result.operator();
        for entry in &self.entries {
            if !entry.applies(result, &operator) {
                continue;
            }
            if entry.could_be_seen_in(&result.suite) {
                entry.applied.fetch_add(1, Ordering::Relaxed);
            }
            let describes = entry.describes(result, features) && result.expected_verdict.is_none();
            if let Some(extent) = &entry.extent
                && entry.could_be_seen_in(&result.suite)
                && result.verdict.is_judged()
            {
                extent.count(describes);
            }
            if describes {
                entry.matched.fetch_add(1, Ordering::Relaxed);
                result.expected_verdict = Some(entry.verdict);
                result.known = Some(Known { blame: entry.blame, reason: entry.reason.trim().to_owned() });
            }
        }
    }

    /// Returns whether an entry describes a result, without counting that it does.
    pub(crate) fn describes(&self, result: &CaseResult, features: &[String]) -> bool {
        let operator = result.operator();
        let mut entries = self.entries.iter().filter(|entry| entry.applies(result, &operator));
        entries.any(|entry| entry.describes(result, features))
    }

    /// Lists entries as `file:line: what` that describe more of the judged results than they may, so that another fault
    /// is likely to hide behind them.
    pub fn exceeded(&self) -> Vec<String> {
        let excess = |entry: &Expectation| {
            let excess = entry.extent.as_ref()?.excess()?;
            Some(format!("{}:{}: {excess}", self.path.display(), entry.line))
        };
        self.entries.iter().filter_map(excess).collect()
    }

    /// Lists stale entries as `file:line: what`: entries that matched no result although the run has enough cases to
    /// which they apply. `cases_a_cell` is the average number of cases of a cell, and `graphs` the number of graphs that
    /// each cell has at least; an entry that names no case asks for a minimum number of cases of each cell, or of graphs.
    /// An entry is only checked if all cells of its operators ran: a cell that did not run could be the only one with
    /// results that match. `whole` returns whether all cells of an operator, or
    /// of one of its versions, ran; for `None`, whether all cells of all operators ran. An entry that names a case and
    /// no operator does not depend on `whole`. The list ends with claims of the errata about other backends that the
    /// run disproved.
    pub fn stale(
        &self,
        cases_a_cell: u64,
        graphs: u64,
        whole: impl Fn(Option<(&str, Option<u32>)>) -> bool,
    ) -> Vec<String> {
        let stale = |e: &&Expectation| {
            let least = e.operators.iter().map(|(name, _)| least_share(Some(name), cases_a_cell)).min();
            let least = least.unwrap_or_else(|| least_share(None, cases_a_cell));
            let least = if e.is_of_graphs() { graphs } else { least.max(u64::from(cases_a_cell > 0)) };
            let enough = e.case.is_some() || least >= e.cases;
            let all = match e.operators.as_slice() {
                [] => e.case.is_some() || whole(None),
                named => named.iter().all(|(name, since)| whole(Some((name, *since)))),
            };
            enough && all && e.applied.load(Ordering::Relaxed) > 0 && e.matched.load(Ordering::Relaxed) == 0
        };
        let line = |e: &Expectation| {
            let named: Vec<String> =
                e.operators.iter().map(|(op, since)| since.map_or(op.clone(), |s| format!("{op}-{s}"))).collect();
            let what =
                e.case.clone().unwrap_or_else(|| if named.is_empty() { "*".to_owned() } else { named.join(", ") });
            format!(
                "{}:{}: {what}: this entry no longer describes any result with the verdict {}",
                self.path.display(),
                e.line,
                e.verdict
            )
        };
        let wrong = self.agreement.wrong().into_iter();
        let wrong = wrong.map(|(line, what)| format!("{}:{line}: {what}", self.path.display()));
        self.entries.iter().filter(stale).map(line).chain(wrong).collect()
    }
}

fn operator(text: &str, line: usize) -> Result<(String, Option<u32>), String> {
    if text == GRAPH {
        return Ok((GRAPH.to_owned(), None));
    }
    operator_named(text).map_err(|error| format!("line {line}: {error}"))
}

/// Returns whether an entry about failures of one kind is about a failure of the other kind, too. An inaccurate answer
/// is a wrong value of the milder sort, so what is known as wrong may also be inaccurate, but not the reverse.
fn covers(known: FailKind, found: FailKind) -> bool {
    known == found || known == FailKind::WrongValue && found == FailKind::Inaccurate
}

impl Expectation {
    /// Returns whether only graphs have results that this entry describes.
    fn is_of_graphs(&self) -> bool {
        let named = self.suite.as_deref() == Some(graphs::SUITE);
        named || self.operators.iter().any(|(name, _)| name == GRAPH)
    }

    /// Returns whether a suite has cases of the kind that this entry is about. A backend that accepts invalid cases
    /// shows it only in the suite `negative`.
    fn could_be_seen_in(&self, suite: &str) -> bool {
        let shows = |kind: Option<FailKind>| suite == if self.is_of_graphs() { graphs::SUITE } else { suite_of(kind) };
        self.suite.is_some()
            || self.case.is_some()
            || self.kinds.iter().any(|kind| shows(Some(*kind)))
            || self.kinds.is_empty() && shows(None)
    }

    /// Returns whether cases of a suite have the features that the entry may name. Kept cases have none, because the
    /// choices they were drawn from are not stored. A graph has features of its own, which an entry about graphs names,
    /// and not those of the node that fails.
    fn is_about_features_in(&self, suite: &str) -> bool {
        match suite {
            "regressions" => false,
            graphs::SUITE | graphs::CANONICAL => self.is_of_graphs(),
            _ => true,
        }
    }

    fn describes(&self, result: &CaseResult, features: &[String]) -> bool {
        self.verdict == result.verdict
            && (self.kinds.is_empty()
                || result.kind.is_some_and(|found| self.kinds.iter().any(|kind| covers(*kind, found))))
            && self.detail.as_ref().is_none_or(|d| d.is_match(result.detail.as_deref().unwrap_or("")))
            && (!self.is_about_features_in(&result.suite) || self.features.iter().all(|f| features.contains(f)))
            && self.pass.as_ref().is_none_or(|pass| {
                result.optimizer.as_ref().is_some_and(|fault| pass == ANY_PASS || fault.passes.contains(pass))
            })
            && self.max_ulp.is_none_or(|most| result.max_ulp.is_some_and(|ulp| ulp <= most))
    }

    /// Returns whether the result has an operator, case, suite, type, backend version and device that the entry is about. An
    /// entry about a version is about this version with any settings, such as `1.31.1,memory_pattern=on`. An entry about an
    /// adapter or a driver is not about results that do not name theirs, and one about a pass not about results of a backend
    /// without its optimizer.
    /// `operator` is the name of the result's operator.
    fn applies(&self, result: &CaseResult, operator: &str) -> bool {
        let named =
            |(name, since): &(String, Option<u32>)| *name == operator && since.is_none_or(|s| s == result.since);
        let operator = self.operators.is_empty() || self.operators.iter().any(named);
        let version = result.backend.split(' ').nth(1).unwrap_or("");
        let (plain, settings) = version.split_once(',').unwrap_or((version, ""));
        operator
            && (self.pass.is_none() || !settings.split(',').any(|s| s == "optimization=none"))
            && self.case.as_ref().is_none_or(|c| result.case == *c || result.case.ends_with(&format!("/{c}")))
            && self.suite.as_ref().is_none_or(|s| result.suite == *s || result.suite.split(':').next() == Some(s))
            && (self.types.is_empty() || result.types.values().any(|t| self.types.contains(t)))
            && (self.versions.is_empty() || self.versions.iter().any(|v| v == version || v == plain))
            && self.adapter.as_ref().is_none_or(|a| result.adapter.as_deref().is_some_and(|found| a.is_match(found)))
            && self.driver.as_ref().is_none_or(|d| result.driver.as_deref().is_some_and(|found| d.contains(found)))
    }
}

#[cfg(test)]
mod tests {
    use plumbline_generator::directml;

    use super::*;
    use crate::results::OptimizerFault;

    fn result(op: &str, dtype: &str, verdict: Verdict) -> CaseResult {
        CaseResult {
            case: format!("{op}-14/T={dtype}/0@0"),
            suite: "generated".into(),
            domain: "ai.onnx".into(),
            op: op.into(),
            since: 14,
            types: [("T".to_owned(), dtype.to_owned())].into(),
            backend: "onnxruntime 1.31.1".into(),
            verdict,
            detail: Some("SIGFPE".into()),
            ..CaseResult::default()
        }
    }

    const FILE: &str = "backend = \"onnxruntime\"\n[[expect]]\nop = \"Div\"\ntypes = [\"int32\"]\nverdict = \"crash\"\ndetail = \"SIGFPE\"\nblame = \"backend\"\nreason = \"INT_MIN / -1\"\n";

    #[test]
    fn known_verdicts_are_marked_and_unmatched_entries_are_stale() {
        let file = Expectations::parse(Path::new("x.toml"), FILE).unwrap();
        assert!(
            file.concerns("onnxruntime 1.31.1") && file.concerns("onnxruntime@1.23.2") && !file.concerns("rten 0.27.0")
        );
        assert!(file.stale(100, 100, |_| true).is_empty(), "none of the entry's cases ran");
        let mut pass = result("Div", "int32", Verdict::Pass);
        file.apply(&mut pass, &[]);
        assert_eq!(pass.expected_verdict, None);
        assert_eq!(file.stale(100, 100, |_| true).len(), 1, "enough of the entry's cases ran, and none matched");
        assert!(file.stale(10, 10, |_| true).is_empty(), "too few cases ran");
        assert!(file.stale(100, 100, |of| of != Some(("Div", None))).is_empty(), "not all of Div ran");
        let mut other = result("Div", "int64", Verdict::Crash);
        file.apply(&mut other, &[]);
        assert_eq!(other.expected_verdict, None);
        let mut crash = result("Div", "int32", Verdict::Crash);
        file.apply(&mut crash, &[]);
        assert_eq!(crash.expected_verdict, Some(Verdict::Crash));
        let known = Known { blame: Blame::Backend, reason: "INT_MIN / -1".to_owned() };
        assert_eq!((crash.known, other.known), (Some(known), None));
        assert!(file.stale(100, 100, |_| true).is_empty());
    }

    #[test]
    fn an_entry_about_a_version_is_about_its_settings_too() {
        let text = FILE.replace("verdict", "versions = [\"1.31.1\", \"1.30.0,optimization=none\"]\nverdict");
        let expected = |text: &str, version: &str| {
            let file = Expectations::parse(Path::new("x.toml"), text).unwrap();
            let fault = OptimizerFault { passes: vec!["GeluFusion".to_owned()] };
            let mut crash = CaseResult {
                backend: format!("onnxruntime {version}"),
                optimizer: Some(fault),
                ..result("Div", "int32", Verdict::Crash)
            };
            file.apply(&mut crash, &[]);
            (crash.expected_verdict.is_some(), file.stale(100, 100, |_| true).len())
        };
        for version in ["1.31.1", "1.31.1,memory_pattern=on", "1.30.0,optimization=none"] {
            assert_eq!(expected(&text, version), (true, 0), "{version}");
        }
        for version in ["1.30.0", "1.30.0,optimization=all", "1.31.10"] {
            assert_eq!(expected(&text, version), (false, 0), "{version}");
        }
        let pass = FILE.replace("verdict", "pass = \"GeluFusion\"\nverdict");
        assert_eq!(expected(&pass, "1.31.1,optimization=basic"), (true, 0));
        assert_eq!(expected(&pass, "1.31.1,optimization=none"), (false, 0), "there is no pass that could do it");
    }

    #[test]
    fn features_and_distances_narrow_an_entry() {
        let text = FILE.replace("detail = \"SIGFPE\"", "features = [\"empty sums\"]\nmax_ulp = 8.0");
        let file = Expectations::parse(Path::new("x.toml"), &text).unwrap();
        let expected = |max_ulp: Option<f64>, features: &[&str]| {
            let mut crash = CaseResult { max_ulp, ..result("Div", "int32", Verdict::Crash) };
            file.apply(&mut crash, &features.iter().map(|f| f.to_string()).collect::<Vec<_>>());
            crash.expected_verdict.is_some()
        };
        assert!(expected(Some(8.0), &["batches", "empty sums"]));
        assert!(!expected(Some(8.5), &["empty sums"]) && !expected(None, &["empty sums"]) && !expected(Some(1.0), &[]));
    }

    #[test]
    fn features_of_graphs_narrow_entries_about_graphs() {
        let expected = |suite: &str, features: &[&str]| {
            let text = FILE.replace("verdict", &format!("{suite}features = [\"operator Loop\"]\nverdict"));
            let file = Expectations::parse(Path::new("x.toml"), &text).unwrap();
            let mut crash = CaseResult { suite: "graphs".into(), ..result("Div", "int32", Verdict::Crash) };
            file.apply(&mut crash, &features.iter().map(|f| f.to_string()).collect::<Vec<_>>());
            crash.expected_verdict.is_some()
        };
        assert!(expected("", &[]), "the feature is one of single nodes");
        assert!(!expected("suite = \"graphs\"\n", &["operator If"]));
        assert!(expected("suite = \"graphs\"\n", &["operator If", "operator Loop"]));
    }

    #[test]
    fn what_is_known_as_wrong_may_be_inaccurate_but_not_the_reverse() {
        let matches = |known: &str, kind: FailKind| {
            let text = FILE.replace("\"crash\"", &format!("\"fail\"\nkind = \"{known}\""));
            let file = Expectations::parse(Path::new("x.toml"), &text).unwrap();
            let mut fail = CaseResult { kind: Some(kind), ..result("Div", "int32", Verdict::Fail) };
            file.apply(&mut fail, &[]);
            fail.expected_verdict.is_some()
        };
        assert!(matches("wrong-value", FailKind::WrongValue) && matches("wrong-value", FailKind::Inaccurate));
        assert!(matches("inaccurate", FailKind::Inaccurate) && !matches("inaccurate", FailKind::WrongValue));
        assert!(!matches("rejects-valid", FailKind::Inaccurate));
    }

    #[test]
    fn an_entry_may_be_about_several_kinds() {
        let text = FILE.replace("\"crash\"", "\"fail\"\nkind = [\"wrong-value\", \"concurrent\"]");
        let file = Expectations::parse(Path::new("x.toml"), &text).unwrap();
        for (kind, is_known) in
            [(FailKind::WrongValue, true), (FailKind::Concurrent, true), (FailKind::Nondeterministic, false)]
        {
            let mut fail = CaseResult { kind: Some(kind), ..result("Div", "int32", Verdict::Fail) };
            file.apply(&mut fail, &[]);
            assert_eq!(fail.expected_verdict.is_some(), is_known, "{kind:?}");
        }
    }

    #[test]
    fn an_entry_may_be_about_graphs_and_one_pass() {
        let text = FILE.replace("\"Div\"\ntypes = [\"int32\"]", "\"graph\"\npass = \"ReshapeFusion\"");
        let file = Expectations::parse(Path::new("x.toml"), &text).unwrap();
        let expected = |file: &Expectations, passes: Option<&[&str]>| {
            let optimizer =
                passes.map(|passes| OptimizerFault { passes: passes.iter().map(|pass| (*pass).to_owned()).collect() });
            let suite = "graphs".to_owned();
            let mut crash = CaseResult { since: 0, suite, optimizer, ..result("graph", "float", Verdict::Crash) };
            file.apply(&mut crash, &[]);
            crash.expected_verdict.is_some()
        };
        assert!(expected(&file, Some(&["ReshapeFusion"])) && !expected(&file, Some(&["ConstantFolding"])));
        assert!(!expected(&file, Some(&[])) && !expected(&file, None));
        let any = Expectations::parse(Path::new("x.toml"), &text.replace("ReshapeFusion", "*")).unwrap();
        assert!(expected(&any, Some(&["ConstantFolding"])) && expected(&any, Some(&[])) && !expected(&any, None));
    }

    #[test]
    fn an_entry_may_be_about_an_adapter_and_its_driver() {
        let head = "backend = \"dxdispatch\"\n[[expect]]\nop = \"DML_OPERATOR_GEMM\"\nverdict = \"fail\"\n";
        let tail = "blame = \"backend\"\nreason = \"sums in float16\"\n";
        let parse = |keys: &str| Expectations::parse(Path::new("x.toml"), &format!("{head}{keys}{tail}"));
        let file = parse("adapter = \"^Radeon\"\ndriver = \"31.0.9..=31.0.15\"\n").unwrap();
        let expected = |adapter: Option<&str>, driver: Option<&str>| {
            let mut fail = CaseResult {
                suite: directml::SUITE.into(),
                domain: directml::DOMAIN.into(),
                since: 1,
                backend: "dxdispatch Radeon, driver 31.0.10, DirectML 1.15.4".into(),
                adapter: adapter.map(str::to_owned),
                driver: driver.map(str::to_owned),
                ..result("DML_OPERATOR_GEMM", "float16", Verdict::Fail)
            };
            file.apply(&mut fail, &[]);
            fail.expected_verdict.is_some()
        };
        assert!(expected(Some("Radeon RX"), Some("31.0.10")));
        assert!(!expected(Some("GeForce"), Some("31.0.10")) && !expected(Some("Radeon RX"), Some("31.0.16")));
        assert!(!expected(None, Some("31.0.10")) && !expected(Some("Radeon RX"), None));
        let error = |keys: &str| parse(keys).unwrap_err().to_string();
        assert!(error("adapter = \"(\"\n").contains("line 2: `adapter` is not a regular expression"));
        let driver = error("driver = \"new\"\n");
        assert!(driver.starts_with("x.toml: ") && driver.contains("line 5"), "{driver}");
        assert!(driver.contains("`new` is not a range of versions"), "{driver}");
        let other = parse("").map(|_| head.replace("GEMM", "GEMMM")).unwrap();
        let error = Expectations::parse(Path::new("x.toml"), &format!("{other}{tail}")).unwrap_err().to_string();
        assert!(error.contains("line 2: ") && error.contains("DML_OPERATOR_GEMM"), "{error}");
    }

    #[test]
    fn an_entry_is_not_stale_in_a_run_of_another_suite() {
        let file = Expectations::parse(Path::new("x.toml"), FILE).unwrap();
        file.apply(&mut CaseResult { suite: "negative".into(), ..result("Div", "int32", Verdict::Pass) }, &[]);
        assert!(file.stale(100, 100, |_| true).is_empty());
    }

    #[test]
    fn errors_in_files_say_what_is_wrong() {
        let parse = |text: &str| Expectations::parse(Path::new("x.toml"), text).unwrap_err().to_string();
        assert!(parse(&FILE.replace("reason", "raeson")).contains("raeson"));
        assert!(parse(&FILE.replace("Div", "Dvi")).contains("line 2"));
        assert!(parse(&FILE.replace("SIGFPE", "(")).contains("regular expression"));
        assert!(parse(&FILE.replace("\"crash\"", "\"pass\"")).contains("needs no expectation"));
        assert!(parse(&FILE.replace("blame", "share = 1.5\nblame")).contains("line 2: `share` is between 0 and 1"));
        assert!(parse(&FILE.replace("INT_MIN / -1", " ")).contains("reason is empty"));
    }

    #[test]
    fn each_case_of_a_list_needs_a_match() {
        let text = "backend = \"onnxruntime\"\n[[expect]]\ncase = [\"node/a\", \"node/b\"]\nsuite = \"onnx:1.23.2\"\nverdict = \"crash\"\nblame = \"backend\"\nreason = \"known\"\n";
        let file = Expectations::parse(Path::new("x.toml"), text).unwrap();
        let of = |case: &str, verdict| CaseResult {
            case: format!("onnx:1.23.2/{case}"),
            suite: "onnx:1.23.2".into(),
            ..result("Div", "int32", verdict)
        };
        let [mut a, mut b, mut c] = [("node/a", Verdict::Crash), ("node/b", Verdict::Pass), ("node/c", Verdict::Crash)]
            .map(|(case, verdict)| of(case, verdict));
        [&mut a, &mut b, &mut c].into_iter().for_each(|result| file.apply(result, &[]));
        assert_eq!([a, b, c].map(|result| result.expected_verdict), [Some(Verdict::Crash), None, None]);
        let stale = file.stale(1, 1, |_| false);
        assert!(stale.len() == 1 && stale[0].contains("node/b"), "{stale:?}");
    }
}
