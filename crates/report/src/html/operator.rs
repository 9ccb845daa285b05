//! The section of the page about one operator.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use plumbline_conformance::{FailKind, Verdict};
use plumbline_tensor::DType;
use serde::Serialize;

use super::directml::Served;
use super::evidence::{Evidence, Repros};
use super::facts::{self, Facts, Span};
use super::matrix::Subject;
use super::{causes, families, marks};
use crate::text::{grouped, shorten, ulp, visible_line};
use crate::{
    CellCount, CellSummary, Finding, OperatorSummary, Standings, Summary, Tally, VERDICTS, VersionSummary, types_text,
};

/// The number of rows up to which a version shows every row separately.
const FEW_ROWS: usize = 24;
/// In a version with more rows, the largest number of rows with failures or latitude that are shown separately.
const MAX_ODD_ROWS: usize = 60;
/// The largest number of findings shown with their detail for each operator.
const MAX_FINDINGS: usize = 40;
/// The largest number of further findings shown in one line each.
const MAX_FINDING_LINES: usize = 200;
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
    known: Vec<KnownView>,
    rule: Option<String>,
    rule_text: Option<Vec<Span>>,
    replay: String,
    evidence: Option<Evidence>,
    /// The position in the index of the script.
    index: usize,
    #[serde(skip)]
    parts: IndexParts,
}

/// Why results are expected.
#[derive(Debug, Serialize)]
struct KnownView {
    blame: &'static str,
    reason: String,
    count: String,
}

/// What the script filters a finding by.
#[derive(Debug, Default)]
struct IndexParts {
    verdict: usize,
    unexpected: bool,
    cells: Vec<(u32, BTreeMap<String, String>)>,
    causes: Vec<String>,
    form: Option<String>,
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
        let family = families::family(&subject.domain, &subject.name);
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

/// What a finding is shown with.
struct Context<'a> {
    summary: &'a Summary,
    repros: &'a Repros,
    subject: &'a Subject<'a>,
    family: String,
}

/// The largest number of findings of one kind (failures or latitude) in a section.
const MAX_SHOWN: usize = MAX_FINDINGS + MAX_FINDING_LINES;

/// Makes the views of findings. Their positions in the index begin with `first`.
fn findings_view(mut findings: Vec<&Finding>, context: &Context, first: usize) -> Findings {
    // The sort is stable, so equal findings keep the order of the summary.
    findings
        .sort_by_key(|finding| std::cmp::Reverse((finding.tally.standings.unexpected(), finding.tally.counts.all())));
    let more = findings.len().saturating_sub(MAX_SHOWN);
    let mut views =
        findings.into_iter().take(MAX_SHOWN).enumerate().map(|(at, found)| finding(found, context, first + at));
    Findings { full: views.by_ref().take(MAX_FINDINGS).collect(), lines: views.collect(), more }
}

fn finding(finding: &Finding, context: &Context, index: usize) -> FindingView {
    let Context { summary, repros, subject, family } = context;
    let unforeseen = finding.tally.standings.new + finding.tally.standings.changed > 0;
    let signature = finding.signature.as_deref();
    let is_bad = finding.verdict != Verdict::Latitude;
    let evidence = signature.filter(|_| is_bad).and_then(|name| repros.evidence(name, &finding.backend, summary));
    let rule = match is_bad {
        false => finding.signature.clone(),
        true => evidence.as_ref().and_then(|evidence| evidence.rule.clone()).or_else(|| violated(finding)),
    };
    let known = finding.known.iter().map(|known| KnownView {
        blame: known.blame.name(),
        reason: known.reason.clone(),
        count: grouped(known.count),
    });
    let parts = causes::parts(finding, family).into_iter().filter(|_| is_bad);
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
        known: known.collect(),
        rule_text: rule.as_deref().and_then(|rule| facts::rule_text(subject.operator?, rule)),
        rule,
        replay: summary.replay(&finding.case, &finding.backend),
        index,
        parts: IndexParts {
            verdict: VERDICTS.iter().position(|verdict| *verdict == finding.verdict).unwrap_or(0),
            unexpected: finding.tally.standings.unexpected() > 0,
            cells: finding.cells.iter().map(|cell| (cell.since, cell.types.clone())).collect(),
            causes: parts.map(|part| part.key).collect(),
            form: evidence.as_ref().and_then(|evidence| evidence.form.clone()),
        },
        evidence,
    }
}

/// Returns the constraint that the case of a finding violates, if its detail names one.
fn violated(finding: &Finding) -> Option<String> {
    let (_, rest) = finding.detail.as_deref()?.split_once("violates ")?;
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next()?;
    name.parse::<plumbline_spec::Label>().ok().map(|label| label.to_string())
}

impl Section {
    /// Returns for each finding, by its position: the backend, the verdict, whether it is unexpected, its types and
    /// versions, its rule, its causes and its form. Positions without a finding are `null`.
    pub(super) fn index(&self, subject: &Subject, shown: &[Option<DType>], backends: &[&str]) -> Vec<Value> {
        let mut index = Vec::new();
        for parts in [&self.failures, &self.latitude] {
            for view in parts.full.iter().chain(&parts.lines) {
                let version = |since| subject.operator.and_then(|operator| operator.version(since));
                let types: BTreeSet<usize> = view
                    .parts
                    .cells
                    .iter()
                    .filter_map(|(since, types)| {
                        let column = facts::column(version(*since), types);
                        shown.iter().position(|other| *other == column)
                    })
                    .collect();
                let sinces: BTreeSet<u32> = view.parts.cells.iter().map(|(since, _)| *since).collect();
                index.resize(view.index, Value::Null);
                index.push(json!([
                    backends.iter().position(|name| *name == view.backend),
                    view.parts.verdict,
                    u8::from(view.parts.unexpected),
                    types,
                    sinces,
                    view.rule.as_deref().map(visible_line).unwrap_or_default(),
                    view.parts.causes,
                    view.parts.form.as_deref().map(visible_line).unwrap_or_default(),
                ]));
            }
        }
        index
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
