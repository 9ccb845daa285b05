//! Mutants of a few operators on a few cases. This tests what `cargo xtask mutants` runs, and whether it notices a
//! judge that is wrong itself.

use std::path::{Path, PathBuf};

use plumbline_backend::Observation;
use plumbline_conformance::mutants::{
    Fate, JudgeFn, MutantKind, MutantReport, MutantSettings, MutantTable, run, run_directml, unnoticed_pairs,
};
use plumbline_conformance::{Judgement, Right, Selection, Verdict, judge};

use crate::common::Silent;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn settings(operators: &[&str], kinds: &[MutantKind], cases: u64) -> MutantSettings {
    let selection = Selection::new(operators, &[""; 0]).unwrap();
    let table = MutantTable::load(&root().join("generators/mutants")).unwrap();
    MutantSettings { seed: 0, cases, selection, kinds: kinds.to_vec(), table }
}

fn report(operators: &[&str], kinds: &[MutantKind], judge: &JudgeFn) -> MutantReport {
    run(&settings(operators, kinds, 6), judge, &Silent)
}

fn names(report: &MutantReport, fate: Fate) -> Vec<String> {
    report.results.iter().filter(|r| r.fate == fate).map(ToString::to_string).collect()
}

#[test]
fn the_judge_notices_wrong_backends() {
    let report = report(&["Floor-13", "Softmax-13", "ArgMax-13"], &[], &judge);
    assert_eq!(report.broken, Vec::<String>::new());
    let killed = names(&report, Fate::Killed);
    for mutant in [
        "Floor-13 as-ceil",
        "Floor-13 outputs-reversed",
        "Floor-13 input-X-perturbed",
        "Softmax-13 coerced-to-2d",
        "Softmax-13 attribute-axis-ignored",
        "Softmax-13 as-version-11",
        "Softmax-13 outputs-in-16-bits",
        "ArgMax-13 ties-to-the-other-end",
        "ArgMax-13 attribute-select_last_index-ignored",
        "ArgMax-13 from-one",
    ] {
        assert!(killed.iter().any(|name| name == mutant), "{mutant} is not killed; the killed mutants are {killed:#?}");
    }
    for (operator, share) in &report.wrecked {
        assert!(share.answers > 0 && share.failed == share.answers, "{operator}: {share:?}");
    }
    let pairs = unnoticed_pairs(&root().join("reports/behaviour"), &report.results);
    assert_eq!(
        pairs,
        (vec![], 1),
        "only one pair counts, Softmax-11 and Softmax-13, and a mutant of this pair is killed"
    );
}

#[test]
fn a_judge_that_passes_everything_is_noticed() {
    let lenient = |right: &Right, names: &[&str], observation: &Observation| Judgement {
        verdict: Verdict::Pass,
        kind: None,
        ..judge(right, names, observation)
    };
    let report = report(&["Floor-13"], &[], &lenient);
    assert!(names(&report, Fate::Killed).is_empty());
    assert!(names(&report, Fate::Survived).contains(&"Floor-13 as-ceil".to_owned()));
    assert!(report.wrecked.iter().all(|(_, share)| share.failed == 0 && share.survived.is_some()));
}

#[test]
fn a_judge_that_fails_right_answers_is_noticed() {
    let strict = |right: &Right, names: &[&str], observation: &Observation| Judgement {
        verdict: Verdict::Fail,
        ..judge(right, names, observation)
    };
    let report = report(&["Floor-13"], &[MutantKind::Wrecked], &strict);
    assert!(report.broken.iter().all(|line| line.contains("the judge rejects the oracle's own answer")));
    assert_eq!(report.broken.len() as u64, report.cases);
}

fn directml_report(operators: &[&str], judge: &JudgeFn) -> MutantReport {
    run_directml(&settings(operators, &[], 4), judge, &Silent)
}

#[test]
fn mutants_of_directml_are_of_the_wanted_kinds() {
    let report = run_directml(&settings(&["GATHER"], &[MutantKind::Layout], 1), &judge, &Silent);
    assert!(!report.results.is_empty() && report.results.iter().all(|result| result.kind == MutantKind::Layout));
}

#[test]
fn the_judge_notices_wrong_devices_of_directml() {
    let report = directml_report(&["ELEMENT_WISE_MIN", "GATHER", "GEMM"], &judge);
    assert_eq!(report.broken, Vec::<String>::new());
    let killed = names(&report, Fate::Killed);
    for mutant in [
        "ELEMENT_WISE_MIN-1 OutputTensor-Min-as-Max",
        "ELEMENT_WISE_MIN-1 ATensor-read-as-packed",
        "ELEMENT_WISE_MIN-1 outputs-reversed",
        "GEMM-1 summand-Mul-skipped",
        "GEMM-1 scaled-Mul-as-Add",
        "GEMM-1 outputs-in-16-bits",
    ] {
        let name = format!("com.microsoft.directml.DML_OPERATOR_{mutant}");
        assert!(killed.contains(&name), "{mutant} is not killed; the killed mutants are {killed:#?}");
    }
    let survived = names(&report, Fate::Survived);
    assert!(survived.len() * 100 <= 3 * (killed.len() + survived.len()), "{survived:#?}");
    let lenient = |right: &Right, names: &[&str], observation: &Observation| Judgement {
        verdict: Verdict::Pass,
        kind: None,
        ..judge(right, names, observation)
    };
    assert!(names(&directml_report(&["ELEMENT_WISE_MIN"], &lenient), Fate::Killed).is_empty());
}

#[test]
fn the_number_of_threads_does_not_change_the_report() {
    let whole = || report(&["Clip"], &[MutantKind::Written, MutantKind::Version], &judge);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(whole().results, one.install(whole).results);
}
