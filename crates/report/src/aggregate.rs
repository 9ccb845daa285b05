//! Counts results as they are read, in bounded memory.
//!
//! The aggregator keeps a [`Tally`] for each cell and backend. It also keeps one case for each signature of failures,
//! for each rule that allows a latitude, and for each reason why cases are unsupported or did not run. Of several such
//! cases, it keeps the one whose id sorts first.
//! Lists that could grow with the results are bounded, and what does not fit is only counted. A bounded list keeps the
//! smallest keys and not the ones that come first, so that the order of the results makes no difference.

use std::collections::BTreeMap;

use plumbline_conformance::{CaseResult, FailKind, Known, ReasonKind, Severity, Verdict};

use crate::bounded::{Bounded, Count};
use crate::summary::{
    BackendSummary, CellCount, CellSummary, Finding, KnownCount, Measured, OperatorSummary, Reason, Summary, Tally,
    VersionSummary,
};
use crate::text::{shorten, shorten_key, without_numbers};
use crate::tools::ToolCounts;
use crate::{ReportError, RunMeta};

/// The largest number of combinations of operator version, types and backend: about fifty times as many as all
/// specifications have. The combinations of suite and backend have the same limit.
const MAX_CELLS: usize = 1 << 20;
/// The largest number of signatures kept for each operator, backend, verdict and kind. Each kind has a limit of its
/// own, so that many signatures of one kind do not displace those of another.
const MAX_FINDINGS: usize = 100;
/// The largest number of reasons kept for each operator, backend and verdict. These reasons say why cases are
/// unsupported or did not run.
const MAX_REASONS: usize = 100;
/// The largest number of cells kept for each finding and for each reason.
const MAX_LISTED_CELLS: usize = 256;
/// The largest number of reasons kept for each finding. These reasons say why its results are expected.
const MAX_KNOWN: usize = 8;
/// The largest length of such a reason.
const MAX_KNOWN_BYTES: usize = 600;
/// The largest length at which the name of an operator, backend, signature or case is kept unchanged.
const MAX_NAME_BYTES: usize = 256;
/// The largest length of a detail.
const MAX_DETAIL_BYTES: usize = 1500;
/// The largest length of a reason why cases are unsupported or did not run.
const MAX_REASON_BYTES: usize = 300;

type Types = BTreeMap<String, String>;
type OperatorKey = (String, String);
type CellKey = (u32, Types);
/// The backend, verdict and kind that findings of a group share.
type FindingGroup = (String, Verdict, Option<FailKind>);

/// Counts results and keeps what a report needs.
#[derive(Debug, Default)]
pub struct Aggregator {
    operators: BTreeMap<OperatorKey, OperatorCounts>,
    suites: BTreeMap<(String, String), Tally>,
    /// The number of answers to invalid cases that a backend may give, because it does not check values.
    unchecked: BTreeMap<String, u64>,
    tools: ToolCounts,
    cells: usize,
    truncated: Vec<String>,
}

#[derive(Debug, Default)]
struct OperatorCounts {
    cells: BTreeMap<CellKey, BTreeMap<String, Tally>>,
    /// The findings of each group by signature.
    findings: BTreeMap<FindingGroup, Bounded<Option<String>, FindingCounts>>,
    /// The reasons of each backend and verdict by their text.
    reasons: BTreeMap<(String, Verdict), Bounded<Option<String>, ReasonCounts>>,
}

#[derive(Debug)]
struct FindingCounts {
    tally: Tally,
    severity: Severity,
    also_on: Option<String>,
    first: Example,
    known: Bounded<Known, u64>,
    cells: Bounded<CellKey, u64>,
}

/// A result that a report shows: the id of its case, what happened, and the rule that this is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Example {
    case: String,
    detail: Option<String>,
    rule: Option<String>,
}

/// What a report may show of a single result, in addition to the counts.
struct Noted {
    case: String,
    kind: Option<FailKind>,
    signature: Option<String>,
    detail: Option<String>,
    rule: Option<String>,
    known: Option<Known>,
    severity: Severity,
    also_on: Option<String>,
}

#[derive(Debug)]
struct ReasonCounts {
    count: u64,
    case: String,
    cells: Bounded<CellKey, u64>,
}

/// Returns the domain that a report shows for a result. It is empty if the case is not about a single operator: the
/// result of such a case has version 0 and a domain that says nothing.
pub(crate) fn shown_domain(since: u32, domain: String) -> String {
    if since == 0 { String::new() } else { domain }
}

impl Aggregator {
    /// Creates an aggregator without results.
    pub fn new() -> Aggregator {
        Aggregator::default()
    }

    /// Counts one result.
    ///
    /// # Errors
    /// Fails with [`ReportError::TooManyCells`] beyond about a million combinations of a cell and a backend, or of a
    /// suite and a backend.
    pub fn add(&mut self, result: CaseResult) -> Result<(), ReportError> {
        let severity = Severity::new(&result);
        let measured = Measured {
            verdict: result.verdict,
            expected_verdict: result.expected_verdict,
            max_ulp: result.max_ulp,
            width_ulp: result.width_ulp,
            error_ratio: result.error_ratio,
            // The cast saturates, and turns NaN and negative numbers into zero.
            nanoseconds: (result.seconds * 1e9) as u64,
        };
        let name = |text| shorten_key(text, MAX_NAME_BYTES);
        let domain = name(shown_domain(result.since, result.domain.clone()));
        let backend = name(result.backend.clone());
        self.tools.add(&backend, &domain, &result);
        let case = name(result.case);
        let types: Types = result.types.into_iter().map(|(variable, bound)| (name(variable), name(bound))).collect();
        let cell = (result.since, types);

        self.suites.entry((backend.clone(), name(result.suite))).or_default().add(measured);
        if result.reason == Some(ReasonKind::Unchecked) {
            *self.unchecked.entry(backend.clone()).or_default() += 1;
        }

        let operator = self.operators.entry((domain, name(result.op))).or_default();
        let CaseResult { kind, signature, detail, rule, known, also_on, .. } = result;
        operator.note(
            &backend,
            &cell,
            measured,
            Noted { case, kind, signature, detail, rule, known, severity, also_on },
        );
        let backends = operator.cells.entry(cell).or_default();
        if !backends.contains_key(&backend) {
            self.cells += 1;
        }
        backends.entry(backend).or_default().add(measured);
        if self.cells > MAX_CELLS || self.suites.len() > MAX_CELLS || self.tools.len() > MAX_CELLS {
            return Err(self.too_many_cells());
        }
        Ok(())
    }

    /// Records a results file with a last line that was cut off.
    pub fn add_truncated(&mut self, file: String) {
        self.truncated.push(file);
    }

    fn too_many_cells(&self) -> ReportError {
        let (cell, backend) = match self.operators.last_key_value() {
            Some(((domain, op), operator)) => {
                let last = operator.cells.last_key_value();
                let since = last.map_or(0, |((since, _), _)| *since);
                let backend = last.and_then(|(_, backends)| backends.keys().next_back().cloned());
                (format!("{domain} {op}-{since}"), backend.unwrap_or_default())
            }
            None => (String::new(), String::new()),
        };
        ReportError::TooManyCells { limit: MAX_CELLS, cell, backend }
    }

    /// Returns the summary of the results.
    pub fn finish(mut self, meta: RunMeta) -> Summary {
        let operators: Vec<OperatorSummary> =
            self.operators.into_iter().map(|((domain, op), counts)| counts.finish(domain, op)).collect();

        let mut total = Tally::default();
        let mut suites: BTreeMap<String, Tally> = BTreeMap::new();
        let mut by_backend: BTreeMap<String, BTreeMap<String, Tally>> = BTreeMap::new();
        for ((backend, suite), tally) in self.suites {
            total.merge(&tally);
            suites.entry(suite.clone()).or_default().merge(&tally);
            by_backend.entry(backend).or_default().insert(suite, tally);
        }
        let mut backends = Vec::new();
        for backend in &meta.backends {
            let suites = by_backend.remove(&backend.label()).unwrap_or_default();
            let unchecked = self.unchecked.remove(&backend.label()).unwrap_or_default();
            backends.push(backend_summary(backend.label(), backend.name.clone(), suites, unchecked));
        }
        for (label, suites) in by_backend {
            // In `onnxruntime 1.31.1`, the name ends at the space before the version.
            let name = label.split(' ').next().unwrap_or_default().to_owned();
            let unchecked = self.unchecked.remove(&label).unwrap_or_default();
            backends.push(backend_summary(label, name, suites, unchecked));
        }
        let mut truncated = self.truncated;
        truncated.sort();
        let (conversions, inferred) = self.tools.finish();
        Summary { format: 1, meta, truncated, total, suites, backends, operators, conversions, inferred }
    }
}

fn backend_summary(backend: String, name: String, suites: BTreeMap<String, Tally>, unchecked: u64) -> BackendSummary {
    let mut total = Tally::default();
    for tally in suites.values() {
        total.merge(tally);
    }
    BackendSummary { backend, name, total, suites, unchecked }
}

impl OperatorCounts {
    /// Keeps what a report may show of a single result, in addition to the counts of the cells.
    fn note(&mut self, backend: &str, cell: &CellKey, measured: Measured, noted: Noted) {
        let Noted { case, kind, signature, detail, rule, known, severity, also_on } = noted;
        let shared = (severity, also_on.map(|name| shorten_key(name, MAX_NAME_BYTES)));
        let rule = rule.map(|text| shorten_key(text, MAX_NAME_BYTES));
        match measured.verdict {
            Verdict::Pass => {}
            Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::DeviceLost | Verdict::Latitude => {
                // Latitude has no signature, and is grouped by its rule.
                let label = rule.clone().filter(|_| measured.verdict == Verdict::Latitude);
                let signature = signature.map(|text| shorten_key(text, MAX_NAME_BYTES)).or(label);
                let group = (backend.to_owned(), measured.verdict, kind);
                let known =
                    known.map(|Known { blame, reason }| Known { blame, reason: shorten(&reason, MAX_KNOWN_BYTES) });
                let example = Example { case, detail: detail.map(|text| shorten(&text, MAX_DETAIL_BYTES)), rule };
                self.findings.entry(group).or_insert_with(|| Bounded::new(MAX_FINDINGS)).add(
                    signature,
                    |found| {
                        found.add(cell, measured, &example, known.as_ref());
                        found.share(&shared);
                    },
                    || FindingCounts::new(cell, measured, example.clone(), known.as_ref(), shared.clone()),
                );
            }
            Verdict::Unsupported | Verdict::NotRun => {
                let reason = detail.map(|text| without_numbers(&shorten(&text, MAX_REASON_BYTES)));
                let group = (backend.to_owned(), measured.verdict);
                self.reasons.entry(group).or_insert_with(|| Bounded::new(MAX_REASONS)).add(
                    reason,
                    |found| found.add(cell, &case),
                    || ReasonCounts::new(cell, case.clone()),
                );
            }
        }
    }

    fn finish(self, domain: String, op: String) -> OperatorSummary {
        let mut backends: BTreeMap<String, Tally> = BTreeMap::new();
        let mut versions: Vec<VersionSummary> = Vec::new();
        for ((since, types), tallies) in self.cells {
            for (backend, tally) in &tallies {
                backends.entry(backend.clone()).or_default().merge(tally);
            }
            if versions.last().is_none_or(|version| version.since != since) {
                versions.push(VersionSummary { since, cells: Vec::new() });
            }
            let version = versions.last_mut().expect("a version was pushed above if the list was empty");
            version.cells.push(CellSummary { types, backends: tallies });
        }

        let (mut findings, mut findings_left_out) = (Vec::new(), 0);
        for (group, bounded) in self.findings {
            findings_left_out += bounded.left_out;
            let kept = bounded.kept.into_iter();
            findings.extend(kept.map(|(signature, counts)| counts.finish(group.clone(), signature)));
        }
        let (mut reasons, mut reasons_left_out) = (Vec::new(), 0);
        for ((backend, verdict), bounded) in self.reasons {
            reasons_left_out += bounded.left_out;
            reasons.extend(bounded.kept.into_iter().map(|(reason, counts)| Reason {
                backend: backend.clone(),
                verdict,
                reason,
                count: counts.count,
                case: counts.case,
                cells_left_out: counts.cells.left_out,
                cells: counts.cells.listed(),
            }));
        }
        OperatorSummary { domain, op, backends, versions, findings, findings_left_out, reasons, reasons_left_out }
    }
}

impl FindingCounts {
    fn new(
        cell: &CellKey,
        measured: Measured,
        first: Example,
        known: Option<&Known>,
        (severity, also_on): (Severity, Option<String>),
    ) -> FindingCounts {
        let (known_by_reason, cells) = (Bounded::new(MAX_KNOWN), Bounded::new(MAX_LISTED_CELLS));
        let mut found =
            FindingCounts { tally: Tally::default(), severity, also_on, first, known: known_by_reason, cells };
        found.tally_in(cell, measured, known);
        found
    }

    /// Counts a result. The case whose id sorts first is kept, so that the order of the results makes no difference. If
    /// this case occurs twice, the detail that sorts first is kept.
    fn add(&mut self, cell: &CellKey, measured: Measured, example: &Example, known: Option<&Known>) {
        self.tally_in(cell, measured, known);
        if *example < self.first {
            self.first = example.clone();
        }
    }

    /// Keeps the worst severity, and the first of the other backends with the failure in the order of their names.
    fn share(&mut self, (severity, also_on): &(Severity, Option<String>)) {
        self.severity = self.severity.min(*severity);
        let both = [self.also_on.take(), also_on.clone()];
        self.also_on = both.into_iter().flatten().min();
    }

    fn tally_in(&mut self, cell: &CellKey, measured: Measured, known: Option<&Known>) {
        self.tally.add(measured);
        if let Some(known) = known {
            self.known.add(known.clone(), |count| *count += 1, || 1);
        }
        self.cells.add(cell.clone(), |count| *count += 1, || 1);
    }

    fn finish(self, (backend, verdict, kind): FindingGroup, signature: Option<String>) -> Finding {
        Finding {
            backend,
            verdict,
            kind,
            signature,
            tally: self.tally,
            also_on: self.also_on,
            severity: self.severity,
            case: self.first.case,
            detail: self.first.detail,
            rule: self.first.rule,
            known: self
                .known
                .kept
                .into_iter()
                .map(|(Known { blame, reason }, count)| KnownCount { blame, reason, count })
                .collect(),
            cells_left_out: self.cells.left_out,
            cells: self.cells.listed(),
        }
    }
}

impl ReasonCounts {
    fn new(cell: &CellKey, case: String) -> ReasonCounts {
        let mut cells = Bounded::new(MAX_LISTED_CELLS);
        cells.add(cell.clone(), |count| *count += 1, || 1);
        ReasonCounts { count: 1, case, cells }
    }

    fn add(&mut self, cell: &CellKey, case: &str) {
        self.count += 1;
        self.cells.add(cell.clone(), |count| *count += 1, || 1);
        if case < self.case.as_str() {
            self.case = case.to_owned();
        }
    }
}

impl Bounded<CellKey, u64> {
    fn listed(self) -> Vec<CellCount> {
        self.kept.into_iter().map(|((since, types), count)| CellCount { since, types, count }).collect()
    }
}

impl Count for FindingCounts {
    fn count(&self) -> u64 {
        self.tally.counts.all()
    }
}

impl Count for ReasonCounts {
    fn count(&self) -> u64 {
        self.count
    }
}
