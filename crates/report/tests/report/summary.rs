//! Tests how results are counted: the memory is bounded, the order does not matter, and nothing is lost.

use std::collections::BTreeMap;
use std::path::Path;

use plumbline_conformance::{CaseResult, FailKind, Verdict};
use plumbline_report::{Aggregator, BackendMeta, BackendStatus, ResultsFile, RunMeta, Summary, json, junit, markdown};

fn result(case: usize, verdict: Verdict) -> CaseResult {
    CaseResult {
        case: format!("Min-13/{case:05}"),
        suite: "generated".to_owned(),
        domain: "ai.onnx".to_owned(),
        op: "Min".to_owned(),
        since: 13,
        types: BTreeMap::from([("T".to_owned(), "float16".to_owned())]),
        backend: "rten 0.27".to_owned(),
        verdict,
        kind: (verdict == Verdict::Fail).then_some(FailKind::WrongValue),
        max_ulp: Some(case as f64),
        seconds: 0.1,
        ..CaseResult::default()
    }
}

fn summary(results: impl IntoIterator<Item = CaseResult>) -> Summary {
    let mut aggregator = Aggregator::new();
    for result in results {
        aggregator.add(result).unwrap();
    }
    aggregator.finish(RunMeta { title: "Test".to_owned(), ..RunMeta::default() })
}

/// Returns the results in another fixed order. The step is a prime that does not divide the number of results, so each
/// result occurs once.
fn permuted(results: &[CaseResult]) -> Vec<CaseResult> {
    let step = 7919;
    assert!(!results.len().is_multiple_of(step));
    (0..results.len()).map(|index| results[index * step % results.len()].clone()).collect()
}

#[test]
fn the_order_of_results_makes_no_difference() {
    let results: Vec<CaseResult> = (0..5000)
        .map(|case| {
            let verdict = [Verdict::Fail, Verdict::Crash, Verdict::Unsupported, Verdict::Pass][case % 4];
            let mut result = result(case, verdict);
            result.signature = Some(format!("signature {}", case % 700));
            result.detail = Some(format!("detail {}", case % 500));
            result.types.insert("T".to_owned(), format!("type {}", case % 300));
            result
        })
        .collect();
    let (one, other) = (summary(results.clone()), summary(permuted(&results)));
    assert_eq!(one, other);
    assert_eq!(json(&one).unwrap(), json(&other).unwrap());
    assert_eq!(junit(&one).unwrap(), junit(&other).unwrap());
    assert_eq!(markdown(&one), markdown(&other));
}

#[test]
fn lists_are_bounded_and_the_rest_is_counted() {
    let results = (0..30_000).map(|case| {
        let verdict = if case % 3 == 0 { Verdict::Unsupported } else { Verdict::Fail };
        let mut result = result(case, verdict);
        result.signature = Some(format!("signature {case}"));
        result.detail = Some(format!("reason_{case} {}", "x".repeat(10_000)));
        result
    });
    let operator = &summary(results).operators[0];
    assert_eq!(operator.findings.len(), 100);
    assert_eq!(operator.findings_left_out, 20_000 - 100);
    assert_eq!(operator.reasons.len(), 100);
    assert_eq!(operator.reasons_left_out, 10_000 - 100);
    assert!(serde_json::to_string(operator).unwrap().len() < 300_000);
}

#[test]
fn signatures_of_one_kind_do_not_displace_those_of_another() {
    let mut results: Vec<CaseResult> = (0..500)
        .map(|case| CaseResult { signature: Some(format!("a{case}")), ..result(case, Verdict::Fail) })
        .collect();
    results.push(CaseResult { signature: Some("z".to_owned()), ..result(501, Verdict::Crash) });
    results.push(CaseResult {
        signature: Some("z".to_owned()),
        kind: Some(FailKind::AcceptsInvalid),
        ..result(502, Verdict::Fail)
    });
    let operator = &summary(results).operators[0];
    assert!(operator.findings.iter().any(|finding| finding.verdict == Verdict::Crash));
    assert!(operator.findings.iter().any(|finding| finding.kind == Some(FailKind::AcceptsInvalid)));
}

#[test]
fn a_finding_shows_its_first_case_and_its_cells() {
    let failure = |case, dtype: &str| CaseResult {
        signature: Some("nan".to_owned()),
        detail: Some(format!("detail of {case}")),
        types: BTreeMap::from([("T".to_owned(), dtype.to_owned())]),
        ..result(case, Verdict::Fail)
    };
    let summary = summary([failure(7, "float"), failure(3, "double"), failure(5, "float")]);
    let finding = &summary.operators[0].findings[0];
    assert_eq!((finding.case.as_str(), finding.detail.as_deref()), ("Min-13/00003", Some("detail of 3")));
    let cells: Vec<_> = finding.cells.iter().map(|cell| (cell.types["T"].as_str(), cell.count)).collect();
    assert_eq!(cells, [("double", 1), ("float", 2)]);
    assert_eq!(finding.tally.counts.fail, 3);
}

#[test]
fn latitude_is_grouped_by_the_rule_that_does_not_decide() {
    let latitude = |case, rule: Option<&str>, detail: &str| CaseResult {
        rule: rule.map(str::to_owned),
        detail: Some(detail.to_owned()),
        ..result(case, Verdict::Latitude)
    };
    let summary = summary([
        latitude(1, Some("nan"), "Max-8 nan: output Y [3]: NaN"),
        latitude(2, Some("nan"), "nan: output Y [4]: NaN"),
        latitude(3, Some("signed-zero"), "signed-zero: output Y [0]: -0"),
        latitude(4, None, "nan: of no rule"),
    ]);
    let findings = summary.operators[0].findings.iter();
    let found: Vec<_> = findings.map(|f| (f.signature.as_deref(), f.tally.counts.latitude)).collect();
    assert_eq!(found, [(None, 1), (Some("nan"), 2), (Some("signed-zero"), 1)]);
}

#[test]
fn a_graph_of_several_operators_is_in_no_domain() {
    let op = "test_graph".to_owned();
    let summary = summary([CaseResult { op, since: 0, types: BTreeMap::new(), ..result(1, Verdict::Pass) }]);
    assert_eq!(summary.operators[0].domain, "");
    assert!(junit(&summary).unwrap().contains("rten 0.27: graphs.test_graph"));
}

#[test]
fn damaged_numbers_do_not_break_a_report() {
    let results = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, f64::MAX].map(|number| CaseResult {
        seconds: number,
        max_ulp: Some(number),
        width_ulp: Some(number),
        ..result(1, Verdict::Fail)
    });
    let summary = summary(results);
    json(&summary).unwrap();
    junit(&summary).unwrap();
    markdown(&summary);
    assert_eq!(summary.total.max_ulp, Some(f64::INFINITY));
}

#[test]
fn backends_that_never_ran_are_reported() {
    let backend = |name: &str, status, why: &str| BackendMeta {
        name: name.to_owned(),
        status,
        why: Some(why.to_owned()),
        ..BackendMeta::default()
    };
    let meta = RunMeta {
        title: "Test".to_owned(),
        backends: vec![
            backend("directml", BackendStatus::Absent, "only on Windows"),
            backend("onnxruntime", BackendStatus::CouldNotStart, "library not found"),
        ],
        limits: vec!["Nothing ran on a GPU.".to_owned()],
        ..RunMeta::default()
    };
    let mut aggregator = Aggregator::new();
    aggregator.add(result(1, Verdict::Pass)).unwrap();
    let summary = aggregator.finish(meta);
    let names: Vec<_> = summary.backends.iter().map(|backend| backend.name.as_str()).collect();
    assert_eq!(names, ["directml", "onnxruntime", "rten"]);

    let report = quick_junit::Report::deserialize_from_str(&junit(&summary).unwrap()).unwrap();
    assert_eq!((report.tests, report.errors, report.failures), (3, 1, 0));
    insta::assert_snapshot!("backends_that_never_ran", markdown(&summary));
}

#[test]
fn junit_has_a_status_for_each_version() {
    let of = |since, dtype: &str, verdict, detail: &str| CaseResult {
        since,
        types: BTreeMap::from([("T".to_owned(), dtype.to_owned())]),
        detail: Some(detail.to_owned()),
        ..result(1, verdict)
    };
    let summary = summary([
        of(1, "bool", Verdict::Unsupported, "no kernel ]]> for <bool>\u{1b}[31m"),
        of(6, "double", Verdict::Crash, "SIGFPE"),
        of(6, "float", Verdict::Fail, "1 is not 2"),
        of(8, "float", Verdict::Pass, ""),
        of(8, "double", Verdict::Unsupported, "too many inputs"),
        of(12, "float16", Verdict::Fail, "NaN is not 1"),
        of(12, "float", Verdict::Pass, ""),
        of(13, "int32", Verdict::NotRun, "killed"),
        of(14, "int64", Verdict::Timeout, "10 s"),
        of(15, "int8", Verdict::Latitude, "either zero"),
    ]);
    let report = quick_junit::Report::deserialize_from_str(&junit(&summary).unwrap()).unwrap();
    assert_eq!((report.tests, report.errors, report.failures), (7, 2, 1));
    assert_eq!(report.test_suites[0].name.as_str(), "rten 0.27: ai.onnx.Min");
    use quick_junit::{NonSuccessKind, TestCaseStatus};
    let case = |since: u32| {
        let mut cases = report.test_suites[0].test_cases.iter();
        cases.find(|case| case.name.as_str() == format!("Min-{since}")).unwrap()
    };
    let status = |since: u32| match &case(since).status {
        TestCaseStatus::Success { .. } => "success".to_owned(),
        TestCaseStatus::Skipped { message, .. } => format!("skipped {}", message.as_ref().unwrap().as_str()),
        TestCaseStatus::NonSuccess { kind, ty, .. } => {
            let kind = if *kind == NonSuccessKind::Error { "error" } else { "failure" };
            format!("{kind} {}", ty.as_ref().unwrap().as_str())
        }
    };
    assert_eq!(status(1), "skipped unsupported: no kernel ]]> for <bool>␛[…");
    assert_eq!(status(6), "error crash");
    assert_eq!(status(8), "success");
    assert_eq!(status(12), "failure wrong-value");
    assert_eq!(status(13), "skipped not-run: killed");
    assert_eq!(status(14), "error timeout");
    assert_eq!(status(15), "success");
    let repeat: Vec<&str> = case(12).properties.iter().map(|property| property.value.as_str()).collect();
    assert_eq!(repeat.len(), 1);
    assert!(repeat[0].starts_with("cargo xtask replay ") && repeat[0].ends_with(" --backend rten"), "{repeat:?}");
}

/// A command has the selector of the backend that gave the result.
#[test]
fn commands_select_the_backend_that_ran() {
    let backend = |selector: &str, version: &str| BackendMeta {
        name: "onnxruntime".to_owned(),
        version: Some(version.to_owned()),
        selector: Some(selector.to_owned()),
        ..BackendMeta::default()
    };
    let mut aggregator = Aggregator::new();
    for version in ["1.23.2", "1.31.1"] {
        let backend = format!("onnxruntime {version}");
        aggregator.add(CaseResult { backend, ..result(1, Verdict::Fail) }).unwrap();
    }
    let backends = vec![backend("onnxruntime@1.23.2", "1.23.2"), backend("newest", "1.31.1")];
    let text = junit(&aggregator.finish(RunMeta { backends, ..RunMeta::default() })).unwrap();
    for selector in ["onnxruntime@1.23.2", "newest"] {
        assert_eq!(text.matches(&format!("--backend {selector}\"")).count(), 1, "{text}");
    }
}

#[test]
fn markdown_keeps_outside_text_inside_its_cell() {
    let hostile = "a|b\n| c | `d` <script>alert(1)</script> [x](javascript:y) \u{202e}";
    let summary = summary([CaseResult {
        op: hostile.to_owned(),
        backend: hostile.to_owned(),
        signature: Some(hostile.to_owned()),
        ..result(1, Verdict::Fail)
    }]);
    let text = markdown(&summary);
    assert!(!text.contains("<script") && !text.contains("](") && !text.contains('\u{202e}'), "{text}");
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.iter().map(|row| row.matches('|').count()).collect::<Vec<_>>(), [14, 14, 14, 7, 7, 7], "{text}");
}

/// The results have all verdicts, include new, changed, improved and expected ones, and have more signatures than the
/// report lists. The command of the run is known.
#[test]
fn markdown_counts_every_verdict() {
    let found =
        |case, verdict, signature: &str| CaseResult { signature: Some(signature.to_owned()), ..result(case, verdict) };
    let mut results = vec![
        result(1, Verdict::Pass),
        result(2, Verdict::Latitude),
        result(3, Verdict::Unsupported),
        result(4, Verdict::NotRun),
        found(5, Verdict::Crash, "Min-crash-1"),
        found(6, Verdict::Timeout, "Min-timeout-1"),
        found(7, Verdict::DeviceLost, "Min-device-lost-1"),
        CaseResult { expected_verdict: Some(Verdict::Fail), ..found(8, Verdict::Fail, "Min-known") },
        CaseResult { expected_verdict: Some(Verdict::Fail), ..found(9, Verdict::Crash, "Min-changed") },
        CaseResult { expected_verdict: Some(Verdict::Fail), ..result(10, Verdict::Pass) },
        CaseResult { backend: "cpu".to_owned(), ..found(11, Verdict::Fail, "Min-wrong-value-1") },
    ];
    results.extend((12..30).map(|case| found(case, Verdict::Fail, &format!("Min-wrong-value-{case}"))));
    let mut aggregator = Aggregator::new();
    results.into_iter().for_each(|result| aggregator.add(result).unwrap());
    let meta = RunMeta {
        title: "Plumbline compatibility report".to_owned(),
        command: Some("plumbline conformance --op Min".to_owned()),
        seed: Some("7".to_owned()),
        ..RunMeta::default()
    };
    insta::assert_snapshot!("several_verdicts", markdown(&aggregator.finish(meta)));
}

#[test]
fn an_empty_run_is_reported_as_empty() {
    let summary = summary([]);
    insta::assert_snapshot!("nothing_at_all", markdown(&summary));
    serde_json::from_str::<serde_json::Value>(&json(&summary).unwrap()).unwrap();
    quick_junit::Report::deserialize_from_str(&junit(&summary).unwrap()).unwrap();
}

#[test]
fn json_has_one_line_for_each_operator_with_its_counts() {
    let text = json(&summary([result(1, Verdict::Pass), result(2, Verdict::Fail)])).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["total"]["pass"], 1);
    assert_eq!(value["operators"][0]["versions"][0]["cells"][0]["backends"]["rten 0.27"]["fail"], 1);
    assert_eq!(text.lines().filter(|line| line.contains("\"op\":\"Min\"")).count(), 1);
}

#[test]
fn a_killed_run_still_gives_a_report_that_says_so() {
    let whole = serde_json::to_string(&result(1, Verdict::Pass)).unwrap();
    let text = format!("{whole}\n{}", &whole[..40]);
    let mut file = ResultsFile::new(Path::new("results.jsonl"), text.as_bytes());
    let mut aggregator = Aggregator::new();
    for result in file.by_ref() {
        aggregator.add(result.unwrap()).unwrap();
    }
    assert!(file.truncated());
    aggregator.add_truncated(file.path().display().to_string());
    let summary = aggregator.finish(RunMeta::default());
    assert_eq!(summary.total.counts.all(), 1);
    insta::assert_snapshot!("a_killed_run", markdown(&summary));
}

/// The message says how many failures were expected. The gate decides whether expected failures matter.
#[test]
fn a_version_with_only_expected_failures_is_a_failure_and_says_how_many_were_expected() {
    let known = |case| CaseResult {
        expected_verdict: Some(Verdict::Fail),
        signature: Some("Min-wrong-value-00000001".to_owned()),
        detail: Some("1 is not 2".to_owned()),
        ..result(case, Verdict::Fail)
    };
    let summary = summary([result(1, Verdict::Pass), known(2), known(3)]);
    let report = quick_junit::Report::deserialize_from_str(&junit(&summary).unwrap()).unwrap();
    assert_eq!((report.tests, report.errors, report.failures), (1, 0, 1));
    let case = &report.test_suites[0].test_cases[0];
    let counts = "1 pass, 2 fail, 2 expected, worst 3 ulp";
    assert_eq!(case.system_out.as_ref().map(|text| text.as_str()), Some(counts));
    let quick_junit::TestCaseStatus::NonSuccess { message, description, .. } = &case.status else {
        panic!("{:?} is not a failure", case.status)
    };
    assert_eq!(message.as_ref().map(|text| text.as_str()), Some(counts));
    let description = description.as_ref().map(|text| text.as_str());
    let expected = "fail wrong-value Min-wrong-value-00000001 (T=float16): first case Min-13/00002\n1 is not 2";
    assert_eq!(description, Some(expected));
}

#[test]
fn junit_of_an_interrupted_run_has_an_error() {
    let mut aggregator = Aggregator::new();
    aggregator.add(result(1, Verdict::Pass)).unwrap();
    let incomplete = Some("This run was interrupted, and 9 cases are missing.".to_owned());
    let text = junit(&aggregator.finish(RunMeta { incomplete, ..RunMeta::default() })).unwrap();
    let report = quick_junit::Report::deserialize_from_str(&text).unwrap();
    assert_eq!((report.tests, report.errors, report.failures), (2, 1, 0));
    let suites: Vec<&str> = report.test_suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(suites, ["the run", "rten 0.27: ai.onnx.Min"]);
    let case = &report.test_suites[0].test_cases[0];
    assert_eq!(case.name.as_str(), "the run came to its end");
    let quick_junit::TestCaseStatus::NonSuccess { message, .. } = &case.status else {
        panic!("{:?} is not an error", case.status)
    };
    let message = message.as_ref().map(|text| text.as_str());
    assert_eq!(message, Some("This run was interrupted, and 9 cases are missing."));
}

#[test]
fn the_total_in_json_is_that_of_all_backends() {
    let other = |case, verdict| CaseResult { backend: "cpu".to_owned(), ..result(case, verdict) };
    let summary = summary([
        result(1, Verdict::Pass),
        result(2, Verdict::Fail),
        other(1, Verdict::Pass),
        other(2, Verdict::Pass),
        other(3, Verdict::Fail),
    ]);
    let value: serde_json::Value = serde_json::from_str(&json(&summary).unwrap()).unwrap();
    assert_eq!((&value["total"]["pass"], &value["total"]["fail"]), (&3.into(), &2.into()));
    let backends = value["backends"].as_array().unwrap();
    let passes: Vec<_> = backends.iter().map(|backend| (&backend["backend"], &backend["total"]["pass"])).collect();
    assert_eq!(passes, [(&"cpu".into(), &2.into()), (&"rten 0.27".into(), &1.into())]);
}
