//! Checks the cases of the suite `large`: each operator that has them gets valid ones, and every kind of largeness occurs.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_generator::{Case, Cell, cells};
use plumbline_oracle::Oracle;
use plumbline_tensor::DType;
use rayon::prelude::*;

/// The number of cases for each operator.
const CASES: u64 = 8;

/// What can be large about a case.
const KINDS: [&str; 8] = [
    "3x3 windows side by side",
    "attention",
    "convolution",
    "depthwise convolution",
    "long axis",
    "many boxes",
    "many iterations",
    "product",
];

#[test]
fn large_cases_are_valid_and_of_every_kind() {
    let mut newest = cells();
    newest.retain(|cell| cell.has_large());
    // The newest version and its first type of each operator.
    newest.reverse();
    let mut seen = BTreeSet::new();
    newest.retain(|cell| seen.insert(cell.version.id.name.clone()));
    assert!(newest.len() > 30, "{} operators have large cases", newest.len());
    let drawn = |index: u64| newest.iter().filter_map(move |cell| cell.large_case(index, 0));
    let cases: Vec<Case> = (0..CASES).flat_map(drawn).collect();
    let kinds = |case: &Case| -> BTreeSet<String> {
        case.features.iter().filter_map(|feature| feature.strip_prefix("large: ").map(str::to_owned)).collect()
    };
    let plain: Vec<&str> = cases.iter().filter(|case| kinds(case).is_empty()).map(|case| case.id.as_str()).collect();
    assert!(plain.is_empty(), "nothing is large about {plain:?}");
    let found: BTreeSet<String> = cases.iter().flat_map(kinds).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), KINDS);
    let operators: BTreeSet<&str> = cases.iter().map(|case| case.version.name.as_str()).collect();
    assert_eq!(operators.len(), newest.len(), "only these operators have cases: {operators:?}");
    let oracle = Oracle::default();
    let first = cases.par_iter().take(newest.len());
    let refused: Vec<String> = first
        .filter_map(|case| Some(format!("{}: {}", case.id, oracle.answer(&case.model, &case.inputs).err()?)))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The most steps that the oracle may take for a large case: in blocks, and where each product is a step of its own. So many
/// take it about a second on one core.
const MOST_STEPS_IN_BLOCKS: u64 = 1 << 26;
const MOST_STEPS: u64 = 1 << 23;

/// Types of which the oracle does not compute products in blocks have smaller cases, as do operators without blocks.
#[test]
fn large_cases_take_the_oracle_few_steps() {
    let mut newest: BTreeMap<(String, DType), Cell> = BTreeMap::new();
    for cell in cells().into_iter().filter(Cell::has_large) {
        let Some((_, bound)) = &cell.bound else { continue };
        let dtype = bound.leaf_dtype();
        if [DType::Double, DType::Float16, DType::Float, DType::Int8, DType::Uint8].contains(&dtype) {
            newest.insert((cell.version.id.name.clone(), dtype), cell);
        }
    }
    let cases: Vec<(&(String, DType), Case)> =
        newest.iter().filter_map(|(key, cell)| Some((key, cell.large_case(0, 0)?))).collect();
    assert!(cases.len() > 100, "{} cases", cases.len());
    let refused = cases.par_iter().filter_map(|((name, dtype), case)| {
        let has_blocks = match name.as_str() {
            "Conv" | "ConvInteger" | "ConvTranspose" | "QLinearConv" => true,
            "Gemm" | "MatMul" => dtype.is_float() && *dtype != DType::Double,
            _ => false,
        };
        let most = if has_blocks { MOST_STEPS_IN_BLOCKS } else { MOST_STEPS };
        let refusal = Oracle::default().with_most_steps(most).answer(&case.model, &case.inputs).err()?;
        Some(format!("{}: {refusal}", case.id))
    });
    let refused: Vec<String> = refused.collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
