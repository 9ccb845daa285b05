//! The pages of steps from one version of a backend to the next, and their summary as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::model::{Backend, Share, Step};
use super::names::{Origin, file_name};
use super::record::{OperatorKey, OperatorRecord, StateRecord};
use crate::comparison::{Cause, Change, Comparison, SideResult};
use crate::comparison::{detail, listed, operator, plural, signatures, title, what};
use crate::html::{CountRow, class};
use crate::markdown::escape;
use crate::text::grouped;

/// The changes that a table of steps counts.
const COUNTED: [Change; 7] = [
    Change::Fixed,
    Change::NowSupported,
    Change::Regressed,
    Change::NoLongerSupported,
    Change::Changed,
    Change::SupportedButFailing,
    Change::Withdrawn,
];
/// The changes that the Markdown lists by operator.
const TOLD: [Change; 4] = [Change::Regressed, Change::NoLongerSupported, Change::Fixed, Change::NowSupported];
/// The largest number of entries that the Markdown lists for one change. An entry is an operator and the way in which
/// its cases fail.
const MAX_TOLD: usize = 12;
/// The largest number of causes on a page for each change.
const MAX_CAUSES: usize = 400;

/// A row of a table of steps.
#[derive(Serialize)]
pub(super) struct StepRow {
    from: String,
    to: String,
    /// The path of the page from the root of the site; none without a comparison.
    page: Option<String>,
    /// A class and a count for each of the counted changes.
    counts: Vec<(&'static str, String)>,
    compared: String,
}

/// The heads of the columns of [`StepRow::counts`].
pub(super) fn columns() -> Vec<(String, &'static str)> {
    COUNTED.into_iter().map(|change| (title(change), change.meaning())).collect()
}

/// What the page of a step shows.
#[derive(Serialize)]
pub(super) struct StepPage {
    backend: String,
    backend_page: String,
    headline: String,
    cases: String,
    sides: [(&'static str, String, Option<String>, String); 2],
    limits: Vec<String>,
    counts: Vec<CountRow>,
    sections: Vec<Section>,
}

#[derive(Serialize)]
struct Section {
    name: String,
    id: &'static str,
    meaning: &'static str,
    count: String,
    causes: Vec<CauseRow>,
    /// The number of cases whose causes are not listed.
    left_out: String,
}

#[derive(Serialize)]
struct CauseRow {
    count: String,
    operator: String,
    page: String,
    what: String,
    signatures: Vec<String>,
    case: String,
    detail: Option<String>,
    /// The case that `detail` is about, if this is not `case` but another case that failed in the same way.
    detail_case: Option<String>,
    replay: Option<String>,
}

/// Returns the path of a step's page: `steps/onnxruntime/1.30.0_to_1.31.1.html`.
pub(super) fn path(backend: &Backend, step: &Step) -> String {
    format!("steps/{}/{}.html", backend.file, step.file())
}

/// Returns the path of an operator's page: `operators/Min.html`.
pub(super) fn operator_path(spec: &plumbline_spec::Spec, domain: &str, op: &str) -> String {
    let is_listed = spec.operators().any(|operator| operator.domain == domain && operator.name == op);
    let origin = if is_listed { Origin::Specification } else { Origin::Outside };
    let name = super::record::qualified(domain, op);
    // `index.html` is the list of all operators.
    let name = if name == "index" { "index~" } else { &name };
    format!("operators/{}.html", file_name(name, origin))
}

impl StepRow {
    pub fn new(backend: &Backend, step: &Step) -> StepRow {
        let comparison = step.comparison.as_ref();
        let count = |change| comparison.map_or(0, |comparison| comparison.count(change));
        StepRow {
            from: step.from.shown().to_owned(),
            to: step.to.shown().to_owned(),
            page: comparison.map(|_| path(backend, step)),
            counts: COUNTED.into_iter().map(|change| (class(change, count(change)), grouped(count(change)))).collect(),
            compared: grouped(comparison.map_or(0, Comparison::compared)),
        }
    }
}

impl StepPage {
    pub fn new(spec: &plumbline_spec::Spec, backend: &Backend, step: &Step, comparison: &Comparison) -> StepPage {
        let states = Examples::new(step);
        let sections = listed().filter(|change| comparison.count(*change) > 0).map(|change| {
            let causes: Vec<&Cause> = comparison.causes(change).take(MAX_CAUSES).collect();
            let shown: u64 = causes.iter().map(|cause| cause.count).sum();
            Section {
                name: title(change),
                id: change.name(),
                meaning: change.meaning(),
                count: grouped(comparison.count(change)),
                left_out: match comparison.count(change) - shown {
                    0 => String::new(),
                    more => grouped(more),
                },
                causes: causes.into_iter().map(|cause| states.row(spec, comparison, cause)).collect(),
            }
        });
        let side = |name, side: &crate::comparison::SideFacts| {
            (name, side.backend.clone(), side.started.clone(), grouped(side.results))
        };
        StepPage {
            backend: backend.name.clone(),
            backend_page: format!("backends/{}.html", backend.file),
            headline: comparison.headline(),
            cases: comparison.cases(),
            sides: [side("before", &comparison.base), side("after", &comparison.new)],
            limits: comparison.limits(),
            counts: comparison.counted_changes().map(|change| CountRow::new(comparison, change)).collect(),
            sections: sections.collect(),
        }
    }
}

/// The operators of the runs on both sides of a step. Each has an example for each state, that is, for each way of
/// failing.
struct Examples<'a> {
    sides: [Option<&'a BTreeMap<OperatorKey, OperatorRecord>>; 2],
}

impl<'a> Examples<'a> {
    fn new(step: &Step<'a>) -> Examples<'a> {
        Examples { sides: step.runs.map_or([None; 2], |runs| runs.map(|record| record.operators.as_ref())) }
    }

    /// Returns the example of the state that a cause has on the newer side, or else of its state on the older side.
    fn find(&self, cause: &Cause) -> Option<&'a StateRecord> {
        let key = (cause.domain.clone(), cause.op.clone());
        let find = |side: usize, state: &Option<SideResult>| {
            let state = state.as_ref()?;
            let known = &self.sides[side]?.get(&key)?.states;
            known.iter().find(|known| {
                (known.verdict, known.kind, &known.signature) == (state.verdict, state.kind, &state.signature)
            })
        };
        find(1, &cause.new).or_else(|| find(0, &cause.base))
    }

    fn row(&self, spec: &plumbline_spec::Spec, comparison: &Comparison, cause: &Cause) -> CauseRow {
        let own = detail(cause).map(str::to_owned);
        let example = if own.is_none() { self.find(cause) } else { None };
        CauseRow {
            count: grouped(cause.count),
            operator: operator(cause),
            page: operator_path(spec, &cause.domain, &cause.op),
            what: what(cause),
            signatures: signatures(cause).into_iter().map(str::to_owned).collect(),
            case: cause.case.clone(),
            detail: own.or_else(|| example.and_then(|state| state.detail.clone())),
            detail_case: example.filter(|state| state.case != cause.case).map(|state| state.case.clone()),
            replay: comparison.replay(cause, "plumbline"),
        }
    }
}

/// Returns the history of a backend as Markdown: its versions, the steps between them, and what changed by operator.
pub(super) fn markdown(backend: &Backend, steps: &[Step]) -> String {
    let mut out = String::new();
    write_markdown(&mut out, backend, steps).expect("writing to a string does not fail");
    out
}

fn write_markdown(out: &mut String, backend: &Backend, steps: &[Step]) -> std::fmt::Result {
    writeln!(out, "| version | results | pass | latitude | failing | unsupported | right | judged |")?;
    writeln!(out, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    for version in &backend.versions {
        let counts = &backend.newest(version).facts.verdicts;
        let [all, pass, latitude, bad, unsupported] =
            [counts.all(), counts.pass, counts.latitude, counts.bad(), counts.unsupported].map(plainly);
        let (right, judged) = (Share::right(counts).text(), Share::supported(counts).text());
        let name = escape(version.shown());
        writeln!(out, "| {name} | {all} | {pass} | {latitude} | {bad} | {unsupported} | {right} | {judged} |")?;
    }
    let names: Vec<String> = COUNTED.into_iter().map(title).collect();
    writeln!(out, "\n| step | {} |", names.join(" | "))?;
    writeln!(out, "| --- |{}", " ---: |".repeat(COUNTED.len()))?;
    for step in steps {
        let (from, to) = (escape(step.from.shown()), escape(step.to.shown()));
        let count = |change| step.comparison.as_ref().map_or("–".to_owned(), |found| plainly(found.count(change)));
        writeln!(out, "| {from} to {to} | {} |", COUNTED.map(count).join(" | "))?;
    }
    for step in steps {
        let (from, to) = (escape(step.from.shown()), escape(step.to.shown()));
        writeln!(out, "\n### {from} to {to}\n")?;
        let Some(comparison) = &step.comparison else {
            writeln!(
                out,
                "Not compared: the two versions have no runs with the same seed, profile and version of Plumbline."
            )?;
            continue;
        };
        let mut is_any = false;
        for change in TOLD {
            let count = comparison.count(change);
            if count == 0 {
                continue;
            }
            is_any = true;
            writeln!(out, "- {}, {}: {}", title(change), plural(count, "case"), by_operator(comparison, change))?;
        }
        if !is_any {
            writeln!(out, "No case became right, and none stopped being right.")?;
        }
    }
    Ok(())
}

/// Returns the operators of a change with the number of their cases and how these failed, the most frequent first. An
/// operator whose cases failed in several ways is listed once for each way.
fn by_operator(comparison: &Comparison, change: Change) -> String {
    let mut counts: BTreeMap<(String, &'static str), u64> = BTreeMap::new();
    for cause in comparison.causes(change) {
        // The cases of the changes in `TOLD` fail on at most one side. The entry says how they fail there.
        let states = [&cause.base, &cause.new].into_iter().flatten();
        let mut how = states.filter(|state| state.verdict.is_bad()).map(|state| match state.kind {
            Some(kind) => kind.name(),
            None => state.verdict.name(),
        });
        let name = super::record::qualified(&cause.domain, &cause.op);
        *counts.entry((name, how.next_back().unwrap_or_default())).or_default() += cause.count;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = counts.len().saturating_sub(MAX_TOLD);
    let mut parts: Vec<String> = counts
        .into_iter()
        .take(MAX_TOLD)
        .map(|((name, how), count)| match how {
            "" => format!("{} {}", escape(&name), plainly(count)),
            how => format!("{} {} ({how})", escape(&name), plainly(count)),
        })
        .collect();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    parts.join(", ")
}

/// Formats a count with commas between groups of three digits.
fn plainly(count: u64) -> String {
    grouped(count).replace('\u{202f}', ",")
}
