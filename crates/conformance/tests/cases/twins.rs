//! Checks that the first negative case of each cell and constraint has a twin that the oracle accepts, and that nearly
//! every twin differs from its case in only one or two things.

use std::collections::BTreeMap;

use plumbline_conformance::regressions::kept;
use plumbline_conformance::twin::Twin;
use plumbline_generator::{Case, Cell, cells};
use plumbline_oracle::Oracle;
use rayon::prelude::*;

/// Of 1000 checked cases, at least this many must have a twin that differs from the case in only one or two things.
const FLOOR: usize = 950;

fn cases(cell: &Cell) -> Vec<Case> {
    cell.negatives().into_iter().filter_map(|label| cell.case(Some(label), 0, 0)).collect()
}

#[test]
fn every_negative_case_has_a_twin_that_is_valid() {
    let found: Vec<(Case, Option<Twin>)> = cells()
        .par_iter()
        .flat_map_iter(|cell| cases(cell).into_iter().map(|case| (case.clone(), Twin::find(&case))))
        .collect();
    let reference = Oracle::default();
    let mut wrong = Vec::new();
    let mut far: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut near = 0;
    for (case, twin) in &found {
        let operator = || format!("{} {}", case.version.name, case.violates.map_or(String::new(), |l| l.to_string()));
        match twin {
            None => wrong.push(format!("{}: the case has no twin", case.id)),
            Some(twin) => {
                if let Err(refusal) = reference.answer(&twin.model, &twin.inputs) {
                    wrong.push(format!("{}: {}: {refusal}", case.id, twin.id));
                }
                match twin.changes {
                    Some(_) => near += 1,
                    None => {
                        let entry =
                            far.entry(operator()).or_insert_with(|| (0, format!("{}: {}", case.id, twin.change)));
                        entry.0 += 1;
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases have no valid twin, among them:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    let share = near * 1000 / found.len().max(1);
    println!("{near} of {} twins differ from their case in one or two things", found.len());
    let far: Vec<String> =
        far.into_iter().map(|(operator, (count, first))| format!("{operator}: {count}, {first}")).collect();
    assert!(
        share >= FLOOR,
        "only {near} of {} twins differ in one or two things; the others are\n{}",
        found.len(),
        far.join("\n")
    );
}

#[test]
fn kept_invalid_cases_have_a_twin_with_few_differences() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generators/regressions");
    let kept = kept(&folder).unwrap().into_iter().map(|kept| kept.case).filter(|case| case.violates.is_some());
    let twins: Vec<(String, Option<usize>)> =
        kept.map(|case| (case.id.clone(), Twin::find(&case).and_then(|twin| twin.changes))).collect();
    assert!(!twins.is_empty() && twins.iter().all(|(_, changes)| changes.is_some()), "{twins:?}");
}
