//! Checks how many cases operators get: the profiles of runs, and the budget that divides the cases of a run among the
//! operators.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_generator::{cells, profiles};
use plumbline_spec::Spec;

#[test]
fn profiles_are_smoke_ci_and_nightly() {
    let names: Vec<String> = profiles().unwrap().into_keys().collect();
    assert_eq!(names, ["ci", "nightly", "smoke"]);
}

#[test]
fn the_budget_names_known_operators() {
    let text = plumbline_spec::embedded::text(&plumbline_generator_data::FOLDER, "case_budget.toml");
    let features: BTreeMap<String, usize> = toml::from_str(text).unwrap();
    let names = Spec::embedded().operators().map(|operator| operator.qualified_name());
    let known: BTreeSet<String> = names.collect();
    let unknown: Vec<&String> = features.keys().filter(|name| !known.contains(*name)).collect();
    assert!(
        unknown.is_empty() && !features.is_empty(),
        "{} entries, of which these name no operator: {unknown:?}",
        features.len()
    );
}

#[test]
fn a_cell_gets_on_average_about_as_many_cases_as_are_asked_for() {
    let all = cells();
    let total: u64 = all.iter().map(|cell| cell.share_of(100)).sum();
    let average = total as f64 / all.len() as f64;
    assert!((95.0..=105.0).contains(&average), "a cell gets {average} cases on average, expected about 100");
}

#[test]
fn operators_with_more_to_vary_get_more_cases_per_cell() {
    let cases = |id: &str| cells().into_iter().find(|c| c.version.id.to_string() == id).unwrap().share_of(20);
    assert_eq!((cases("If-25"), cases("Identity-25"), cases("Loop-25")), (8, 8, 8));
    assert!(
        cases("Einsum-12") > 20 && cases("NonMaxSuppression-11") > 60,
        "{} {}",
        cases("Einsum-12"),
        cases("NonMaxSuppression-11")
    );
}
