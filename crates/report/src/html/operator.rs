//! The section of the page about one operator.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_conformance::{NOTABLE_RATIO, Verdict};
use plumbline_tensor::DType;
use serde::Serialize;
use serde_json::Value;

use super::directml::Served;
use super::evidence::Repros;
use super::facts::Facts;
use super::findings::{self, Context, Findings, MAX_SHOWN, findings_view};
use super::matrix::Subject;
use super::{families, marks};
use crate::text::{grouped, ulp};
use crate::{CellSummary, OperatorSummary, Summary, Tally, VersionSummary, types_text};

/// In a version with at most this many bindings, each binding with an answer has a row of its own.
const FEW_ROWS: usize = 24;
/// The largest number of bindings with failures or latitude that have a row of their own in a version with more than
/// [`FEW_ROWS`] bindings.
const MAX_ODD_ROWS: usize = 60;
/// The largest number of reasons shown for each operator.
const MAX_REASONS: usize = 20;
/// What the template shows of an operator.
#[derive(Debug, Serialize)]
pub(super) struct Section {
    id: String,
    name: String,
    domain: String,
    /// Whether the operator only occurs in the results and not in the specification.
    unknown: bool,
    sinces: String,
    mark: Option<Mark>,
    facts: Option<Facts>,
    directml: Option<Served>,
    columns: Vec<String>,
    versions: Vec<VersionRows>,
    idle_versions: String,
    failures: Findings,
    latitude: Findings,
    reasons: Vec<ReasonLine>,
    more_reasons: usize,
    left_out: Option<String>,
}

/// The mark beside the operator's name.
#[derive(Debug, Serialize)]
struct Mark {
    class: &'static str,
    text: String,
}

/// The results of one version.
#[derive(Debug, Serialize)]
struct VersionRows {
    since: u32,
    rows: Vec<Row>,
}

/// A row for one binding of the type variables, or for several bindings together.
#[derive(Debug, Serialize)]
struct Row {
    types: String,
    /// The bindings, if the row stands for several.
    bindings: Vec<String>,
    cells: Vec<RowCell>,
}

#[derive(Debug, Serialize)]
struct RowCell {
    class: &'static str,
    text: String,
    ulp: Option<String>,
}

#[derive(Debug, Serialize)]
struct ReasonLine {
    sign: &'static str,
    class: &'static str,
    verdict: &'static str,
    backend: String,
    reason: String,
    count: String,
    case: String,
}

impl Section {
    /// Makes the section. `backends` are those that have results, in the order of the report; `repros` are the folders
    /// below `repro/`.
    pub(super) fn new(subject: &Subject, summary: &Summary, backends: &[&str], repros: &Repros) -> Section {
        let results = subject.results;
        let ran: BTreeSet<u32> = results.iter().flat_map(|r| &r.versions).map(|version| version.since).collect();
        let sinces: Vec<u32> = match subject.operator {
            Some(operator) => operator.versions.iter().map(|version| version.since).collect(),
            None => ran.iter().copied().collect(),
        };
        let idle = sinces.iter().filter(|since| !ran.contains(since));
        let family = families::family(&subject.domain, subject.operator);
        let context = Context { summary, repros, subject, family };
        let findings = |latitude: bool| {
            let findings = results.iter().flat_map(|results| &results.findings);
            let findings = findings.filter(|finding| (finding.verdict == Verdict::Latitude) == latitude);
            findings_view(findings.collect(), &context, if latitude { MAX_SHOWN } else { 0 })
        };
        Section {
            id: subject.id.clone(),
            name: subject.name.clone(),
            domain: subject.domain.clone(),
            unknown: subject.operator.is_none(),
            sinces: join(&sinces),
            mark: results.map(mark),
            facts: subject.operator.map(Facts::new),
            directml: subject.operator.map(Served::new),
            columns: backends.iter().map(|&name| name.to_owned()).collect(),
            versions: results.map(|results| version_rows(&results.versions, backends)).unwrap_or_default(),
            idle_versions: join(&idle.copied().collect::<Vec<_>>()),
            failures: findings(false),
            latitude: findings(true),
            reasons: results.map(reasons).unwrap_or_default(),
            more_reasons: results.map_or(0, |results| results.reasons.len().saturating_sub(MAX_REASONS)),
            left_out: results.and_then(left_out),
        }
    }
}

impl Section {
    /// Returns what the script filters the findings of the section by.
    pub(super) fn index(&self, subject: &Subject, shown: &[Option<DType>], backends: &[&str]) -> Vec<Value> {
        findings::index([&self.failures, &self.latitude], subject, shown, backends)
    }
}

fn join(sinces: &[u32]) -> String {
    sinces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn mark(results: &OperatorSummary) -> Mark {
    let mut total = Tally::default();
    results.backends.values().for_each(|tally| total.merge(tally));
    Mark { class: marks::cell_class(&total), text: marks::cell_text(&total) }
}

fn version_rows(versions: &[VersionSummary], backends: &[&str]) -> Vec<VersionRows> {
    // The newest version comes first, because most readers look for it.
    versions
        .iter()
        .rev()
        .map(|version| VersionRows { since: version.since, rows: rows(&version.cells, backends) })
        .collect()
}

/// Returns the rows of a version. If it has few bindings, each binding that a backend answered has a row, and all other
/// bindings share a row. If it has many, each of the first [`MAX_ODD_ROWS`] bindings with failures or latitude has a
/// row. Two of the remaining bindings share a row if, on every backend, their cells have the same class.
fn rows(cells: &[CellSummary], backends: &[&str]) -> Vec<Row> {
    if cells.len() <= FEW_ROWS {
        // Bindings that no backend answered share a row, because there is nothing to compare.
        let answered = |cell: &&CellSummary| cell.backends.values().any(is_answered);
        let silent: Vec<&CellSummary> = cells.iter().filter(|cell| !answered(cell)).collect();
        let rows = cells.iter().filter(answered).map(|cell| row(&[cell], backends));
        return rows.chain((!silent.is_empty()).then(|| row(&silent, backends))).collect();
    }
    let odd = |cell: &&CellSummary| cell.backends.values().any(|tally| tally.counts.bad() + tally.counts.latitude > 0);
    let shown: Vec<&CellSummary> = cells.iter().filter(odd).take(MAX_ODD_ROWS).collect();
    let mut groups: BTreeMap<Vec<&'static str>, Vec<&CellSummary>> = BTreeMap::new();
    let mut odd_seen = 0;
    for cell in cells {
        if odd(&cell) {
            odd_seen += 1;
            if odd_seen <= MAX_ODD_ROWS {
                continue;
            }
        }
        let pattern = backends.iter().map(|&backend| cell.backends.get(backend).map_or("", marks::cell_class));
        groups.entry(pattern.collect()).or_default().push(cell);
    }
    let mut groups: Vec<Vec<&CellSummary>> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    shown.iter().map(|&cell| row(&[cell], backends)).chain(groups.iter().map(|group| row(group, backends))).collect()
}

/// Returns whether any case has a result other than unsupported or not run.
fn is_answered(tally: &Tally) -> bool {
    tally.counts.all() > tally.counts.unsupported + tally.counts.not_run
}

fn row(cells: &[&CellSummary], backends: &[&str]) -> Row {
    let name = |cell: &&CellSummary| match types_text(&cell.types) {
        text if text.is_empty() => "no type variables".to_owned(),
        text => text,
    };
    let (types, bindings) = match cells {
        [one] => (name(one), Vec::new()),
        many => (format!("{} bindings", grouped(many.len() as u64)), many.iter().map(name).collect()),
    };
    let cells = backends.iter().map(|&backend| {
        let mut total = Tally::default();
        for tally in cells.iter().filter_map(|cell| cell.backends.get(backend)) {
            total.merge(tally);
        }
        RowCell {
            class: marks::cell_class(&total),
            text: marks::full_text(&total),
            ulp: total.max_ulp.map(|distance| match total.max_width_ulp {
                Some(0.0) if distance == 0.0 => "exact".to_owned(),
                Some(width) => format!("{} ulp, width {}{}", ulp(distance), ulp(width), times_usual(&total)),
                None => format!("{} ulp", ulp(distance)),
            }),
        }
    });
    Row { types, bindings, cells: cells.collect() }
}

/// Says that accepted answers are far less accurate than those of others, if they are.
fn times_usual(tally: &Tally) -> String {
    let ratio = tally.max_error_ratio.filter(|ratio| *ratio > NOTABLE_RATIO);
    ratio.map(|ratio| format!(", within the bound {ratio:.0} times the usual error")).unwrap_or_default()
}

fn reasons(results: &OperatorSummary) -> Vec<ReasonLine> {
    let mut reasons: Vec<_> = results.reasons.iter().collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    reasons.truncate(MAX_REASONS);
    reasons.sort_by_key(|reason| &reason.backend);
    reasons
        .into_iter()
        .map(|reason| ReasonLine {
            sign: marks::sign(reason.verdict),
            class: marks::class(reason.verdict),
            verdict: reason.verdict.name(),
            backend: reason.backend.clone(),
            reason: reason.reason.clone().unwrap_or_else(|| "no reason given".to_owned()),
            count: grouped(reason.count),
            case: reason.case.clone(),
        })
        .collect()
}

fn left_out(results: &OperatorSummary) -> Option<String> {
    let parts = [(results.findings_left_out, "signatures"), (results.reasons_left_out, "reasons")];
    let parts = parts.into_iter().filter(|&(count, _)| count > 0);
    let parts: Vec<String> = parts
        .map(|(count, what)| {
            format!("{} results have {what} that are not kept, because lists are bounded", grouped(count))
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
