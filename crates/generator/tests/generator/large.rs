//! Checks the cases of the suite `large`: each operator that has them gets valid ones, and every kind of largeness occurs.

use std::collections::BTreeSet;

use plumbline_generator::{Case, cells};
use plumbline_oracle::Oracle;
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
