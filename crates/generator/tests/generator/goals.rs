//! Checks that the cases of each cell in the profile `ci` meet the goals of the cell, which `generators/goals.toml`
//! lists, and writes that list: `PLUMBLINE_GOALS=write cargo test --release -p plumbline-generator goals`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plumbline_generator::{Case, Cell, GOAL_CASES as CASES, case_of, cells, may_be_goal, profiles, short_type};
use plumbline_oracle::{Evaluation, Oracle};
use rayon::prelude::*;

use crate::oracle::ANSWERS;
use crate::selected_cells;

/// The share of the goals that the cases have to meet: of all goals, and of those of one operator (`PLUMBLINE_OP`).
const SHARE: [f64; 2] = [0.99, 0.8];
/// The list has what a cell meets in this many times the cases of `ci`. For one half of them, rare choices are made
/// often.
const SEEDS: u64 = 4;

/// The head of `generators/goals.toml`.
const HEAD: &str = "\
# What the cases of each cell have to meet in the profile ci: features of cases and, as `rule NAME`, behaviours by which
# the oracle leaves something open. A key says which cells of the operator the goals are for: `*` for all of them, `13`
# for those of a version, `13/T=float|double` for some of these.
#
# Written by `PLUMBLINE_GOALS=write cargo test --release -p plumbline-generator goals`; not edited by hand.
";

/// Returns which of the things that may be goals a case meets.
pub fn met<'a>(cell: &'a Cell, case: &'a Case, evaluation: &'a Evaluation) -> impl Iterator<Item = String> + 'a {
    let rules = evaluation.open.iter().filter(|rule| rule.operator == cell.version.id);
    let rules = rules.filter(|rule| rule.behaviour.is_some()).map(|rule| format!("rule {}", rule.label));
    case.features.iter().filter(|feature| may_be_goal(feature)).cloned().chain(rules)
}

#[test]
fn goals_are_for_as_many_cases_as_ci_has() {
    assert_eq!(profiles().unwrap()["ci"].cases, CASES);
}

#[test]
fn the_goals_of_each_cell_are_met_in_ci() {
    if std::env::var("PLUMBLINE_GOALS").is_ok_and(|what| what == "write") {
        return write();
    }
    let (mut count, mut missing) = (0, Vec::new());
    for cell in selected_cells() {
        let name = cell.to_string();
        let none = BTreeSet::new();
        let met = ANSWERS.met.get(&name).unwrap_or(&none);
        count += cell.goals().len();
        missing.extend(cell.goals().iter().filter(|goal| !met.contains(**goal)).map(|goal| format!("{name}: {goal}")));
    }
    let reached = count - missing.len();
    let share = reached as f64 / count.max(1) as f64;
    println!("{reached} of {count} goals met in each cell ({:.2} %); not met:\n{}", 100.0 * share, missing.join("\n"));
    let least = SHARE[usize::from(std::env::var_os("PLUMBLINE_OP").is_some())];
    assert!(share >= least, "the cases meet {reached} of {count} goals; not met:\n{}", missing.join("\n"));
}

/// A case that was drawn again to meet a goal is as stable as any other: its id gives the same case in a fresh thread,
/// its choices replay it, and the cases that a cell does not have in `ci` are first draws.
#[test]
fn cases_that_are_drawn_again_are_stable() {
    let (mut again, mut of) = (0, 0);
    for cell in cells().into_iter().filter(|cell| cell.version.id.name == "ReduceMax") {
        let in_ci = cell.share_of(CASES);
        for index in 0..in_ci + 8 {
            of += 1;
            let case = cell.case(None, index, 0).unwrap();
            if Some(&case) == cell.first_draw(None, index, 0).as_ref() {
                continue;
            }
            again += 1;
            assert!(index < in_ci, "{}", case.id);
            let id = case.id.clone();
            let elsewhere = std::thread::spawn(move || case_of(&id).unwrap()).join().unwrap();
            assert_eq!(elsewhere, case);
            let replayed = case.with_choices(case.choices.clone());
            assert_eq!(replayed.as_ref(), Some(&case));
        }
    }
    assert!(0 < again && 4 * again < of, "{again} of {of} cases are drawn again, expected some, and few");
}

/// In first draws, a set of bool is first empty in case 56 of the cell.
#[test]
fn the_largest_and_smallest_of_an_empty_set_of_bool_are_drawn() {
    for name in ["ReduceMax-20/T=bool", "ReduceMin-20/T=bool"] {
        let cell = cells().into_iter().find(|cell| cell.to_string() == name).unwrap();
        let mut cases = (0..cell.share_of(CASES)).filter_map(|index| cell.case(None, index, 0));
        assert!(cases.any(|case| case.features.iter().any(|feature| feature == "an empty set")), "{name}");
    }
}

/// Writes `generators/goals.toml`: the goals of all operators or, with `PLUMBLINE_OP`, those of one operator anew.
fn write() {
    let oracle = Oracle::default();
    let of_cell = |cell: &Cell| {
        let mut all: BTreeSet<String> = BTreeSet::new();
        for seed in 0..SEEDS {
            for index in 0..cell.share_of(CASES) {
                let case = match seed % 2 {
                    0 => cell.first_draw(None, index, seed),
                    _ => cell.nth_draw(index, seed, 1),
                };
                let Some(case) = case else {
                    eprintln!("{cell}/{index}@{seed}: declined");
                    continue;
                };
                match oracle.evaluate(&case.model, &case.inputs) {
                    Ok(evaluation) => all.extend(met(cell, &case, &evaluation)),
                    Err(refusal) => eprintln!("{}: {refusal}", case.id),
                }
            }
        }
        all
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generators/goals.toml");
    let before = std::fs::read_to_string(&path).unwrap();
    let block = |block: &str| Some((block.split_once("\"]")?.0.to_owned(), format!("\n[\"{block}")));
    let mut blocks: BTreeMap<String, String> = before.split("\n[\"").skip(1).filter_map(block).collect();
    let known: BTreeSet<String> = cells().iter().map(|cell| cell.version.id.qualified_name()).collect();
    blocks.retain(|operator, _| known.contains(operator));
    let all = selected_cells();
    let found: Vec<BTreeSet<String>> = all.par_iter().map(of_cell).collect();
    let mut operators: BTreeMap<String, Vec<(&Cell, BTreeSet<String>)>> = BTreeMap::new();
    for (cell, goals) in all.iter().zip(found) {
        operators.entry(cell.version.id.qualified_name()).or_default().push((cell, goals));
    }
    for (operator, cells) in &operators {
        let names: BTreeSet<&String> = cells.iter().flat_map(|(_, goals)| goals).collect();
        let mut by_key: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for name in names {
            by_key.entry(key(cells, name)).or_default().push(name);
        }
        let mut text = format!("\n[{operator:?}]\n");
        for (key, names) in by_key {
            text += &format!("{key:?} = [\n");
            names.iter().for_each(|name| text += &format!("  {name:?},\n"));
            text += "]\n";
        }
        blocks.insert(operator.clone(), text);
    }
    let text: String = std::iter::once(HEAD.to_owned()).chain(blocks.into_values()).collect();
    std::fs::write(path, text).unwrap();
}

/// Returns the key for the cells of an operator that have this goal.
fn key(cells: &[(&Cell, BTreeSet<String>)], goal: &str) -> String {
    let has = |(_, goals): &&(&Cell, BTreeSet<String>)| goals.contains(goal);
    if cells.iter().all(|cell| has(&cell)) {
        return "*".to_owned();
    }
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    let mut add = |types: String, since: u32| match parts.iter_mut().find(|(other, _)| *other == types) {
        Some((_, versions)) => versions.push(since.to_string()),
        None => parts.push((types, vec![since.to_string()])),
    };
    let versions: BTreeSet<u32> = cells.iter().map(|(cell, _)| cell.version.since()).collect();
    for since in versions {
        let of_version = || cells.iter().filter(move |(cell, _)| cell.version.since() == since);
        if of_version().all(|cell| has(&cell)) {
            add(String::new(), since);
            continue;
        }
        let mut types: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (cell, _) in of_version().filter(has) {
            let Some((variable, type_)) = &cell.bound else { continue };
            types.entry(variable).or_default().push(short_type(&type_.to_string()));
        }
        types.into_iter().for_each(|(variable, types)| add(format!("/{variable}={}", types.join("|")), since));
    }
    let parts: Vec<String> =
        parts.into_iter().map(|(types, versions)| format!("{}{types}", versions.join(","))).collect();
    parts.join(" ")
}
