//! Writes `junit.xml`, with a test suite for each backend and a test case for each cell.
//!
//! A cell with crashes, timeouts or lost devices is an error, and any other cell with failures is a failure, whether
//! they were expected or not. The message says how many were expected, and the gate decides what to make of it. A cell
//! without any answer (unsupported or not run) is skipped. Everything else is a success, with its counts in
//! `system-out`, so that unsupported cases beside passing ones remain visible.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use plumbline_conformance::{FailKind, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::text::{shorten, ulp, visible, visible_line};
use crate::{
    BackendMeta, BackendStatus, BackendSummary, CellCount, Finding, Reason, ReportError, Summary, Tally, VERDICTS,
    types_text,
};

/// The largest number of findings described in one test case. The others are only counted.
const MAX_FINDINGS: usize = 20;
/// The largest length of a finding's detail in bytes.
const MAX_DETAIL_BYTES: usize = 600;

/// Returns the summary as JUnit XML.
///
/// # Errors
/// Passes on the errors of quick-junit. No input can cause them.
pub fn junit(summary: &Summary) -> Result<String, ReportError> {
    let mut report = Report::new(visible_line(&summary.meta.title));
    report.set_time(Duration::from_nanos(summary.total.nanoseconds));
    if let Some(why) = &summary.meta.incomplete {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(visible_line(why));
        let mut suite = TestSuite::new("the run");
        suite.add_test_case(TestCase::new("the run came to its end", status));
        report.add_test_suite(suite);
    }
    for backend in &summary.backends {
        let meta = summary.meta.backends.iter().find(|meta| meta.label() == backend.backend);
        report.add_test_suite(suite(summary, backend, meta));
    }
    Ok(report.to_string()?)
}

fn suite(summary: &Summary, backend: &BackendSummary, meta: Option<&BackendMeta>) -> TestSuite {
    let mut suite = TestSuite::new(visible_line(&backend.backend));
    suite.set_time(Duration::from_nanos(backend.total.nanoseconds));
    for (name, value) in [("seed", &summary.meta.seed), ("command", &summary.meta.command)] {
        if let Some(value) = value {
            suite.add_property((name, visible_line(value).as_str()));
        }
    }
    if let Some(case) = meta.and_then(not_started) {
        suite.add_test_case(case);
    }
    for operator in &summary.operators {
        let findings = operator.findings.iter().filter(|finding| finding.backend == backend.backend);
        let findings = by_cell(findings, |finding| &finding.cells);
        let reasons = operator.reasons.iter().filter(|reason| reason.backend == backend.backend);
        let reasons = by_cell(reasons, |reason| &reason.cells);
        for version in &operator.versions {
            for cell in &version.cells {
                let Some(tally) = cell.backends.get(&backend.backend) else { continue };
                let key = (version.since, &cell.types);
                let findings = findings.get(&key).map_or(&[][..], Vec::as_slice);
                let reasons = reasons.get(&key).map_or(&[][..], Vec::as_slice);
                let mut case = TestCase::new(
                    visible_line(format!("{}-{} {}", operator.op, version.since, types_text(&cell.types)).trim_end()),
                    status(tally, findings, reasons),
                );
                let domain = if operator.domain.is_empty() { "graphs" } else { &operator.domain };
                case.set_classname(visible_line(&format!("{domain}.{}", operator.op)));
                case.set_time(Duration::from_nanos(tally.nanoseconds));
                case.set_system_out(counts_text(tally));
                suite.add_test_case(case);
            }
        }
    }
    suite
}

/// Returns the test case that stands for a backend that never ran. It is skipped if the backend is not available on
/// this machine, and an error if the backend is available but did not start.
fn not_started(meta: &BackendMeta) -> Option<TestCase> {
    let (name, kind) = match meta.status {
        BackendStatus::Ran => return None,
        BackendStatus::Absent => ("the backend is not available", None),
        BackendStatus::CouldNotStart => ("the backend could not start", Some(NonSuccessKind::Error)),
    };
    let mut status = kind.map_or_else(TestCaseStatus::skipped, TestCaseStatus::non_success);
    status.set_message(visible_line(meta.why.as_deref().unwrap_or("no reason given")));
    Some(TestCase::new(name, status))
}

type ByCell<'a, T> = HashMap<(u32, &'a BTreeMap<String, String>), Vec<&'a T>>;

fn by_cell<'a, T>(items: impl Iterator<Item = &'a T>, cells: impl Fn(&'a T) -> &'a [CellCount]) -> ByCell<'a, T> {
    let mut by_cell = ByCell::new();
    for item in items {
        for cell in cells(item) {
            by_cell.entry((cell.since, &cell.types)).or_default().push(item);
        }
    }
    by_cell
}

fn status(tally: &Tally, findings: &[&Finding], reasons: &[&Reason]) -> TestCaseStatus {
    let counts = tally.counts;
    if counts.bad() > 0 {
        let error = counts.crash + counts.timeout + counts.device_lost > 0;
        let mut status =
            TestCaseStatus::non_success(if error { NonSuccessKind::Error } else { NonSuccessKind::Failure });
        status.set_type(worst(tally, findings)).set_message(counts_text(tally));
        status.set_description(describe(findings));
        return status;
    }
    if counts.pass + counts.latitude > 0 {
        return TestCaseStatus::success();
    }
    let verdict = if counts.unsupported > 0 { Verdict::Unsupported } else { Verdict::NotRun };
    let reasons: Vec<String> = reasons
        .iter()
        .filter(|reason| reason.verdict == verdict)
        .take(3)
        .map(|reason| visible_line(reason.reason.as_deref().unwrap_or("no reason given")))
        .collect();
    let mut status = TestCaseStatus::skipped();
    status.set_type(verdict.name()).set_message(format!("{verdict}: {}", reasons.join("; ")));
    status
}

/// Returns the type of a failed test case: `crash`, `device-lost`, `timeout`, or the kind of the first failure.
fn worst(tally: &Tally, findings: &[&Finding]) -> &'static str {
    let errors = [Verdict::Crash, Verdict::DeviceLost, Verdict::Timeout];
    if let Some(verdict) = errors.into_iter().find(|&verdict| tally.counts.count(verdict) > 0) {
        return verdict.name();
    }
    findings.iter().find_map(|finding| finding.kind).map_or("fail", FailKind::name)
}

fn describe(findings: &[&Finding]) -> String {
    let bad = || findings.iter().filter(|finding| finding.verdict != Verdict::Latitude);
    let mut lines: Vec<String> = bad()
        .take(MAX_FINDINGS)
        .map(|finding| {
            format!(
                "{} {}{}: first case {}\n{}",
                finding.verdict,
                finding.kind.map(|kind| format!("{} ", kind.name())).unwrap_or_default(),
                visible_line(finding.signature.as_deref().unwrap_or("(no signature)")),
                visible_line(&finding.case),
                visible(&shorten(finding.detail.as_deref().unwrap_or("(no detail)"), MAX_DETAIL_BYTES)),
            )
        })
        .collect();
    let more = bad().count().saturating_sub(MAX_FINDINGS);
    if more > 0 {
        lines.push(format!("and {more} more signatures"));
    }
    lines.join("\n\n")
}

/// Formats the counts of a cell: `12 pass, 3 fail, 1 new, 2 expected, worst 1.5 ulp`.
fn counts_text(tally: &Tally) -> String {
    let mut parts: Vec<String> = VERDICTS
        .into_iter()
        .filter(|&verdict| tally.counts.count(verdict) > 0)
        .map(|verdict| format!("{} {verdict}", tally.counts.count(verdict)))
        .collect();
    let standings = tally.standings;
    for (count, word) in [
        (standings.new, "new"),
        (standings.changed, "changed"),
        (standings.improved, "improved"),
        (standings.expected, "expected"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    if let Some(distance) = tally.max_ulp {
        parts.push(format!("worst {} ulp", ulp(distance)));
    }
    parts.join(", ")
}
