//! Negative cases lie next door to valid ones: a backend whose bound is off by one is caught.
//!
//! A backend that allows one more than a constraint does refuses every case that is two off, so only a case that is one off shows it. How far off a
//! case is follows from its twin: the number that makes the difference, and by how much. `PLUMBLINE_OP=Min` looks at one operator only.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::{BTreeMap, BTreeSet};

use plumbline_conformance::twin::Twin;
use plumbline_generator::{Cell, cells};
use plumbline_spec::Label;
use plumbline_spec::Spec;
use rayon::prelude::*;

/// Cells of a constraint that are looked at, from its newest version on, and first cases of each.
const CELLS: usize = 4;
const CASES: u64 = 12;
/// How many of the constraints that bound a number are violated by one, at least.
const FLOOR: usize = 365;

/// How the change of a rank is told.
const AN_AXIS: &str = "with one more axis at";

/// A constraint of an operator, and its cells.
struct Constraint {
    name: String,
    label: Label,
    text: String,
    cells: Vec<Cell>,
}

fn constraints() -> Vec<Constraint> {
    let only = std::env::var("PLUMBLINE_OP").ok();
    let mut found: BTreeMap<(String, Label), Vec<Cell>> = BTreeMap::new();
    for cell in cells().into_iter().filter(|c| only.as_ref().is_none_or(|o| *o == c.version.id.name)) {
        let id = &cell.version.id;
        for label in cell.negatives() {
            found.entry((format!("{}.{}", id.domain, id.name), label)).or_default().push(cell.clone());
        }
    }
    let text = |cell: &Cell, label: Label| {
        let operator = Spec::embedded().operator(&cell.version.id.domain, &cell.version.id.name).unwrap();
        operator.rules.as_ref().unwrap().constraint(&label.to_string(), cell.version.since()).unwrap().text.clone()
    };
    let constraint = |((operator, label), mut cells): ((String, Label), Vec<Cell>)| {
        let newest = cells.iter().map(|c| c.version.since()).max().unwrap();
        cells.retain(|c| c.version.since() == newest);
        let step = cells.len().div_ceil(CELLS);
        let text = text(&cells[0], label);
        let cells = cells.into_iter().step_by(step).collect();
        Constraint { name: format!("{operator} {label}"), label, text, cells }
    };
    found.into_iter().map(constraint).collect()
}

impl Constraint {
    /// How far off its first cases are, where a number makes the difference, and which number that is.
    fn distances(&self) -> Vec<(String, i128)> {
        let cases = self.cells.iter().flat_map(|cell| (0..CASES).filter_map(|i| cell.case(Some(self.label), i, 0)));
        let distance = |twin: Twin| Some((subject(&twin.change), twin.distance?));
        cases.filter_map(|case| distance(Twin::of(&case)?)).collect()
    }

    /// Whether its sentence gives a number two ends: `lies in [-rank, rank - 1]`.
    fn has_two_ends(&self) -> bool {
        ["lies in [", "lie in ["].iter().any(|words| self.text.contains(words))
    }
}

/// What is changed, without its place and value: `axis` of `axis 4 -> 3`.
fn subject(change: &str) -> String {
    change.split(|c: char| c.is_ascii_digit() || c == '-' || c == '[').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn a_bound_that_is_off_by_one_is_caught() {
    let constraints = constraints();
    let found: Vec<(&Constraint, Vec<(String, i128)>)> =
        constraints.par_iter().map(|constraint| (constraint, constraint.distances())).collect();
    let mut by_least: BTreeMap<u128, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (constraint, distances) in found.iter().filter(|(_, distances)| !distances.is_empty()) {
        let least = distances.iter().map(|(_, d)| d.unsigned_abs()).min().unwrap();
        *by_least.entry(least).or_default() += 1;
        if least > 1 {
            wrong.push(format!("{}: never less than {least} off: {distances:?}", constraint.name));
        }
        // A number that is one too low, and one that is one too high (or whose bound is one too low).
        let ends: BTreeSet<&(String, i128)> = distances.iter().filter(|(_, d)| d.unsigned_abs() == 1).collect();
        // One more axis mends either end of a range that follows the rank.
        let by_rank = distances.iter().any(|(change, _)| change.ends_with(AN_AXIS));
        if constraint.has_two_ends() && ends.len() < 2 && !by_rank {
            wrong.push(format!("{}: not one off at either end of its range: {distances:?}", constraint.name));
        }
    }
    println!("constraints by how far off the nearest case is: {by_least:?}");
    assert!(wrong.is_empty(), "{} constraints:\n{}", wrong.len(), wrong.join("\n"));
    let near = by_least.get(&1).copied().unwrap_or(0);
    assert!(std::env::var_os("PLUMBLINE_OP").is_some() || near >= FLOOR, "{near} constraints are violated by one");
}
