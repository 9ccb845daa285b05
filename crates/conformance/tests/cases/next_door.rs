//! Checks that negative cases are close to valid ones, so that a backend with a bound that is off by one is caught.
//!
//! A backend with a bound that is too lenient by one still refuses every case that is off by two, so only a case that
//! is off by one reveals it. The twin of a case says how far off the case is: by how much a single number has to change
//! to make the case valid. `PLUMBLINE_OP=Min` restricts the test to one operator.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_conformance::twin::Twin;
use plumbline_generator::{Cell, cells};
use plumbline_spec::Label;
use plumbline_spec::Spec;
use rayon::prelude::*;

/// The largest number of cells that are checked for each constraint, and the number of cases for each cell. The cells
/// belong to the newest version of the operator that has the constraint.
const CELLS: usize = 4;
const CASES: u64 = 12;
/// At least this many constraints must have a case that violates them by just one.
const FLOOR: usize = 365;

/// The words with which a twin describes one more axis.
const AN_AXIS: &str = "with one more axis at";

/// A constraint of an operator, and cells that have it.
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
    /// Looks at the first cases that violate the constraint. For each case that a single number makes invalid, returns
    /// what this number is, and by how much it has to change.
    fn distances(&self) -> Vec<(String, i128)> {
        let cases = self.cells.iter().flat_map(|cell| (0..CASES).filter_map(|i| cell.case(Some(self.label), i, 0)));
        let distance = |twin: Twin| Some((subject(&twin.change), twin.distance?));
        cases.filter_map(|case| distance(Twin::find(&case)?)).collect()
    }

    /// Returns whether the constraint's text limits a number at both ends: `lies in [-rank, rank - 1]`.
    fn has_two_ends(&self) -> bool {
        ["lies in [", "lie in ["].iter().any(|words| self.text.contains(words))
    }
}

/// Returns what is changed, without its index and value: `axis` of `axis 4 -> 3`.
fn subject(change: &str) -> String {
    change.split(|c: char| c.is_ascii_digit() || c == '-' || c == '[').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn negative_cases_violate_constraints_by_one() {
    let constraints = constraints();
    let found: Vec<(&Constraint, Vec<(String, i128)>)> =
        constraints.par_iter().map(|constraint| (constraint, constraint.distances())).collect();
    let mut by_least: BTreeMap<u128, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (constraint, distances) in found.iter().filter(|(_, distances)| !distances.is_empty()) {
        let least = distances.iter().map(|(_, d)| d.unsigned_abs()).min().unwrap();
        *by_least.entry(least).or_default() += 1;
        if least > 1 {
            wrong.push(format!("{}: no case is off by less than {least}: {distances:?}", constraint.name));
        }
        // Each end of a range needs a case that is off by one. At the lower end, the number is one too low. At the
        // upper end, the number is one too high, or the extent that limits it is one too small.
        let ends: BTreeSet<&(String, i128)> = distances.iter().filter(|(_, d)| d.unsigned_abs() == 1).collect();
        // One more axis repairs a violation at either end of a range that depends on the rank.
        let by_rank = distances.iter().any(|(change, _)| change.ends_with(AN_AXIS));
        if constraint.has_two_ends() && ends.len() < 2 && !by_rank {
            wrong.push(format!("{}: one end of the range has no case off by one: {distances:?}", constraint.name));
        }
    }
    println!("numbers of constraints by the distance of their nearest case: {by_least:?}");
    assert!(wrong.is_empty(), "{} constraints lack a case next to their bound:\n{}", wrong.len(), wrong.join("\n"));
    let near = by_least.get(&1).copied().unwrap_or(0);
    assert!(
        std::env::var_os("PLUMBLINE_OP").is_some() || near >= FLOOR,
        "only {near} constraints are violated by one, expected {FLOOR} or more"
    );
}
