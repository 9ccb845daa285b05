//! Tests the text of the page: it is complete, escaped, small, and always the same.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use plumbline_conformance::{Blame, CaseResult, FailKind, Known, Verdict};
use plumbline_report::{Aggregator, ReportInput, Repros, Results, RunMeta, Summary, html};
use plumbline_spec::Spec;

use crate::synthetic;

fn summary() -> &'static Summary {
    static SUMMARY: OnceLock<Summary> = OnceLock::new();
    SUMMARY.get_or_init(|| {
        let mut aggregator = Aggregator::new();
        synthetic::results(Spec::embedded(), |result| aggregator.add(result).unwrap());
        aggregator.finish(synthetic::meta())
    })
}

fn page() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| html(summary(), Spec::embedded(), &Repros::default()).unwrap())
}

fn one_failure() -> CaseResult {
    CaseResult {
        case: "Min-13/T=float/7@1".to_owned(),
        suite: "generated".to_owned(),
        domain: "ai.onnx".to_owned(),
        op: "Min".to_owned(),
        since: 13,
        types: BTreeMap::from([("T".to_owned(), "float".to_owned())]),
        backend: "rten 0.27".to_owned(),
        verdict: Verdict::Fail,
        kind: Some(FailKind::WrongValue),
        signature: Some("Min-wrong-value-00112233".to_owned()),
        detail: Some("output min [2]: 1 instead of 2".to_owned()),
        max_ulp: Some(3.0),
        ..CaseResult::default()
    }
}

fn small_page(repro: &[&str]) -> String {
    let mut aggregator = Aggregator::new();
    aggregator.add(one_failure()).unwrap();
    let summary = aggregator.finish(RunMeta { title: "Small".to_owned(), ..RunMeta::default() });
    html(&summary, Spec::embedded(), &repro.iter().map(|&name| name.to_owned()).collect()).unwrap()
}

#[test]
fn a_graph_of_several_operators_is_listed_under_graphs() {
    assert_eq!(summary().operators.iter().filter(|operator| operator.domain.is_empty()).count(), 1);
    assert!(page().contains("data-d=\"graphs\""), "the page has no such section");
}

#[test]
fn all_operators_and_three_backends_fit_into_six_megabytes() {
    assert!(page().len() > 1_000_000, "the page is too small to hold the results");
    assert!(page().len() < 6_000_000, "{} bytes", page().len());
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(html(summary(), Spec::embedded(), &Repros::default()).unwrap(), page());
}

#[test]
fn text_from_outside_is_escaped() {
    let page = page();
    for (what, count) in [("<script", 2), ("</script", 2), ("<img", 0), ("<svg", 0), ("<h1", 1), ("<title", 1)] {
        assert_eq!(page.matches(what).count(), count, "{what}");
    }
    for hidden in ['\u{0}', '\u{1b}', '\u{202e}', '\u{200b}', '\u{feff}', '\u{85}', '\u{ffff}'] {
        assert!(!page.contains(hidden), "{hidden:?}");
    }
    // Text from outside cannot end an attribute, because its quotes are escaped.
    assert!(!page.contains("\" onmouseover="), "text from outside closed an attribute");
    assert!(page.contains("&quot; onmouseover=&quot;alert(1)"), "the text is not shown");
    assert!(page.contains("{{ 7 * 7 }} {% raw %} {# comment #}"), "text from outside was rendered as a template");
}

#[test]
fn the_page_loads_nothing_from_the_network() {
    let page = page();
    for loads in [" src=\"", "url(", "@import", "<link", "<iframe", "http-equiv=\"refresh"] {
        assert!(!page.contains(loads), "{loads}");
    }
    let links = page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    for link in links {
        assert!(link.starts_with('#'), "{link}");
    }
}

#[test]
fn every_operator_has_its_rows_and_its_section() {
    let (page, summary) = (page(), summary());
    let spec = Spec::embedded();
    let known: HashSet<(&str, &str)> = spec.operators().map(|o| (o.domain.as_str(), o.name.as_str())).collect();
    let is_known = |op: &plumbline_report::OperatorSummary| known.contains(&(op.domain.as_str(), op.op.as_str()));
    let ran = summary.operators.iter().filter(|op| is_known(op)).count();
    let strange = summary.operators.len() - ran;
    assert!(
        ran < known.len() && strange == synthetic::HOSTILE.len() + 1,
        "the test data lacks operators without results, or unknown operators"
    );
    assert_eq!(page.matches("<tr data-o=").count(), known.len() + strange);
    assert_eq!(page.matches("<details class=\"op\"").count(), known.len() + strange);
    let ids: Vec<&str> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).filter(|id| !id.is_empty()).collect();
    let different: HashSet<&&str> = ids.iter().collect();
    assert_eq!(ids.len(), different.len(), "two sections have the same anchor");
    for operator in spec.operators() {
        assert!(different.contains(&operator.qualified_name().as_str()), "{}", operator.qualified_name());
    }
}

#[test]
fn the_page_names_backends_and_operators_that_did_not_run() {
    let page = page();
    for said in [
        "<b>not available</b>: DirectML is part of Windows",
        "<b>could not start</b>: ./our-runtime: no such file",
        "Nothing here ran on real DirectML hardware",
        "Nothing is known about 12 operators for which no case ran",
        "never counted as a pass",
    ] {
        assert!(page.contains(said), "{said}");
    }
}

#[test]
fn an_operator_without_rules_counts_as_not_covered() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/onnx/ai.onnx");
    let dir = tempfile::tempdir().unwrap();
    let domain = dir.path().join("ai.onnx");
    fs::create_dir(&domain).unwrap();
    for file in ["Min.json", "Min.rules.toml", "Abs.json"] {
        fs::copy(specs.join(file), domain.join(file)).unwrap();
    }
    let spec = Spec::load(dir.path()).unwrap();
    let mut aggregator = Aggregator::new();
    aggregator.add(one_failure()).unwrap();
    let summary = aggregator.finish(RunMeta::default());
    let page = html(&summary, &spec, &Repros::default()).unwrap();
    assert!(page.contains("Imported, but not covered yet: 1 of the operators"), "{page}");
    assert!(page.contains("operators covered by rules and cases<td class=\"num\">1 of 2"), "{page}");
    assert!(!page.contains("for which no case ran"), "an operator without rules has no cases that could run");
}

#[test]
fn a_failure_links_to_its_reproduction_and_its_command() {
    let page = small_page(&["Min-wrong-value-00112233"]);
    assert!(page.contains("cargo xtask replay Min-13/T=float/7@1 --backend rten<"));
    assert!(page.contains("<a href=\"repro/Min-wrong-value-00112233/\">"));
    assert!(page.contains("output min [2]: 1 instead of 2"));
    assert!(page.contains("worst 3 ulp"));
    assert!(!small_page(&["another"]).contains("href=\"repro/"), "the page links to a folder that does not exist");
}

#[test]
fn the_page_shows_versions_types_and_rules() {
    let page = small_page(&[]);
    let start = page.find("<details class=\"op\" id=\"Min\"").unwrap();
    let section = &page[start..];
    let section = &section[..section[1..].find("<details class=\"op\"").unwrap()];
    for said in ["+ T: bfloat16", "nan", "unspecified", "Allowed: NaN or ", "<td>bfloat16<td><td><td><td><td>●"] {
        assert!(section.contains(said), "{said}\n{section}");
    }
    assert!(section.contains("No case ran for Min 1, 6, 8, 12."), "{section}");
}

#[test]
fn every_operator_shows_what_directml_serves() {
    let page = small_page(&[]);
    let part = &page[page.find("<section id=\"directml\"").unwrap()..];
    let part = &part[..part.find("</section>").unwrap()];
    for said in
        ["Real DirectML numerics have not been run.", "<th scope=\"row\">5_0<", "<a href=\"#Min\">Min</a>", "Tile-1"]
    {
        assert!(part.contains(said), "{said}");
    }
    let section_of = |id: &str| {
        let section = &page[page.find(&format!("<details class=\"op\" id=\"{id}\"")).unwrap()..];
        section[..section[1..].find("<details class=\"op\"").unwrap()].to_owned()
    };
    let min = section_of("Min");
    for said in ["T: bfloat16<td>", "T: double<td>", "<td>2_1<td>ELEMENT_WISE_MIN, ", "never</span>", "from 3_0"] {
        assert!(min.contains(said), "{said}\n{min}");
    }
    assert!(section_of("StringNormalizer").contains("<p class=\"note\">Never: no lowering is known.</p>"));
    let with_results = |backend: &str| {
        let mut aggregator = Aggregator::new();
        aggregator.add(CaseResult { backend: backend.to_owned(), ..one_failure() }).unwrap();
        html(&aggregator.finish(RunMeta::default()), Spec::embedded(), &Repros::default()).unwrap()
    };
    let said = "numerics have not been run";
    assert!(with_results("directml-software 6_4").contains(said) && !with_results("directml 1.15.4").contains(said));
}

#[test]
fn an_empty_run_gives_a_page_that_says_so() {
    let summary = Aggregator::new().finish(RunMeta::default());
    let page = html(&summary, Spec::embedded(), &Repros::default()).unwrap();
    assert!(page.contains("No case ran: there is no result."));
    assert_eq!(page.matches("<tr data-o=").count(), Spec::embedded().operators().count());
}

#[test]
fn files_are_written_and_bad_results_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    std::fs::create_dir_all(out.join("repro/Min-wrong-value-00112233")).unwrap();
    let path = folder.path().join("results.jsonl");
    let line = serde_json::to_string(&one_failure()).unwrap();
    let input = || ReportInput {
        base: Default::default(),
        spec: Spec::embedded(),
        results: Results::Files(vec![path.clone()]),
        meta: RunMeta::default(),
    };
    std::fs::write(&path, format!("{line}\n{}", &line[..90])).unwrap();
    let summary = input().write(&out).unwrap();
    assert_eq!((summary.total.counts.fail, summary.truncated.len()), (1, 1));
    for name in ["index.html", "junit.xml", "summary.md", "summary.json"] {
        assert!(out.join(name).metadata().unwrap().len() > 100, "{name}");
    }
    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("The run was cut short") && page.contains("href=\"repro/Min-wrong-value-00112233/\""));

    std::fs::write(&path, format!("{line}\n{{\"colour\":1}}\n")).unwrap();
    let error = input().write(&out).unwrap_err().to_string();
    assert!(error.contains("results.jsonl:2:") && error.contains("colour"), "{error}");
}

#[test]
fn a_stream_of_results_is_summarized() {
    let stream = ReportInput {
        base: Default::default(),
        spec: Spec::embedded(),
        results: Results::Stream(Box::new(std::iter::once(one_failure()))),
        meta: RunMeta::default(),
    };
    assert_eq!(stream.summarize().unwrap().operators[0].findings[0].case, "Min-13/T=float/7@1");
}

#[test]
fn a_version_shows_which_cases_it_answers_differently_from_the_version_before() {
    let page = small_page(&[]);
    let start = page.find("<details class=\"op\" id=\"Min\"").unwrap();
    let section = &page[start..start + page[start..].find("</details>").unwrap()];
    for said in ["differences found in over 500 cases", "shapes [1] and [] differ", "+ constraint shapes-broadcast"] {
        assert!(section.contains(said), "{said}\n{section}");
    }
}

#[test]
fn failures_show_their_cause_and_each_folder_gets_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    let signature = "Min-wrong-value-00112233";
    let repro = out.join("repro").join(signature);
    std::fs::create_dir_all(repro.join("test_data_set_0")).unwrap();
    let facts = r#"{"backend": "rten 0.27", "detail": "<b>told</b>", "rule": "nan", "form": "function",
        "inputs": ["data_0: float[1] [1.0]"], "wrong": ["output `min`[0] is 1.0, 2.0 is expected"]}"#;
    std::fs::write(repro.join("case.json"), facts).unwrap();
    std::fs::write(repro.join("model.txt"), "Min<13> \u{202e}<script>").unwrap();
    std::fs::write(repro.join("repro.py"), "print(1)").unwrap();
    std::fs::write(repro.join("test_data_set_0/input_0.pb"), "x").unwrap();
    let known = Known { blame: Blame::Onnx, reason: "It is <i>known</i>.".to_owned() };
    let expected = CaseResult {
        case: "Min-13/T=float/8@1".to_owned(),
        expected_verdict: Some(Verdict::Fail),
        known: Some(known),
        ..one_failure()
    };
    let results = Results::Stream(Box::new([one_failure(), expected].into_iter()));
    let backend = plumbline_report::BackendMeta {
        name: "rten".to_owned(),
        version: Some("0.27".to_owned()),
        selector: Some("rten@0.27".to_owned()),
        ..Default::default()
    };
    let meta = RunMeta { backends: vec![backend], ..RunMeta::default() };
    ReportInput { base: Default::default(), spec: Spec::embedded(), results, meta }.write(out).unwrap();

    let page = std::fs::read_to_string(out.join("index.html")).unwrap();
    let command = "cargo xtask replay repro/Min-wrong-value-00112233 --backend rten@0.27";
    for said in [
        "2 causes, 1 of them new",
        "<span class=\"blame\">onnx</span> It is &lt;i&gt;known&lt;/i&gt;.",
        "1 expected, 1 of them due to ONNX",
        "output &#96;min&#96;[0] is 1.0, 2.0 is expected",
        "data_0: float[1] [1.0]",
        "Min&lt;13&gt; \\u{202e}&lt;script&gt;",
        command,
        "cargo xtask replay Min-13/T=float/7@1 --backend rten@0.27",
        "python3 repro/Min-wrong-value-00112233/repro.py",
        "href=\"repro/Min-wrong-value-00112233/index.html\"",
        "<b>nan</b> ",
    ] {
        assert!(page.contains(said), "{said}");
    }
    // The new cause comes before the known one.
    assert!(page.find("<b class=\"new\">new</b>").unwrap() < page.find("<span class=\"note\">known</span>").unwrap());

    let page = std::fs::read_to_string(repro.join("index.html")).unwrap();
    for said in [
        command,
        "href=\"../../index.html#Min\"",
        "href=\"test_data_set_0/input_0.pb\"",
        "href=\"repro.py\"",
        "print(1)",
        "&lt;b&gt;told&lt;/b&gt;",
        "script-src &#39;sha256-",
    ] {
        assert!(page.contains(&said.replace("&#39;", "'")) || page.contains(said), "{said}");
    }
    assert!(!page.contains('\u{202e}') && page.matches("<script").count() == 1);
}
