//! The section of the page about one operator.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_conformance::{FailKind, Verdict};
use serde::Serialize;

use super::directml::Served;
use super::facts::Facts;
use super::marks;
use super::matrix::Subject;
use crate::text::{grouped, shorten, ulp};
use crate::{CellCount, CellSummary, Finding, OperatorSummary, Standings, Summary, Tally, VersionSummary, types_text};

/// The number of rows up to which a version shows every row separately.
const FEW_ROWS: usize = 24;
/// In a version with more rows, the largest number of rows with failures or latitude that are shown separately.
const MAX_ODD_ROWS: usize = 60;
/// The largest number of findings shown with their detail for each operator.
const MAX_FINDINGS: usize = 12;
/// The largest number of further findings shown in one line each.
const MAX_FINDING_LINES: usize = 60;
/// The largest number of reasons shown for each operator.
const MAX_REASONS: usize = 20;
/// The largest length of a detail in bytes.
const MAX_DETAIL_BYTES: usize = 800;
/// The largest number of cells listed with a finding.
const MAX_FINDING_CELLS: usize = 8;

/// What the template shows of an operator.
#[derive(Debug, Serialize)]
pub(super) struct Section {
    id: String,
    name: String,
    domain: String,
    /// Whether the operator only occurs in the results and not in the specification.
    unknown: bool,
    sinces: String,
    backends: Vec<BackendMark>,
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

/// The mark of a backend beside the operator's name.
#[derive(Debug, Serialize)]
struct BackendMark {
    backend: String,
    class: &'static str,
    text: String,
}

/// The results of one version.
#[derive(Debug, Serialize)]
struct VersionRows {
    since: u32,
    rows: Vec<Row>,
}

/// A row for one binding of the type variables, or for many bindings with the same verdicts.
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

#[derive(Debug, Default, Serialize)]
struct Findings {
    full: Vec<FindingView>,
    lines: Vec<FindingView>,
    more: usize,
}

#[derive(Debug, Serialize)]
struct FindingView {
    class: &'static str,
    sign: &'static str,
    what: &'static str,
    backend: String,
    signature: Option<String>,
    count: String,
    standing: String,
    ulp: Option<String>,
    cells: String,
    case: String,
    detail: Option<String>,
    replay: String,
    repro: Option<String>,
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
    /// Makes the section. `backends` are those that have results, in the order of the report; `repro` are the folders
    /// below `repro/`.
    pub(super) fn new(subject: &Subject, summary: &Summary, backends: &[&str], repro: &BTreeSet<String>) -> Section {
        let results = subject.results;
        let ran: BTreeSet<u32> = results.iter().flat_map(|r| &r.versions).map(|version| version.since).collect();
        let sinces: Vec<u32> = match subject.operator {
            Some(operator) => operator.versions.iter().map(|version| version.since).collect(),
            None => ran.iter().copied().collect(),
        };
        let idle = sinces.iter().filter(|since| !ran.contains(since));
        let findings = |latitude: bool| {
            let findings = results.iter().flat_map(|results| &results.findings);
            let findings = findings.filter(|finding| (finding.verdict == Verdict::Latitude) == latitude);
            findings_view(findings.collect(), summary, repro)
        };
        Section {
            id: subject.id.clone(),
            name: subject.name.clone(),
            domain: subject.domain.clone(),
            unknown: subject.operator.is_none(),
            sinces: join(&sinces),
            backends: backend_marks(results, backends),
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

fn join(sinces: &[u32]) -> String {
    sinces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn backend_marks(results: Option<&OperatorSummary>, backends: &[&str]) -> Vec<BackendMark> {
    let Some(results) = results else { return Vec::new() };
    let none = Tally::default();
    backends
        .iter()
        .map(|&backend| {
            let tally = results.backends.get(backend).unwrap_or(&none);
            BackendMark { backend: backend.to_owned(), class: marks::cell_class(tally), text: marks::cell_text(tally) }
        })
        .collect()
}

fn version_rows(versions: &[VersionSummary], backends: &[&str]) -> Vec<VersionRows> {
    // The newest version comes first, because most readers look for it.
    versions
        .iter()
        .rev()
        .map(|version| VersionRows { since: version.since, rows: rows(&version.cells, backends) })
        .collect()
}

/// Returns a row for each binding. If there are many bindings, those with the same verdicts on every backend share a
/// row.
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
                Some(width) => format!("{} ulp, width {}", ulp(distance), ulp(width)),
                None => format!("{} ulp", ulp(distance)),
            }),
        }
    });
    Row { types, bindings, cells: cells.collect() }
}

fn findings_view(mut findings: Vec<&Finding>, summary: &Summary, repro: &BTreeSet<String>) -> Findings {
    // The sort is stable, so equal findings keep the order of the summary.
    findings
        .sort_by_key(|finding| std::cmp::Reverse((finding.tally.standings.unexpected(), finding.tally.counts.all())));
    let more = findings.len().saturating_sub(MAX_FINDINGS + MAX_FINDING_LINES);
    let mut views = findings.into_iter().take(MAX_FINDINGS + MAX_FINDING_LINES).map(|f| finding(f, summary, repro));
    Findings { full: views.by_ref().take(MAX_FINDINGS).collect(), lines: views.collect(), more }
}

fn finding(finding: &Finding, summary: &Summary, repro: &BTreeSet<String>) -> FindingView {
    let unforeseen = finding.tally.standings.new + finding.tally.standings.changed > 0;
    FindingView {
        class: match (marks::class(finding.verdict), unforeseen) {
            ("f", false) => "e",
            (class, _) => class,
        },
        sign: marks::sign(finding.verdict),
        what: finding.kind.map_or(finding.verdict.name(), FailKind::name),
        backend: finding.backend.clone(),
        signature: finding.signature.clone(),
        count: grouped(finding.tally.counts.all()),
        standing: standing(&finding.tally.standings),
        ulp: marks::ulp_text(&finding.tally),
        cells: cells_text(&finding.cells, finding.cells_left_out),
        case: finding.case.clone(),
        detail: finding.detail.as_deref().map(|text| shorten(text, MAX_DETAIL_BYTES)),
        replay: summary.replay(&finding.case, &finding.backend),
        repro: finding.signature.as_deref().filter(|name| repro.contains(*name)).map(repro_link),
    }
}

/// Formats the standing against the expectations: `3 new, 9 expected`.
pub(super) fn standing(standings: &Standings) -> String {
    let parts = [
        (standings.new, "new"),
        (standings.changed, "changed"),
        (standings.improved, "improved"),
        (standings.expected, "expected"),
    ];
    let parts = parts.into_iter().filter(|&(count, _)| count > 0);
    parts.map(|(count, word)| format!("{} {word}", grouped(count))).collect::<Vec<_>>().join(", ")
}

/// Formats the cells of a finding: `13: T=float16 ×3, T=float ×9; 12: T=float`.
fn cells_text(cells: &[CellCount], left_out: u64) -> String {
    let mut out = String::new();
    let mut since = None;
    for cell in cells.iter().take(MAX_FINDING_CELLS) {
        let name = types_text(&cell.types);
        match since == Some(cell.since) {
            true => out.push_str(", "),
            false if out.is_empty() => out.push_str(&format!("{}: ", cell.since)),
            false => out.push_str(&format!("; {}: ", cell.since)),
        }
        since = Some(cell.since);
        out.push_str(if name.is_empty() { "all" } else { &name });
        if cell.count > 1 {
            out.push_str(&format!(" ×{}", grouped(cell.count)));
        }
    }
    let more = cells.len().saturating_sub(MAX_FINDING_CELLS);
    if more > 0 || left_out > 0 {
        let or_more = if left_out > 0 { "or more " } else { "" };
        out.push_str(&format!(" and {more} {or_more}others"));
    }
    out
}

/// Returns a link to `repro/<signature>/`. The signature is percent-encoded, so that it cannot lead to another place.
fn repro_link(signature: &str) -> String {
    let mut link = String::from("repro/");
    for byte in signature.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => link.push(char::from(byte)),
            _ => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link.push('/');
    link
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_reproductions_stay_below_repro() {
        assert_eq!(repro_link("Min-nan-3f"), "repro/Min-nan-3f/");
        assert_eq!(repro_link("../..\\x\"y?#"), "repro/..%2F..%5Cx%22y%3F%23/");
    }

    #[test]
    fn cells_are_named_by_version() {
        let cell = |since, dtype: &str, count| CellCount {
            since,
            types: BTreeMap::from([("T".to_owned(), dtype.to_owned())]),
            count,
        };
        let cells = [cell(12, "float", 1), cell(13, "float", 1_000), cell(13, "double", 1)];
        assert_eq!(cells_text(&cells, 0), "12: T=float; 13: T=float ×1\u{202f}000, T=double");
        assert_eq!(cells_text(&vec![cells[0].clone(); 10], 0).split(" and ").nth(1), Some("2 others"));
        assert!(cells_text(&cells, 5).ends_with(" and 0 or more others"));
    }
}
