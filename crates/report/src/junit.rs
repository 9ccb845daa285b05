//! Writes `junit.xml`: a test suite for each operator on each backend, and in it a test case for each version of the
//! operator.
//!
//! A version with crashes, timeouts or lost devices is an error, and any other version with failures is a failure, even
//! if all of them were expected. The message says how many were expected. Expectations count only at the gate, which
//! decides whether the run fails. A version without any answer (unsupported or not run) is skipped. Everything else is
//! a success. `system-out` has the counts, so that unsupported cases beside passing ones remain visible. For each
//! failure that is described, a property `repeat` has the command that runs its first case again.

use std::time::Duration;

use plumbline_conformance::{FailKind, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::text::{shorten, ulp, visible, visible_line};
use crate::{
    BackendMeta, BackendStatus, CellCount, Finding, OperatorSummary, Reason, ReportError, Summary, Tally, VERDICTS,
    types_text,
};

/// The largest number of findings described in one test case. The others are only counted.
const MAX_FINDINGS: usize = 5;
/// The largest number of type bindings that are listed for a finding.
const MAX_TYPES: usize = 4;
/// The largest length of a finding's detail in bytes.
const MAX_DETAIL_BYTES: usize = 300;

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
        if let Some(case) = meta.and_then(not_started) {
            let mut suite = TestSuite::new(visible_line(&backend.backend));
            suite.add_test_case(case);
            report.add_test_suite(suite);
        }
        report.add_test_suites(
            summary.operators.iter().filter_map(|operator| suite(summary, &backend.backend, operator)),
        );
    }
    // A report has no properties of its own, so the first suite has those of the run.
    for (name, value) in [("seed", &summary.meta.seed), ("command", &summary.meta.command)] {
        if let (Some(suite), Some(value)) = (report.test_suites.first_mut(), value) {
            suite.add_property((name, visible_line(value).as_str()));
        }
    }
    Ok(report.to_string()?)
}

/// Returns the test suite of an operator on a backend, with a test case for each version, or `None` if there are no
/// results.
fn suite(summary: &Summary, backend: &str, operator: &OperatorSummary) -> Option<TestSuite> {
    let domain = if operator.domain.is_empty() { "graphs" } else { &operator.domain };
    let name = format!("{domain}.{}", operator.op);
    let mut suite = TestSuite::new(visible_line(&format!("{backend}: {name}")));
    suite.set_time(Duration::from_nanos(operator.backends.get(backend)?.nanoseconds));
    let findings = operator.findings.iter();
    let findings: Vec<&Finding> =
        findings.filter(|found| found.backend == backend && found.verdict != Verdict::Latitude).collect();
    let reasons: Vec<&Reason> = operator.reasons.iter().filter(|reason| reason.backend == backend).collect();
    for version in &operator.versions {
        let mut tally = Tally::default();
        version.cells.iter().filter_map(|cell| cell.backends.get(backend)).for_each(|cell| tally.merge(cell));
        if tally.counts.all() == 0 {
            continue;
        }
        let has = |cells: &[CellCount]| cells.iter().any(|cell| cell.since == version.since);
        let findings: Vec<&Finding> = findings.iter().copied().filter(|finding| has(&finding.cells)).collect();
        let reasons: Vec<&Reason> = reasons.iter().copied().filter(|reason| has(&reason.cells)).collect();
        let title = format!("{}-{}", operator.op, version.since);
        let mut case = TestCase::new(visible_line(&title), status(&tally, &findings, &reasons, version.since));
        case.set_classname(visible_line(&name));
        case.set_time(Duration::from_nanos(tally.nanoseconds));
        case.set_system_out(counts_text(&tally));
        for finding in findings.iter().take(MAX_FINDINGS) {
            case.add_property(("repeat", summary.replay(&finding.case, backend).as_str()));
        }
        suite.add_test_case(case);
    }
    Some(suite)
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

fn status(tally: &Tally, findings: &[&Finding], reasons: &[&Reason], since: u32) -> TestCaseStatus {
    let counts = tally.counts;
    if counts.bad() > 0 {
        let error = counts.crash + counts.timeout + counts.device_lost > 0;
        let mut status =
            TestCaseStatus::non_success(if error { NonSuccessKind::Error } else { NonSuccessKind::Failure });
        status.set_type(worst(tally, findings)).set_message(counts_text(tally));
        status.set_description(describe(findings, since));
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

/// Returns the type of a failed test case: `crash`, `device-lost` or `timeout` if there is such a verdict. Otherwise it
/// is the kind of the first finding that has a kind, or `fail` if none has.
fn worst(tally: &Tally, findings: &[&Finding]) -> &'static str {
    let errors = [Verdict::Crash, Verdict::DeviceLost, Verdict::Timeout];
    if let Some(verdict) = errors.into_iter().find(|&verdict| tally.counts.count(verdict) > 0) {
        return verdict.name();
    }
    findings.iter().find_map(|finding| finding.kind).map_or("fail", FailKind::name)
}

fn describe(findings: &[&Finding], since: u32) -> String {
    let mut lines: Vec<String> = findings
        .iter()
        .take(MAX_FINDINGS)
        .map(|finding| {
            let types = finding.cells.iter().filter(|cell| cell.since == since).map(|cell| types_text(&cell.types));
            let types: Vec<String> = types.collect();
            let more = types.len().saturating_sub(MAX_TYPES);
            let more = if more > 0 { format!("; {more} more") } else { String::new() };
            format!(
                "{} {}{} ({}{more}): first case {}\n{}",
                finding.verdict,
                finding.kind.map(|kind| format!("{} ", kind.name())).unwrap_or_default(),
                visible_line(finding.signature.as_deref().unwrap_or("without a signature")),
                visible_line(&types[..types.len().min(MAX_TYPES)].join("; ")),
                visible_line(&finding.case),
                visible(&shorten(finding.detail.as_deref().unwrap_or("(no detail)"), MAX_DETAIL_BYTES)),
            )
        })
        .collect();
    let more = findings.len().saturating_sub(MAX_FINDINGS);
    if more > 0 {
        lines.push(format!("and {more} more signatures"));
    }
    lines.join("\n\n")
}

/// Formats the counts of a version: `12 pass, 3 fail, 1 new, 2 expected, worst 1.5 ulp`.
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
