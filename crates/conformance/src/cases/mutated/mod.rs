//! The suite `mutated`: generated cases whose structure and attributes are changed at random.
//!
//! A recipe draws valid cases, or cases that violate a constraint that somebody wrote down. Neither kind covers what
//! nobody thought of. This suite takes a valid case, changes one to three things of it and sometimes the graph around
//! its node, without regard for the operator, and asks the oracle what the result is: valid, so that a backend has to
//! answer it; invalid, so that a backend has to refuse it; or open, so that a backend only must not crash, hang or
//! answer with something unusable. The twin of an invalid case is the case that it was made from.
//!
//! A case is defined by its id: `mutated/Min-13/T=float/3@0` is mutated case 3 of seed 0 of a cell. The id determines
//! which valid case of the cell is changed, and how.

mod attributes;
mod inputs;
mod structure;

use plumbline_generator::{Case, Cell, Choices, Form, Origin, PlanError, parse_id};
use plumbline_judge::hash;
use plumbline_oracle::{Oracle, exceeds_limits};

use crate::cases::edit::{Around, Edit};
use crate::cases::scene::Scene;

/// The name of the suite. The ids of its cases begin with it.
pub const SUITE: &str = "mutated";

/// Only the first `BASES` valid cases of a cell are changed.
const BASES: u64 = 24;
/// The largest number of draws that are tried to find a valid case of the usual size.
const TRIES_FOR_BASE: usize = 12;
/// The largest number of changes that are tried until one is made. Many do not apply to a case.
const TRIES_FOR_CHANGE: usize = 24;
/// The number of changes of a case is drawn from these entries, which are equally likely.
const COUNTS: [usize; 6] = [1, 1, 1, 2, 2, 3];

/// Draws a change of one thing, which may need several edits. Returns `None` if it cannot change this scene.
type Change = fn(&Scene, &mut Choices) -> Option<Vec<Edit>>;

/// The changes of one thing, each as likely as its weight.
const CHANGES: [(u64, Change); 17] = [
    (10, attributes::value),
    (2, attributes::dropped),
    (2, attributes::of_another_type),
    (1, attributes::unknown),
    (1, attributes::of_another_version),
    (2, inputs::left_out),
    (1, inputs::one_more),
    (2, inputs::swapped),
    (2, inputs::of_another_type),
    (2, inputs::all_of_another_type),
    (4, inputs::of_another_rank),
    (4, inputs::of_another_extent),
    (4, inputs::with_another_element),
    (1, inputs::with_other_items),
    (1, structure::output_left_out),
    (1, structure::output_added),
    (2, structure::moved_to_another_opset),
];

/// The changes of the graph around the node.
const SURROUNDINGS: [Around; 3] = [Around::If, Around::Twice, Around::Chained];

/// The graph around the node is changed as well in one of this many cases, on average.
const ONE_IN_SURROUNDINGS: u64 = 6;

/// Draws mutated case `index` of a cell. Returns `None` if the cell has no valid case to change, if no change applies
/// to the case, or if the changed model exceeds the limits of the oracle, as a loop without an end does.
pub fn draw(cell: &Cell, index: u64, seed: u64) -> Option<Case> {
    let id = format!("{SUITE}/{}", cell.case_id(None, index, seed));
    let mut choices = Choices::random(hash(&id));
    let base = base(cell, seed, &mut choices)?;
    let mut scene = Scene::new(&base, cell.version);
    let mut changes = Vec::new();
    for _ in 0..COUNTS[choices.below(COUNTS.len() as u64) as usize] {
        changes.extend(changed(&mut scene, &mut choices).unwrap_or_default());
    }
    declare_outputs(&mut scene)?;
    if choices.below(ONE_IN_SURROUNDINGS) == 0 || changes.is_empty() {
        let start = choices.below(SURROUNDINGS.len() as u64) as usize;
        let mut others = SURROUNDINGS[start..].iter().chain(&SURROUNDINGS[..start]);
        let around = others.find_map(|around| attempt(&[Edit::Around(*around)], &mut scene));
        changes.extend(around.unwrap_or_default());
        declare_outputs(&mut scene)?;
    }
    let without_form = base.features.iter().filter(|feature| !feature.starts_with("form "));
    let features = without_form.cloned().collect();
    let Scene { model, inputs, version } = scene;
    let form = Form::AsDrawn;
    if changes.is_empty() {
        return None;
    }
    let place = cell.place(index, seed);
    let origin = Origin::Mutated { place, base: Box::new(base.clone()), changes };
    Some(Case { id, version: version.id.clone(), model, inputs, features, form, origin, ..base })
}

/// Draws the case with this id.
///
/// # Errors
/// [`PlanError`] if the id cannot be parsed, or if it names something that does not exist.
pub fn case_of(id: &str) -> Result<Case, PlanError> {
    let (cell, index, seed) = parsed(id)?;
    let nothing = "there is no valid case to change, no change applies, or the model exceeds a limit of the oracle";
    draw(&cell, index, seed).ok_or_else(|| PlanError::Unknown(format!("{id}: {nothing}")))
}

/// Returns whether this is the id of a mutated case.
pub fn is_id(id: &str) -> bool {
    id.split_once('/').is_some_and(|(suite, _)| suite == SUITE)
}

fn parsed(id: &str) -> Result<(Cell, u64, u64), PlanError> {
    let bad = || PlanError::Id(id.to_owned());
    let (suite, rest) = id.split_once('/').ok_or_else(bad)?;
    match parse_id(rest)? {
        (cell, None, index, seed) if suite == SUITE => Ok((cell, index, seed)),
        _ => Err(bad()),
    }
}

/// Draws the valid case that is changed, one of the usual size if possible.
fn base(cell: &Cell, seed: u64, choices: &mut Choices) -> Option<Case> {
    let mut drawn = None;
    for _ in 0..TRIES_FOR_BASE {
        let index = choices.below(BASES);
        drawn = Some(index);
        if cell.is_small(index) {
            break;
        }
    }
    cell.first_draw(None, drawn?, seed)
}

/// Makes one change, and says what was changed.
fn changed(scene: &mut Scene, choices: &mut Choices) -> Option<Vec<String>> {
    let all: u64 = CHANGES.iter().map(|(weight, _)| weight).sum();
    for _ in 0..TRIES_FOR_CHANGE {
        let mut left = choices.below(all);
        let chosen = CHANGES.iter().find(|(weight, _)| {
            let found = left < *weight;
            left = left.saturating_sub(*weight);
            found
        });
        let edits = chosen.and_then(|(_, change)| change(scene, choices));
        if let Some(told) = edits.and_then(|edits| attempt(&edits, scene)) {
            return Some(told);
        }
    }
    None
}

/// Makes the edits if they apply and really change something, and says what each of them changed.
fn attempt(edits: &[Edit], scene: &mut Scene) -> Option<Vec<String>> {
    let mut other = scene.clone();
    let mut told = Vec::new();
    for edit in edits {
        told.push(edit.describe(&other));
        edit.apply(&mut other)?;
    }
    if other.model == scene.model && other.inputs == scene.inputs {
        return None;
    }
    *scene = other;
    Some(told)
}

/// Declares the outputs with the types of the oracle's answer, because the declaration is not what is tested. Changes
/// nothing if the oracle refuses. Returns `None` if the model exceeds the limits of the oracle.
fn declare_outputs(scene: &mut Scene) -> Option<()> {
    let answer = match Oracle::default().answer(&scene.model, &scene.inputs) {
        Err(refusal) if exceeds_limits(&refusal) => return None,
        answer => answer.unwrap_or_default(),
    };
    let outputs = scene.graph_mut().into_iter().flat_map(|graph| &mut graph.output);
    for (output, operand) in outputs.zip(&answer) {
        let name = output.name.clone().unwrap_or_default();
        *output = plumbline_generator::value_info(&name, &operand.kind(), None);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use plumbline_generator::cells;

    use super::*;

    #[test]
    fn every_change_applies_to_some_case() {
        let cells: Vec<Cell> = cells().into_iter().step_by(23).collect();
        for (at, (_, change)) in CHANGES.iter().enumerate() {
            let applies = cells.iter().enumerate().any(|(number, cell)| {
                let mut choices = Choices::random(number as u64);
                let Some(base) = cell.first_draw(None, 0, 0) else { return false };
                let mut scene = Scene::new(&base, cell.version);
                change(&scene, &mut choices).is_some_and(|edits| attempt(&edits, &mut scene).is_some())
            });
            assert!(applies, "change {at} of the table applies to no case");
        }
    }
}
