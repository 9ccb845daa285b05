//! The failures in the section of an operator, and the places where the specification does not decide.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_conformance::{FailKind, Verdict};
use plumbline_tensor::DType;
use serde::Serialize;
use serde_json::{Value, json};

use super::evidence::{Evidence, Repros};
use super::facts::{self, Span};
use super::matrix::Subject;
use super::{causes, marks};
use crate::text::{grouped, shorten, visible_line};
use crate::{CellCount, Finding, Standings, Summary, VERDICTS, types_text};

/// The largest number of findings of one kind (failures or latitude) in a section that are shown with their detail.
const MAX_FINDINGS: usize = 40;
/// The largest number of further findings of one kind that are shown in one line each.
const MAX_FINDING_LINES: usize = 200;
/// The largest length of a detail in bytes.
const MAX_DETAIL_BYTES: usize = 800;
/// The largest number of cells listed with a finding.
const MAX_FINDING_CELLS: usize = 8;

#[derive(Debug, Default, Serialize)]
pub(super) struct Findings {
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
    also_on: Option<String>,
    known: Vec<KnownView>,
    rule: Option<String>,
    rule_text: Option<Vec<Span>>,
    replay: String,
    evidence: Option<Evidence>,
    /// The position in the index that the script reads.
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

/// What the view of a finding needs besides the finding.
pub(super) struct Context<'a> {
    pub summary: &'a Summary,
    pub repros: &'a Repros,
    pub subject: &'a Subject<'a>,
    pub family: String,
}

/// The largest number of findings of one kind in a section.
pub(super) const MAX_SHOWN: usize = MAX_FINDINGS + MAX_FINDING_LINES;

/// Makes the views of findings. Their positions in the index begin with `first`.
pub(super) fn findings_view(mut findings: Vec<&Finding>, context: &Context, first: usize) -> Findings {
    // The sort is stable, so equal findings keep the order of the summary.
    findings.sort_by_key(|finding| {
        let unexpected = finding.tally.standings.unexpected();
        (unexpected == 0, finding.severity, std::cmp::Reverse((unexpected, finding.tally.counts.all())))
    });
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
        true => evidence.as_ref().and_then(|evidence| evidence.rule.clone()).or_else(|| finding.rule.clone()),
    };
    let known = finding.known.iter().map(|known| KnownView {
        blame: known.blame.name(),
        reason: known.reason.clone(),
        count: grouped(known.count),
    });
    let parts = causes::split_finding(finding, family).into_iter().filter(|_| is_bad);
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
        also_on: finding.also_on.clone(),
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

/// Returns for each finding, by its position: the backend, the verdict, whether it is unexpected, its types and
/// versions, its rule, its causes and its form. Positions without a finding are `null`.
pub(super) fn index(
    findings: [&Findings; 2],
    subject: &Subject,
    shown: &[Option<DType>],
    backends: &[&str],
) -> Vec<Value> {
    let mut index = Vec::new();
    for parts in findings {
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
/// Formats how many results are new, changed, improved and expected: `3 new, 9 expected`.
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

/// Formats the cells of a finding: `12: T=float; 13: T=float ×9, T=float16 ×3`.
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
