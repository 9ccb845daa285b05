//! Tests the tables of what backends support, made of runs that the tests write.

use std::path::PathBuf;

use plumbline_conformance::Selection;
use plumbline_report::support::{SCHEMA, State, Support, SupportOptions, support, winml};
use serde_json::{Value, json};

use crate::runs::{Runs, facts, row, with};
use crate::schema::problems;
use crate::synthetic::HOSTILE;

/// Makes the table of these runs, for a program of the version that wrote them.
fn support_of(runs: &Runs, names: &[&str], backends: &[&str], ops: &[&str]) -> Result<Support, String> {
    let results: Vec<PathBuf> = names.iter().map(|name| runs.path(name)).collect();
    let backends: Vec<String> = backends.iter().map(|&name| name.to_owned()).collect();
    let selection = Selection::new(ops, &[] as &[&str]).unwrap();
    let options = SupportOptions {
        results: &results,
        backends: &backends,
        selection: &selection,
        newest: false,
        project_version: "0.1.0",
    };
    support(&options).map_err(|error| runs.plain(&error.to_string()))
}

/// A result of Softmax with this type.
fn softmax(type_: &str, index: u64, verdict: &str, kind: Option<&str>) -> Value {
    let case = format!("Softmax-13/T={type_}/{index}@0");
    let mut row = with(row("1", &case, verdict), [("op", "Softmax")]);
    row["types"] = json!({ "T": type_ });
    row["kind"] = kind.into();
    row
}

/// Returns whether this case leaves out `axis`.
fn omits_axis(type_: &str, index: u64) -> bool {
    let case = plumbline_generator::case_of(&format!("Softmax-13/T={type_}/{index}@0")).unwrap();
    case.features.iter().any(|feature| feature == "attribute axis omitted")
}

/// A run in which each type of Softmax-13 is in another state. The wrong cases are those that leave out `axis`.
fn several_states() -> Vec<Value> {
    let right = (0..).find(|&index| !omits_axis("double", index)).unwrap();
    let mut rows = vec![
        softmax("double", right, "pass", None),
        softmax("double", right + 1, "unsupported", None),
        softmax("float16", 0, "unsupported", None),
    ];
    for index in 0..40 {
        let fails = omits_axis("float", index);
        rows.push(softmax("float", index, if fails { "fail" } else { "pass" }, fails.then_some("wrong-value")));
    }
    rows.push(with(softmax("double", 2, "fail", Some("accepts-invalid")), [("suite", "negative")]));
    let cast = |verdict: &str, kind: Option<&str>| {
        let mut row = with(softmax("float", 0, verdict, kind), [("op", "Cast"), ("case", "Cast-13/T1=float/0@0")]);
        row["types"] = json!({ "T1": "float", "T2": "bool" });
        row
    };
    rows.extend([cast("fail", Some("limit")), cast("pass", None)]);
    rows.push(with(row("1", "mutated/Min-13/T=float/0@0", "fail"), [("suite", "mutated")]));
    rows
}

fn state(support: &Support, operator: &str, type_: &str) -> State {
    let version = support.backends[0].versions.iter().find(|one| one.id.to_string() == operator).unwrap();
    version.types.iter().find(|one| one.type_ == type_).unwrap().tested.state()
}

#[test]
fn states_and_features_are_shown_in_each_format() {
    let runs = Runs::new();
    runs.write("run", &facts("1"), &several_states());
    let support = support_of(&runs, &["run"], &[], &[]).unwrap();
    let states = ["double", "float", "float16", "bfloat16"].map(|type_| state(&support, "Softmax-13", type_));
    assert_eq!(states, [State::Lenient, State::Wrong, State::Unsupported, State::NotTested]);
    assert_eq!(state(&support, "Cast-13", "float"), State::Limits);
    insta::assert_snapshot!(support.markdown());

    let json: Value = serde_json::from_str(&support.json().unwrap()).unwrap();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert_eq!(problems(&schema, &json), Vec::<String>::new());
    let softmax = json["versions"].as_array().unwrap().iter().find(|version| version["op"] == "Softmax").unwrap();
    assert_eq!(softmax["failures"][0]["features"][0]["feature"], "attribute axis omitted");
    let mut broken = json.clone();
    broken["format"] = 2.into();
    assert!(!problems(&schema, &broken).is_empty());

    let target = winml::Target::new("CPUExecutionProvider", "CPU").unwrap();
    let rules = winml::rules(&support.backends[0], &target).unwrap();
    let files: Vec<&str> = rules.files.keys().map(String::as_str).collect();
    assert_eq!(
        files,
        [
            "CPUExecutionProvider_CPU/Cast_CPUExecutionProvider_CPU_ai.onnx_opset13.parquet",
            "CPUExecutionProvider_CPU/Softmax_CPUExecutionProvider_CPU_ai.onnx_opset13.parquet"
        ]
    );
    assert_eq!(rules.rules, 4);
}

#[test]
fn the_order_of_results_does_not_matter() {
    let runs = Runs::new();
    let mut rows = several_states();
    runs.write("run", &facts("1"), &rows);
    rows.reverse();
    runs.write("reversed", &facts("1"), &rows);
    let [one, other] = ["run", "reversed"].map(|name| support_of(&runs, &[name], &[], &[]).unwrap());
    assert_eq!(one.markdown(), other.markdown());
    assert_eq!(one.json().unwrap(), other.json().unwrap());
}

#[test]
fn results_of_another_version_have_no_drawn_features() {
    let runs = Runs::new();
    runs.write("run", &with(facts("1"), [("project_version", "0.0.9")]), &several_states());
    let support = support_of(&runs, &["run"], &[], &["Softmax"]).unwrap();
    assert!(support.limits.iter().any(|limit| limit.starts_with("The features")), "{:?}", support.limits);
    let failures = &support.backends[0].versions[0].failures;
    assert!(failures[0].compared > 1 && failures[0].features.is_empty(), "{failures:?}");
}

#[test]
fn text_from_results_stays_text() {
    let runs = Runs::new();
    let hostile = |text: &&str| with(row("1", "Min-13/T=float/0@0", "pass"), [("op", *text), ("backend", *text)]);
    runs.write("run", &facts("1"), &HOSTILE.iter().map(hostile).collect::<Vec<_>>());
    let text = support_of(&runs, &["run"], &[], &[]).unwrap().markdown();
    let allowed = |line: &str| line.starts_with(['|', '-', '>', '#']) || !line.contains(['<', '`', '[']);
    assert!(!text.contains('<') && text.lines().all(allowed), "{text}");
}

#[test]
fn what_cannot_be_counted_is_an_error() {
    let runs = Runs::new();
    runs.write("run", &facts("1"), &[row("1", "Min-13/T=float/0@0", "pass")]);
    runs.write("empty", &facts("1"), &[]);
    runs.write("later", &facts("1"), &[with(row("1", "Min-13/T=float/0@0", "pass"), [("format", "2")])]);
    let error = |names: &[&str], backends: &[&str], ops: &[&str]| support_of(&runs, names, backends, ops).unwrap_err();
    let errors = [
        error(&["nowhere"], &[], &[]),
        error(&["empty"], &[], &[]),
        error(&["later"], &[], &[]),
        error(&["run", "run"], &[], &[]),
        error(&["run"], &["yours"], &[]),
        error(&["run"], &[], &["Max"]),
    ];
    insta::assert_snapshot!(errors.join("\n"));
    assert!(support_of(&runs, &["run"], &["mine@1", "mine"], &["Min-13"]).is_ok());
}

/// Checks that docs/support.md has the sentences, states and columns that the command writes now.
#[test]
fn the_page_has_the_format_of_the_command() {
    let page = include_str!("../../../../docs/support.md");
    let runs = Runs::new();
    runs.write("run", &facts("1"), &several_states());
    let written = support_of(&runs, &["run"], &[], &[]).unwrap().markdown();
    let is_fixed =
        |line: &&str| line.starts_with("- **") || line.starts_with("In brackets") || line.starts_with("Counted");
    let fixed: Vec<&str> = written.lines().filter(is_fixed).collect();
    assert!(fixed.len() > 5, "{fixed:?}");
    // A state that the page's backends do not show is not explained there.
    let missing: Vec<&&str> = fixed
        .iter()
        .filter(|line| {
            let title = line.split("**").nth(1);
            let shown = title.is_none_or(|title| page.contains(&format!("| {title} |")));
            shown && !page.lines().any(|other| other == **line)
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let backends = ["directml-software", "onnxruntime", "openvino", "rten", "tract-python"];
    for name in backends {
        assert!(page.lines().any(|line| line.starts_with(&format!("## {name} "))), "{name} has no table");
    }
    let columns: Vec<&str> = State::ALL.map(State::name).to_vec();
    let known = |title: &str| {
        columns.contains(&title.replace(' ', "-").as_str()) || ["operator", "version", "what fails"].contains(&title)
    };
    for header in page.lines().filter(|line| line.starts_with("| operator | version |")) {
        assert!(header.trim_matches('|').split(" | ").all(|title| known(title.trim())), "{header}");
    }
}
