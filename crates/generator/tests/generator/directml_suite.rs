//! Checks the suite `directml`: that descriptions are valid at their level, or break the rule that they are to break; that
//! the oracle answers every valid case; that ids and choices give the same case again; and that the cases reach what the
//! descriptions can have.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_directml::dxdispatch::{Checked, check};
use plumbline_generator::Case;
use plumbline_generator::directml::{self, DirectMlCell, DirectMlPlace, Violated, Wanted};
use plumbline_oracle::Oracle;
use plumbline_spec::directml::{DirectMl, Operator};
use rayon::prelude::*;

/// The number of cases of each cell in the profile `ci`.
pub(crate) const CASES: u64 = 20;

/// Returns the cells of all operators, or of the operator that `PLUMBLINE_OP` names.
fn cells() -> Vec<DirectMlCell> {
    let only = std::env::var("PLUMBLINE_OP").ok();
    let is_wanted = |cell: &DirectMlCell| only.as_ref().is_none_or(|name| cell.operator.name.contains(name.as_str()));
    DirectMlCell::all().into_iter().filter(is_wanted).collect()
}

pub(crate) fn text<'a>(case: &'a Case, name: &str) -> &'a str {
    let attributes = &case.model.graph().node[0].attribute;
    let found = attributes.iter().find(|attribute| attribute.name.as_deref() == Some(name)).unwrap();
    std::str::from_utf8(found.s.as_deref().unwrap()).unwrap()
}

fn checked(case: &Case) -> Checked {
    let description: serde_json::Value = serde_json::from_str(text(case, "desc")).unwrap();
    let model = serde_json::json!({"resources": {}, "dispatchables": {"it": description}, "commands": []});
    check(&model, text(case, "feature_level").parse().unwrap())
}

#[test]
fn every_case_is_valid_and_has_an_answer() {
    let wrong: Vec<String> = crate::sampled(cells(), |cell| cell.operator.name.clone())
        .par_iter()
        .flat_map_iter(|cell| (0..CASES).map(move |index| (cell, index)))
        .filter_map(|(cell, index)| {
            let Some(case) = cell.case(None, index, 0) else { return Some(format!("{cell}/{index}: is not drawn")) };
            let mut wrong: Vec<String> = checked(&case).findings.iter().map(|finding| finding.to_string()).collect();
            if let Err(refusal) = Oracle::default().answer(&case.model, &case.inputs) {
                wrong.push(refusal.to_string());
            }
            (!wrong.is_empty()).then(|| format!("{}: {}\n{}", case.id, wrong.join("; "), text(&case, "desc")))
        })
        .collect();
    assert!(wrong.is_empty(), "{} cases are wrong\n{}", wrong.len(), first_of_each(&wrong));
}

/// Returns the first text of each operator.
fn first_of_each(wrong: &[String]) -> String {
    let mut of: BTreeMap<&str, &String> = BTreeMap::new();
    for text in wrong {
        of.entry(text.trim_start_matches("directml/").split('/').next().unwrap_or_default()).or_insert(text);
    }
    of.values().map(|text| text.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_broken_rule_is_the_only_one() {
    let mut broken: BTreeSet<Violated> = BTreeSet::new();
    let mut wrong = Vec::new();
    for cell in cells() {
        for rule in Violated::ALL {
            for case in (0..2).filter_map(|index| cell.case(Some(rule), index, 0)) {
                broken.insert(rule);
                if rule == Violated::Binding {
                    continue;
                }
                let rules: BTreeSet<String> = checked(&case)
                    .findings
                    .iter()
                    .map(|f| f.violation.as_ref().map_or_else(|| f.message.clone(), |v| format!("{:?}", v.rule)))
                    .collect();
                if !rules.contains(&rule.to_string()) {
                    wrong.push(format!("{}: {rules:?}\n{}", case.id, text(&case, "desc")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases break another rule\n{}", wrong.len(), first_of_each(&wrong));
    let never: Vec<&Violated> = Violated::ALL.iter().filter(|rule| !broken.contains(rule)).collect();
    assert!(never.is_empty() || std::env::var("PLUMBLINE_OP").is_ok(), "no case breaks {never:?}");
}

#[test]
fn an_id_and_its_choices_give_the_same_case() {
    for cell in cells().into_iter().step_by(7) {
        for violates in [None, Some(Violated::TotalSize)] {
            let Some(case) = cell.case(violates, 3, 1) else { continue };
            assert_eq!(DirectMlPlace::case_of(&case.id).unwrap(), case);
            assert_eq!(case.with_choices(case.choices.clone()).unwrap(), case);
        }
    }
    for id in ["directml/DML_OPERATOR_NONE/FLOAT16@2_1/0@0", "directml/DML_OPERATOR_ELEMENT_WISE_MIN/FLOAT64@2_1/0@0"] {
        assert!(DirectMlPlace::case_of(id).is_err(), "{id}");
    }
}

#[test]
fn every_operator_has_a_meaning_or_is_listed_without_one() {
    let spec = DirectMl::embedded();
    let (with, without): (Vec<_>, Vec<_>) = spec.operators().iter().partition(|op| spec.meanings(op).next().is_some());
    let pending: BTreeSet<&str> = spec.pending().iter().flat_map(|p| &p.operators).map(String::as_str).collect();
    for entry in spec.pending() {
        println!("not covered yet: {}: {}", entry.operators.join(", "), entry.reason);
    }
    println!("{} of {} operators have a meaning", with.len(), spec.operators().len());
    let listed: BTreeSet<&str> = without.iter().map(|operator| operator.short_name()).collect();
    assert_eq!(listed, pending);
    assert_eq!(spec.operators().len(), 177);
}

#[test]
fn the_cases_of_ci_reach_what_is_wanted() {
    let (mut wanted, mut left_out, mut missing) = (0, BTreeMap::new(), Vec::new());
    let mut reached: BTreeMap<&str, (&'static Operator, BTreeSet<String>)> = BTreeMap::new();
    for cell in cells() {
        let (_, features) = reached.entry(&cell.operator.name).or_insert((cell.operator, BTreeSet::new()));
        features.extend((0..CASES).filter_map(|index| cell.case(None, index, 0)).flat_map(|case| case.features));
        let broken = Violated::ALL.into_iter().filter(|rule| cell.case(Some(*rule), 0, 0).is_some());
        features.extend(broken.map(Violated::feature));
    }
    for (operator, features) in reached.values() {
        let Wanted { features: all, left_out: without } = directml::wanted(operator);
        wanted += all.len();
        missing.extend(all.difference(features).map(|feature| format!("{}: {feature}", operator.short_name())));
        for (feature, reason) in without {
            if features.contains(&feature) {
                missing.push(format!("{}: {feature} is drawn, but left out: {reason}", operator.short_name()));
            }
            left_out.entry(reason).or_insert_with(Vec::new).push(format!("{}: {feature}", operator.short_name()));
        }
    }
    println!("{} of {wanted} features are reached", wanted - missing.len());
    for (reason, features) in left_out {
        println!("{} features are not drawn: {reason}\n  {}", features.len(), features.join("\n  "));
    }
    assert!(missing.is_empty(), "{} features are not as wanted\n{}", missing.len(), missing.join("\n"));
}
