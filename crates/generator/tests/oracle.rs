//! Every recipe against the oracle: valid cases are answered, negative ones are refused with the constraint they violate,
//! and each attribute, optional input and feature is reached. `PLUMBLINE_OP=Min` looks at one operator only.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_executor::RefusalKind;
use plumbline_executor::reference::{Evaluation, OpenRule, Reference};
use plumbline_generator::{Cell, cells, recipes, wanted_features};
use rayon::prelude::*;

fn wanted() -> Vec<Cell> {
    let only = std::env::var("PLUMBLINE_OP").ok();
    let cells: Vec<Cell> =
        cells().into_iter().filter(|c| only.as_ref().is_none_or(|o| *o == c.version.id.name)).collect();
    assert!(!cells.is_empty(), "no cell to look at");
    cells
}

#[test]
fn valid_cases_are_answered() {
    let reference = Reference::default();
    let wrong: Vec<String> = wanted().par_iter().flat_map_iter(|cell| wrong_answers(&reference, cell)).collect();
    assert!(wrong.is_empty(), "{} cases, among them:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

fn wrong_answers(reference: &Reference, cell: &Cell) -> Vec<String> {
    let mut wrong = Vec::new();
    for index in 0..24 {
        let case = cell.case(None, index, 0).expect("there is a recipe");
        match reference.evaluate(&case.model, &case.inputs) {
            Ok(Evaluation { outputs, .. }) => {
                for (output, declared) in outputs.iter().zip(&case.model.graph().output) {
                    let declared = declared.r#type.as_ref().and_then(plumbline_tensor::ValueKind::from_proto);
                    if Some(output.kind()) != declared {
                        let kind = output.kind();
                        wrong.push(format!("{}: the model declares {declared:?}, the oracle says {kind}", case.id));
                    }
                }
            }
            Err(refusal) => wrong.push(format!("{}: {refusal}", case.id)),
        }
    }
    wrong
}

/// Each rule by which the oracle leaves an answer open exists in that version and is not defined, and any value is accepted only where it says so.
#[test]
fn latitude_is_what_the_rules_list() {
    let reference = Reference::default();
    let objections = |cell: &Cell| {
        let cases = (0..24).filter_map(|index| cell.case(None, index, 0));
        let open = cases.flat_map(|case| {
            let rules = reference.evaluate(&case.model, &case.inputs).map(|evaluation| evaluation.open);
            let of_case = |rule: &OpenRule| rule.objection().map(|objection| (objection, case.id.clone()));
            rules.unwrap_or_default().iter().filter_map(of_case).collect::<Vec<_>>()
        });
        open.collect::<Vec<_>>()
    };
    let all: BTreeMap<String, String> = wanted().par_iter().flat_map_iter(objections).collect();
    let lines: Vec<String> = all.iter().map(|(objection, case)| format!("{objection} (as in {case})")).collect();
    assert!(lines.is_empty(), "{} rules:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn negative_cases_are_refused_with_their_label() {
    let reference = Reference::default();
    let mut wrong = Vec::new();
    let mut violated: BTreeMap<String, bool> = BTreeMap::new();
    for cell in wanted() {
        for label in cell.negatives() {
            let some = violated.entry(format!("{} {label}", cell.version.id)).or_default();
            for index in 0..8 {
                let Some(case) = cell.case(Some(label), index, 0) else { continue };
                *some = true;
                match reference.answer(&case.model, &case.inputs) {
                    Err(r) if r.kind == RefusalKind::Invalid && r.label == Some(label) => {}
                    Err(r) => wrong.push(format!("{}: refused for another reason ({:?}): {r}", case.id, r.kind)),
                    Ok(_) => wrong.push(format!("{}: answered", case.id)),
                }
            }
        }
    }
    let never = violated.into_iter().filter(|(_, some)| !some);
    wrong.extend(never.map(|(rule, _)| format!("{rule}: the recipe declines every cell")));
    assert!(wrong.is_empty(), "{} cases, among them:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

#[test]
fn every_attribute_optional_input_and_feature_is_reached() {
    let mut reached: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut by_recipe: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for cell in wanted() {
        for index in 0..60 {
            let case = cell.case(None, index, 0).expect("there is a recipe");
            reached.entry(cell.version.id.to_string()).or_default().extend(case.features.iter().cloned());
            let id = &cell.version.id;
            by_recipe.entry((id.domain.clone(), id.name.clone())).or_default().extend(case.features);
        }
    }
    let mut missing = Vec::new();
    let mut seen = BTreeSet::new();
    for cell in wanted() {
        let version = cell.version;
        if !seen.insert(version.id.to_string()) {
            continue;
        }
        let has = &reached[&version.id.to_string()];
        let lacking = wanted_features(version).into_iter().filter(|f| !has.contains(f));
        missing.extend(lacking.map(|f| format!("{}: {f}", version.id)));
    }
    // A feature of a file of recipes is reached by one of its operators at least.
    let mut by_feature: BTreeMap<&str, bool> = BTreeMap::new();
    for recipe in recipes() {
        let Some(has) = by_recipe.get(&(recipe.domain.to_owned(), recipe.name.to_owned())) else { continue };
        for feature in recipe.features {
            *by_feature.entry(feature).or_default() |= has.contains(*feature);
        }
    }
    if std::env::var("PLUMBLINE_OP").is_err() {
        missing.extend(by_feature.iter().filter(|(_, hit)| !**hit).map(|(f, _)| format!("feature `{f}`")));
    }
    assert!(missing.is_empty(), "never reached:\n{}", missing.join("\n"));
}
