//! The suite `graphs`: typed graphs of many nodes, put together from the cases that recipes draw.
//!
//! What breaks between nodes (a fusion, a folded constant, a plan for memory) shows in no case of a single node. A graph
//! of this suite begins with the case of a cell. Further cases are drawn for operators of the same opset, and their
//! inputs are taken from values that earlier nodes compute, directly if that is valid, otherwise made to fit by nodes of
//! ONNX's own operators. The oracle computes each part as it is added: a part that it refuses, or whose answer leaves
//! too much open, is drawn again, so every graph is valid and most of its elements are decided.
//!
//! A case is defined by its id: `graphs/Min-13/T=float/3@0` is graph 3 of seed 0 that begins with a node of this cell.

mod fit;
mod grow;
mod menu;
mod part;
mod sketch;
mod structure;

use plumbline_generator::{Case, Cell, Choices, Form, Origin, PlanError, parse_id};
use plumbline_judge::hash;
use plumbline_spec::OperatorId;

#[cfg(test)]
use self::sketch::decided;

/// The name of the suite. The ids of its cases begin with it.
pub const SUITE: &str = "graphs";

/// The oldest opset of `ai.onnx` in which graphs are drawn. Before it, broadcasting follows other rules.
pub const OLDEST_OPSET: u32 = 7;

/// The numbers of nodes that a graph may have, before nodes are added that make values fit. Each row is as likely as the
/// others.
const NODES: [std::ops::RangeInclusive<u64>; 8] = [2..=3, 2..=4, 3..=6, 4..=8, 5..=8, 6..=10, 8..=14, 12..=40];

/// A graph has a form of its own (see [`Form`]) once in this many times.
const ONE_IN_FORMS: u64 = 2;

/// The forms that a graph may have. The others are about a single node.
const FORMS: [Form; 5] =
    [Form::Initializers, Form::DefaultInputs, Form::Weights, Form::ConstantNodes, Form::SymbolicExtents];

/// Draws graph `index` that begins with a node of this cell. Returns `None` if the cell belongs to no opset from
/// [`OLDEST_OPSET`] on, or if no case of the cell can begin a graph.
pub fn draw(cell: &Cell, index: u64, seed: u64) -> Option<Case> {
    let id = format!("{SUITE}/{}", cell.case_id(None, index, seed));
    let mut choices = Choices::random(hash(&id));
    let rows = &NODES[choices.below(NODES.len() as u64) as usize];
    let count = rows.start() + choices.below(rows.end() - rows.start() + 1);
    let drawn = grow::grown(cell, count as usize, &mut choices)?;
    let mut case = Case {
        id,
        version: OperatorId::new("", "graph", 0),
        types: Default::default(),
        model: drawn.model,
        inputs: drawn.inputs,
        features: drawn.features,
        violates: None,
        origin: Origin::Graph { index, seed },
        form: Form::AsDrawn,
        choices: Default::default(),
    };
    if choices.below(ONE_IN_FORMS) == 1 {
        let form = FORMS[choices.below(FORMS.len() as u64) as usize];
        if case.forms().contains(&form) {
            case.form = form;
        }
    }
    case.features.push(case.form.feature());
    Some(case)
}

/// Returns whether graphs can begin with a node of this cell.
pub fn has_graphs(cell: &Cell) -> bool {
    menu::opsets(cell.version).is_some()
}

/// Draws the case with this id.
///
/// # Errors
/// [`PlanError`] if the id cannot be parsed, or if it names something that does not exist.
pub fn case_of(id: &str) -> Result<Case, PlanError> {
    let bad = || PlanError::Id(id.to_owned());
    let (suite, rest) = id.split_once('/').ok_or_else(bad)?;
    match parse_id(rest)? {
        (cell, None, index, seed) if suite == SUITE => draw(&cell, index, seed)
            .ok_or_else(|| PlanError::Unknown(format!("{id}: no graph begins with a node of this cell"))),
        _ => Err(bad()),
    }
}

/// Returns whether this is the id of a graph.
pub fn is_id(id: &str) -> bool {
    id.split_once('/').is_some_and(|(suite, _)| suite == SUITE)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use std::collections::BTreeMap;

    use plumbline_generator::cells;
    use plumbline_oracle::Oracle;

    use super::*;

    #[test]
    fn stats() {
        let cells: Vec<Cell> = cells().into_iter().filter(has_graphs).collect();
        let start = std::time::Instant::now();
        let mut drawn = vec![];
        let mut none = BTreeMap::<String, u64>::new();
        for (at, cell) in cells.iter().enumerate() {
            let made = std::panic::catch_unwind(|| draw(cell, at as u64, 0));
            match made.unwrap_or_default() {
                Some(case) => drawn.push(case),
                None => *none.entry(cell.version.id.to_string()).or_default() += 1,
            }
        }
        println!("{} of {} drawn in {:?}", drawn.len(), cells.len(), start.elapsed());
        println!("none: {none:?}");
        let (mut features, mut elements, mut all, mut nodes) = (BTreeMap::<String, u64>::new(), 0, 0, 0);
        let start = std::time::Instant::now();
        let mut bad = 0;
        for case in &drawn {
            nodes += case.model.graph().node.len();
            case.features.iter().for_each(|f| *features.entry(f.clone()).or_default() += 1);
            match Oracle::default().evaluate(&case.model, &case.inputs) {
                Ok(evaluation) => {
                    for operand in &evaluation.outputs {
                        if let Ok(tensor) = operand.tensor() {
                            let (some, of) = decided(tensor);
                            elements += some;
                            all += of;
                        }
                    }
                }
                Err(refusal) => {
                    bad += 1;
                    if bad < 10 {
                        println!("{}: {refusal}\n{}", case.id, case.model)
                    }
                }
            }
        }
        println!("{nodes} nodes, oracle {:?}; {elements} of {all} decided, {bad} refused", start.elapsed());
        for (feature, count) in &features {
            println!("{count:6} {feature}");
        }
        for case in drawn.iter().step_by(997) {
            println!("{}\n{}", case.id, case.model);
        }
    }
}
