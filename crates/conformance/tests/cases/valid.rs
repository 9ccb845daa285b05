//! Checks that every valid case is a valid ONNX model: the checker of the pinned onnx release accepts it, with strict
//! shape inference. `PLUMBLINE_OP=Min` restricts the test to one operator, and `PLUMBLINE_CASES=20` sets the number of
//! cases for each cell.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use plumbline_conformance::twin::Twin;
use plumbline_conformance::{Right, output_shapes};
use plumbline_generator::{Case, Cell, cells};
use plumbline_oracle::Oracle;
use rayon::prelude::*;

/// The number of cases for each cell. Half of them are as drawn. The others have another form, where a case can have
/// one.
const CASES: u64 = 4;
/// If each cell has at least this many cases, each error in `CHECKER_IS_WRONG` must occur.
const CASES_TO_SEE_ALL: u64 = 16;
/// The test of invalid cases takes only every `CELL_STEP`-th cell.
const CELL_STEP: usize = 31;

/// Known errors of the checker, where it refuses a valid model: the operator (one version, or all versions), what the
/// checker says, and why it is wrong.
const CHECKER_IS_WRONG: [(&str, &str, &str); 13] = [
    (
        "Attention",
        "Inferred shape and existing shape differ in dimension",
        "a symbolic extent makes the hidden size unknown, not 0",
    ),
    (
        "AveragePool",
        "existing shape differ",
        "SAME_UPPER and SAME_LOWER leave no room for ceil_mode: the extent is ceil(input extent / stride)",
    ),
    (
        "GroupNormalization-18",
        "is deprecated in domain_version of 18",
        "it is deprecated from opset 21 on, where version 21 replaces it",
    ),
    ("LpPool", "existing shape differ", "as for AveragePool"),
    ("MaxPool", "existing shape differ", "as for AveragePool"),
    (
        "MeanVarianceNormalization",
        "has inconsistent type tensor(float)",
        "constants of the function's body are float whatever T is",
    ),
    (
        "MeanVarianceNormalization",
        "One and only one of the attributes 'value', 'value_",
        "the Constant in the function's body has an attribute that the checker for its opset does not know",
    ),
    ("Pad", "Expected:int64 Actual:int32", "`axes` may be int32"),
    ("RMSNormalization", "Y has inconsistent type", "Y has the type of `scale`, not that of X"),
    ("STFT", "existing shape differ in dimension 2", "`onesided` is 1 where it is left out"),
    ("Squeeze-1", "existing shape differ in rank", "`axes` need not ascend"),
    (
        "StringNormalizer",
        "Input shape must have either [C] or [1,C]",
        "a symbolic first extent is unknown, and may be 1",
    ),
    (
        "ai.onnx.ml.LinearClassifier",
        "existing shape differ in dimension 1: (0) vs",
        "labels may be strings, and then `classlabels_ints` is left out",
    ),
];

fn wanted() -> Vec<Cell> {
    let only = std::env::var("PLUMBLINE_OP").ok();
    let cells: Vec<Cell> =
        cells().into_iter().filter(|c| only.as_ref().is_none_or(|o| *o == c.version.id.name)).collect();
    assert!(!cells.is_empty(), "the selection has no cell");
    cells
}

/// Returns the checker's objection to each model, or `None` if `PLUMBLINE_PYTHON` is not set.
fn objections(cases: &[Case]) -> Option<Vec<Option<String>>> {
    let Some(python) = std::env::var_os("PLUMBLINE_PYTHON") else {
        eprintln!(
            "SKIPPED: PLUMBLINE_PYTHON is not set; `cargo xtask test` sets it to a Python that has the onnx package"
        );
        return None;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/check_models.py");
    let dir = tempfile::tempdir().unwrap();
    let part = |(at, cases): (usize, &[Case])| -> Vec<Option<String>> {
        let [models, said] = ["models", "said"].map(|name| dir.path().join(format!("{name}-{at}")));
        let mut bytes = Vec::new();
        for case in cases {
            let model = case.model.to_bytes();
            bytes.extend(u32::try_from(model.len()).unwrap().to_le_bytes());
            bytes.extend(model);
        }
        std::fs::write(&models, bytes).unwrap();
        let output = Command::new(&python).arg(&script).args([&models, &said]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(&said).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let size = cases.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts: Vec<_> = cases.chunks(size).enumerate().collect();
    let said: Vec<Option<String>> = parts.into_par_iter().flat_map_iter(part).collect();
    assert_eq!(said.len(), cases.len());
    Some(said)
}

/// Returns the index of the checker's known error that matches, if there is one.
fn excuse(case: &Case, said: &str) -> Option<usize> {
    let about = |operator: &str| {
        let id = case.version.to_string();
        id == operator || id.rsplit_once('-').is_some_and(|(name, _)| name == operator)
    };
    CHECKER_IS_WRONG.iter().position(|(operator, text, _)| about(operator) && said.contains(text))
}

fn is_excused(case: &Case, said: &str) -> bool {
    excuse(case, said).is_some()
}

#[test]
fn the_checker_accepts_every_valid_case() {
    let count = std::env::var("PLUMBLINE_CASES").map_or(CASES, |count| count.parse().unwrap());
    let reference = Oracle::default();
    let of_cell = |cell: &Cell| -> Vec<Case> {
        let cases = (0..count).filter_map(|index| cell.case(None, index, 0));
        let posed = cases.map(|case| {
            let right = Right::from(reference.evaluate(&case.model, &case.inputs).unwrap());
            case.in_form(&output_shapes(&right))
        });
        posed.collect()
    };
    let cases: Vec<Case> = wanted().par_iter().flat_map_iter(of_cell).collect();
    let Some(said) = objections(&cases) else { return };
    let line = |(case, said): (&Case, &Option<String>)| {
        said.as_ref().map(|said| format!("{} ({}): {said}", case.id, case.form))
    };
    let excused = |(case, said): (&Case, &Option<String>)| excuse(case, said.as_ref()?);
    let seen: BTreeSet<usize> = cases.iter().zip(&said).filter_map(excused).collect();
    let excused_models = cases.iter().zip(&said).filter(|pair| excused(*pair).is_some()).count();
    let wrong: Vec<String> = cases.iter().zip(&said).filter(|pair| excused(*pair).is_none()).filter_map(line).collect();
    println!(
        "{} models: the checker rejects {}, and {excused_models} more for known errors of its own",
        cases.len(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "the checker rejects {} of {} models, among them:\n{}",
        wrong.len(),
        cases.len(),
        wrong[..wrong.len().min(40)].join("\n\n")
    );
    let unseen = (0..CHECKER_IS_WRONG.len()).filter(|at| !seen.contains(at)).map(|at| CHECKER_IS_WRONG[at]);
    let unseen: Vec<_> =
        unseen.filter(|_| count >= CASES_TO_SEE_ALL && std::env::var_os("PLUMBLINE_OP").is_none()).collect();
    assert!(unseen.is_empty(), "these known errors of the checker no longer occur: {unseen:?}");
}

/// An invalid case declares its outputs as its twin does, so that a backend that checks models first has nothing to
/// refuse except the violation.
#[test]
fn the_checker_accepts_the_twins_of_invalid_cases() {
    let of_cell = |(at, cell): (usize, &Cell)| -> Vec<(Case, Case)> {
        let labels = cell.negatives();
        let cases = labels.iter().filter_map(|label| cell.case(Some(*label), at as u64 % 8, 0));
        let pairs = cases.filter_map(|case| {
            let twin = Twin::find(&case)?;
            let shapes = twin.output_shapes(&case);
            let valid = twin.in_case(&case);
            Some((case.in_form(&shapes), valid))
        });
        pairs.collect()
    };
    let cells: Vec<Cell> = wanted().into_iter().step_by(CELL_STEP).collect();
    let pairs: Vec<(Case, Case)> = cells.par_iter().enumerate().flat_map_iter(of_cell).collect();
    let (invalid, valid): (Vec<Case>, Vec<Case>) = pairs.into_iter().unzip();
    let (Some(of_invalid), Some(of_valid)) = (objections(&invalid), objections(&valid)) else { return };
    let missing = |said: &str| said.contains("required but missing");
    let mut wrong = Vec::new();
    for ((case, invalid), valid) in invalid.iter().zip(&of_invalid).zip(&of_valid) {
        if let Some(said) = valid.as_ref().filter(|said| !is_excused(case, said)) {
            wrong.push(format!("{}, made valid: {said}", case.id));
        }
        if let Some(said) = invalid.as_ref().filter(|said| missing(said) && valid.is_none()) {
            wrong.push(format!("{}: {said}", case.id));
        }
    }
    println!(
        "{} invalid cases; the checker has {} wrong objections to these cases or their twins",
        invalid.len(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "the checker has {} wrong objections to invalid cases or their twins, among them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n\n")
    );
}
