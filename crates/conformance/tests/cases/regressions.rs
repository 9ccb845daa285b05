//! Checks the kept cases: each is still valid or invalid as recorded, and the oracle still accepts the stored answer.

use std::path::{Path, PathBuf};

use plumbline_backend::Observation;
use plumbline_conformance::regressions::{Kept, kept};
use plumbline_conformance::{Right, Verdict, judge};
use plumbline_generator::case_of;
use plumbline_graph::RefusalKind;
use plumbline_oracle::Oracle;
use plumbline_tensor::{Tensor, Value};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generators/regressions")
}

/// Returns what is wrong with a kept case, or `None` if nothing is.
fn problem(case: &Kept) -> Option<String> {
    let answered = Oracle::default().answer(&case.case.model, &case.case.inputs);
    let name = &case.name;
    match (case.case.violates, answered) {
        (Some(label), Err(refusal)) if refusal.kind == RefusalKind::Invalid && refusal.label == Some(label) => None,
        (Some(label), other) => Some(format!("{name}: the case violates {label}, but the oracle says {other:?}")),
        (None, Err(refusal)) => Some(format!("{name}: the oracle refuses it: {refusal}")),
        (None, Ok(outputs)) => {
            let observation = Observation::Outputs { values: case.answer.clone(), seconds: 0.0 };
            let judgement = judge(&Right::from(outputs), &case.case.model.output_names(), &observation);
            let detail = judgement.detail().unwrap_or_default();
            (judgement.verdict != Verdict::Pass)
                .then(|| format!("{name}: the oracle does not accept the kept answer any more: {detail}"))
        }
    }
}

#[test]
fn the_oracle_agrees_with_the_kept_cases() {
    let cases = kept(&folder()).unwrap();
    let problems: Vec<String> = cases.iter().filter_map(problem).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn wrong_kept_cases_are_found() {
    let cases = kept(&folder()).unwrap();
    let mut case = cases.iter().find(|c| c.name == "Pow-int64-by-int32").unwrap().clone();
    case.answer = vec![Value::Tensor(Tensor::from_i64s(&[-106_745_856]))];
    assert!(problem(&case).unwrap().contains("-60236288000 is expected"));
    let mut case = cases.iter().find(|c| c.case.violates.is_some()).unwrap().clone();
    case.case.violates = None;
    assert!(problem(&case).unwrap().contains("the oracle refuses it"));
}

#[test]
fn kept_cases_are_written_and_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let keep = |id: &str, name: &str, reason: &str| {
        let case = case_of(id).unwrap();
        let answer = Oracle::default().answer(&case.model, &case.inputs);
        let answer = answer.map(|o| o.iter().map(|o| o.to_value()).collect()).unwrap_or_default();
        let kept = Kept::new(name, reason, case, answer)?;
        kept.write(dir.path()).map_err(|e| e.to_string()).map(|()| kept)
    };
    let min = keep("Min-13/T=float16/17@0", "Min-some", "it was so").unwrap();
    let range = keep("Range-11/T=double/inputs-are-scalars/0@0", "Range-rank", "it was taken").unwrap();
    let read = kept(dir.path()).unwrap();
    for (written, read) in [min, range].iter().zip(&read) {
        assert_eq!((&written.name, &written.reason, &written.from), (&read.name, &read.reason, &read.from));
        assert_eq!((&written.case.id, &written.case.version), (&read.case.id, &read.case.version));
        assert_eq!((&written.case.model, &written.case.inputs), (&read.case.model, &read.case.inputs));
        assert_eq!((&written.case.types, written.case.violates), (&read.case.types, read.case.violates));
        assert_eq!(written.answer, read.answer);
        assert_eq!(problem(read), None);
    }
    let refused = |name: &str, reason: &str| keep("Min-13/T=float16/17@0", name, reason).unwrap_err();
    assert!(refused("Max-some", "it was so").contains("begin with `Min-`"));
    assert!(refused("Min-../some", "it was so").contains("is not a valid name"));
    assert!(refused("Min-other", " ").contains("the reason why the case is kept is missing"));
    assert!(refused("Min-some", "it was so").contains("a case of this name already exists"));
}

#[test]
fn folders_without_a_kept_case_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let error = |dir: &Path| kept(dir).unwrap_err().to_string();
    assert!(error(dir.path()).contains("the folder has no kept case"));
    assert!(error(&dir.path().join("nowhere")).contains("nowhere"));
    let case = case_of("Min-13/T=float16/17@0").unwrap();
    Kept::new("Min-some", "it was so", case, vec![]).unwrap().write(dir.path()).unwrap();
    let facts = dir.path().join("Min-some/case.toml");
    let with = |text: &str| {
        std::fs::write(&facts, text).unwrap();
        error(dir.path())
    };
    assert!(with("raeson = \"it was so\"").contains("unknown field `raeson`"));
    assert!(with("reason = \"\"").contains("the reason why the case is kept is missing"));
    assert!(with("reason = \"it was so\"\nviolates = \"X1\"").contains("no operator has a rule called `X1`"));
    std::fs::remove_file(&facts).unwrap();
    assert!(error(dir.path()).contains("case.toml"));
}
