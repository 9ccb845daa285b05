//! The top of the page: what ran, what did not run and why, what the cases reached, and how to repeat the run.

use std::collections::BTreeMap;

use plumbline_conformance::{Blame, Verdict};
use plumbline_spec::{Operator, Spec};
use serde::Serialize;

use super::findings::standing;
use super::marks;
use super::matrix::Subject;
use crate::markdown::headline;
use crate::text::grouped;
use crate::{BackendMeta, BackendStatus, RunMeta, Standings, Summary, Tally, VERDICTS};

#[derive(Debug, Serialize)]
pub(super) struct Overview {
    meta: RunMeta,
    headline: String,
    verdicts: Vec<VerdictHead>,
    backends: Vec<BackendRow>,
    suites: Vec<SuiteRow>,
    truncated: Vec<String>,
    reach: Vec<Reach>,
    idle: Vec<IdleOperator>,
    /// The operators that were imported and are not covered yet.
    open: Vec<IdleOperator>,
    left_out: Option<String>,
    first_replay: Option<String>,
}

/// The heading and legend of a verdict.
#[derive(Debug, Serialize)]
struct VerdictHead {
    name: &'static str,
    sign: &'static str,
    class: &'static str,
    meaning: &'static str,
}

#[derive(Debug, Serialize)]
struct BackendRow {
    backend: String,
    /// The backend's name, encoded for links to the filter.
    query: String,
    ran: bool,
    status: &'static str,
    why: String,
    notes: Vec<String>,
    counts: Vec<Count>,
    total: String,
    /// The unexpected results: `3 new, 1 changed`. It is empty if there are none.
    unexpected: String,
    /// The expected results: `9 expected`. It is empty if there are none.
    expected: String,
    /// How many of them are explained by the ONNX release that the backend contains. It is empty if none is.
    of_onnx: String,
    bar: String,
    seconds: String,
}

#[derive(Debug, Serialize)]
struct SuiteRow {
    suite: String,
    counts: Vec<Count>,
    total: String,
    bar: String,
}

#[derive(Debug, Serialize)]
struct Count {
    verdict: &'static str,
    class: &'static str,
    /// The count as text. It is empty for zero.
    text: String,
}

/// A line that says how much was reached: `operators with a result: 120 of 227`.
#[derive(Debug, Serialize)]
struct Reach {
    what: String,
    reached: String,
    of: String,
    percent: String,
}

#[derive(Debug, Serialize)]
struct IdleOperator {
    id: String,
    name: String,
}

impl Overview {
    pub(super) fn new(summary: &Summary, spec: &Spec, subjects: &[Subject]) -> Overview {
        Overview {
            headline: headline(summary),
            verdicts: VERDICTS.into_iter().map(verdict_head).collect(),
            backends: backends(summary),
            suites: suites(&summary.suites),
            truncated: summary.truncated.clone(),
            first_replay: first_replay(summary),
            reach: reach(summary, spec, subjects),
            idle: idle(subjects, true),
            open: idle(subjects, false),
            left_out: left_out(summary),
            meta: summary.meta.clone(),
        }
    }
}

fn verdict_head(verdict: Verdict) -> VerdictHead {
    VerdictHead {
        name: verdict.name(),
        sign: marks::sign(verdict),
        class: marks::class(verdict),
        meaning: match verdict {
            Verdict::Pass => "the answer was accepted, or an invalid case was refused",
            Verdict::Fail => "the answer is wrong, a valid case was refused, or an invalid case was answered",
            Verdict::Crash => "the backend's process died",
            Verdict::Timeout => "the backend did not answer in time",
            Verdict::DeviceLost => "the backend's device hung, was reset or was removed",
            Verdict::Latitude => "the answer differs where the specification does not decide: a finding, not a failure",
            Verdict::Unsupported => "the backend says that it does not support the case; never counted as a pass",
            Verdict::NotRun => "the case was not run, because the run ended or the backend could not be reached",
        },
    }
}

fn counts(tally: &Tally) -> Vec<Count> {
    VERDICTS
        .into_iter()
        .map(|verdict| Count {
            verdict: verdict.name(),
            class: marks::class(verdict),
            text: match tally.counts.count(verdict) {
                0 => String::new(),
                count => grouped(count),
            },
        })
        .collect()
}

fn backends(summary: &Summary) -> Vec<BackendRow> {
    let unknown = BackendMeta::default();
    summary
        .backends
        .iter()
        .map(|backend| {
            let meta = summary.meta.backends.iter().find(|meta| meta.label() == backend.backend).unwrap_or(&unknown);
            let ran = backend.total.counts.all() > 0;
            let (status, default) = match (meta.status, ran) {
                (BackendStatus::Ran, true) => ("", ""),
                (BackendStatus::Ran, false) => ("no results", "it was started, but gave no result"),
                (BackendStatus::Absent, _) => ("not available", "no reason given"),
                (BackendStatus::CouldNotStart, _) => ("could not start", "no reason given"),
            };
            BackendRow {
                backend: backend.backend.clone(),
                query: percent_encoded(&backend.backend),
                ran,
                status,
                why: meta.why.as_deref().unwrap_or(default).to_owned(),
                notes: notes(meta, backend.unchecked),
                counts: counts(&backend.total),
                total: grouped(backend.total.counts.all()),
                unexpected: standing(&Standings { expected: 0, ..backend.total.standings }),
                expected: standing(&Standings { expected: backend.total.standings.expected, ..Standings::default() }),
                of_onnx: of_onnx(summary, &backend.backend),
                bar: marks::bar_style(&backend.total),
                seconds: seconds(backend.total.nanoseconds),
            }
        })
        .collect()
}

/// Returns how many expected results of a backend the ONNX release in it explains: `4 of them due to ONNX`.
fn of_onnx(summary: &Summary, backend: &str) -> String {
    let findings = summary.operators.iter().flat_map(|operator| &operator.findings);
    let known = findings.filter(|finding| finding.backend == backend).flat_map(|finding| &finding.known);
    match known.filter(|known| known.blame == Blame::Onnx).map(|known| known.count).sum::<u64>() {
        0 => String::new(),
        count => format!("{} of them due to ONNX", grouped(count)),
    }
}

/// Returns the accuracy table by which the backend's functions were judged, what else its profile declares, and how many
/// invalid cases it was allowed to answer.
fn notes(meta: &BackendMeta, unchecked: u64) -> Vec<String> {
    let accuracy = meta.accuracy.iter().map(|table| format!("functions judged by {table}"));
    let answered = Some(unchecked).filter(|count| *count > 0);
    let answered = answered.map(|count| format!("latitude: answers {}", crate::unchecked(count)));
    accuracy.chain(meta.notes.iter().cloned()).chain(answered).collect()
}

/// Percent-encodes a value for the fragment of a link.
fn percent_encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b':' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Formats the time that the backend took for all its cases: `0.4 s`, `12 s`, `3 min 20 s`.
fn seconds(nanoseconds: u64) -> String {
    match nanoseconds / 1_000_000_000 {
        0..10 => format!("{:.1} s", nanoseconds as f64 / 1e9),
        seconds @ 10..120 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

fn suites(suites: &BTreeMap<String, Tally>) -> Vec<SuiteRow> {
    suites
        .iter()
        .map(|(suite, tally)| SuiteRow {
            suite: suite.clone(),
            counts: counts(tally),
            total: grouped(tally.counts.all()),
            bar: marks::bar_style(tally),
        })
        .collect()
}

fn reach(summary: &Summary, spec: &Spec, subjects: &[Subject]) -> Vec<Reach> {
    let known = || subjects.iter().filter(|subject| subject.operator.is_some());
    let with_results = known().filter(|subject| subject.results.is_some()).count() as u64;
    let versions = known()
        .filter_map(|subject| Some((subject.operator?, subject.results?)))
        .map(|(operator, results)| {
            results.versions.iter().filter(|version| operator.version(version.since).is_some()).count() as u64
        })
        .sum();
    let covered = known().filter(|subject| subject.operator.is_some_and(Operator::is_covered)).count() as u64;
    let mut reach = vec![
        line("operators covered by rules and cases", covered, known().count() as u64),
        line("operators with a result", with_results, known().count() as u64),
        line("operator versions with a result", versions, spec.versions().count() as u64),
    ];
    for item in summary.meta.coverage.iter().flat_map(|coverage| &coverage.items) {
        reach.push(line(&item.what, item.reached, item.of));
    }
    reach
}

fn line(what: &str, reached: u64, of: u64) -> Reach {
    // The percentage is rounded down, so that 100 means that everything was reached.
    let percent = if of == 0 { 0 } else { (u128::from(reached.min(of)) * 100 / u128::from(of)) as u64 };
    Reach { what: what.to_owned(), reached: grouped(reached), of: grouped(of), percent: percent.to_string() }
}

/// Returns the operators without results of which Plumbline has rules, a kernel and a recipe, or of which it has only
/// facts.
fn idle(subjects: &[Subject], covered: bool) -> Vec<IdleOperator> {
    let is_one = |subject: &&Subject| subject.operator.is_some_and(Operator::is_covered) == covered;
    let idle = subjects.iter().filter(|subject| subject.results.is_none()).filter(is_one);
    idle.map(|subject| IdleOperator { id: subject.id.clone(), name: subject.id.clone() }).collect()
}

fn left_out(summary: &Summary) -> Option<String> {
    let count: u64 =
        summary.operators.iter().map(|operator| operator.findings_left_out + operator.reasons_left_out).sum();
    (count > 0).then(|| grouped(count))
}

/// Returns the replay command of the first finding, as an example.
fn first_replay(summary: &Summary) -> Option<String> {
    let mut findings = summary.operators.iter().flat_map(|operator| &operator.findings);
    findings.next().map(|finding| summary.replay(&finding.case, &finding.backend))
}
