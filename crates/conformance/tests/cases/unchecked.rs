//! Checks which constraints are seen only in values: exactly those whose negative cases become valid by other elements of
//! an input that decides no shape, except for parameters that a backend reads before a kernel runs.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_generator::{Case, Cell, cells};
use plumbline_oracle::{Operand, Oracle};
use plumbline_spec::Spec;
use plumbline_tensor::{DType, Tensor, Value};
use rayon::prelude::*;

/// The number of negative cases of each constraint, and of valid cases, that are looked at in a cell.
const CASES: u64 = 12;

/// Inputs that say how an operator computes, as an attribute does. A backend reads them before a kernel runs, whether or
/// not they decide a shape in the few cases that are looked at.
const PARAMETERS: &[&str] = &["M", "axes", "axis", "frame_length", "lower_edge_hertz", "ratio", "shape"];

/// Returns the tensors that replace an input: all elements 0, 1 or a half, and what valid cases of the cell have in an
/// input of this name, type and shape.
fn others(value: &Value, name: &str, valid: &[Case]) -> Vec<Value> {
    let Value::Tensor(tensor) = value else { return vec![] };
    let filled = |x: f64| Tensor::from_f64s(tensor.dtype(), tensor.shape().to_vec(), &vec![x; tensor.len()]).ok();
    let filled = [0.0, 1.0, 0.5].into_iter().filter(|_| tensor.dtype() != DType::String).filter_map(filled);
    let named = |case: &Case| {
        let at = case.model.input_names().iter().position(|other| *other == name)?;
        let found = case.inputs.get(at)?.as_tensor()?;
        (found.dtype() == tensor.dtype() && found.shape() == tensor.shape()).then(|| found.clone())
    };
    filled.chain(valid.iter().filter_map(named)).map(Value::Tensor).collect()
}

/// Returns whether a run of the model may get other elements in every input of its node, and all of them are tensors.
fn is_open(case: &Case) -> bool {
    let graph = case.model.graph();
    let is_constant = graph.node.iter().any(|node| node.op_type.as_deref() == Some("Constant"));
    graph.initializer.is_empty() && !is_constant && case.inputs.iter().all(|value| value.as_tensor().is_some())
}

/// Returns the shapes of the oracle's outputs, or `None` if it refuses the case.
fn shapes(reference: &Oracle, case: &Case, inputs: &[Value]) -> Option<Vec<Option<Vec<usize>>>> {
    let outputs = reference.answer(&case.model, inputs).ok()?;
    let shape = |operand: &Operand| match operand {
        Operand::Tensor(expected) => Some(expected.shape().to_vec()),
        _ => None,
    };
    Some(outputs.iter().map(shape).collect())
}

/// Calls `try_inputs` with the inputs of a case, one of which is replaced, until it returns `true`. Returns the name of
/// that input.
fn find_input(case: &Case, valid: &[Case], mut try_inputs: impl FnMut(&[Value]) -> bool) -> Option<String> {
    let names = case.model.input_names();
    names.iter().enumerate().find_map(|(at, name)| {
        let value = case.inputs.get(at)?;
        let found = others(value, name, valid).into_iter().any(|other| {
            let mut inputs = case.inputs.clone();
            inputs[at] = other;
            try_inputs(&inputs)
        });
        found.then(|| (*name).to_owned())
    })
}

/// What the cases of a cell say.
#[derive(Default)]
struct Found {
    /// For each constraint, the inputs whose elements make its negative cases valid; `None` stands for a case that no
    /// input makes valid alone.
    repaired: BTreeMap<&'static str, BTreeSet<Option<String>>>,
    /// The inputs whose elements decide the shape of an output.
    decide: BTreeSet<String>,
}

fn look(cell: &Cell) -> Found {
    let reference = Oracle::default();
    let valid: Vec<Case> = (0..CASES).filter_map(|index| cell.case(None, index, 0)).filter(is_open).collect();
    let mut found = Found::default();
    for case in &valid {
        let Some(before) = shapes(&reference, case, &case.inputs) else { continue };
        for (at, name) in case.model.input_names().into_iter().enumerate() {
            let differs = |other: Value| {
                let mut inputs = case.inputs.clone();
                inputs[at] = other;
                shapes(&reference, case, &inputs).is_some_and(|after| after != before)
            };
            if !found.decide.contains(name)
                && case.inputs.get(at).is_some_and(|value| others(value, name, &valid).into_iter().any(differs))
            {
                found.decide.insert(name.to_owned());
            }
        }
    }
    for label in cell.negatives() {
        for case in (0..CASES).filter_map(|index| cell.case(Some(label), index, 0)).filter(is_open) {
            let by = find_input(&case, &valid, |inputs| shapes(&reference, &case, inputs).is_some());
            found.repaired.entry(label.name()).or_default().insert(by);
        }
    }
    found
}

#[test]
fn constraints_are_seen_in_values_exactly_if_elements_of_an_input_that_decides_no_shape_repair_them() {
    // One cell of each version: constraints do not depend on types.
    let mut seen = BTreeSet::new();
    let cells: Vec<Cell> = cells().into_iter().filter(|cell| seen.insert(cell.version.id.clone())).collect();
    let all: Vec<(&Cell, Found)> = cells.par_iter().map(|cell| (cell, look(cell))).collect();
    let (mut wrong, mut used, mut count) = (BTreeSet::new(), BTreeSet::<&&str>::new(), 0);
    for (cell, found) in &all {
        let id = &cell.version.id;
        let rules = Spec::embedded().operator(&id.domain, &id.name).and_then(|operator| operator.rules.as_ref());
        for (label, inputs) in &found.repaired {
            let is_declared = rules.is_some_and(|rules| rules.is_seen_in_values(label));
            let is_decisive = |input: &Option<String>| input.as_ref().is_some_and(|name| found.decide.contains(name));
            let in_values = !inputs.contains(&None) && !inputs.iter().any(is_decisive);
            let parameter = PARAMETERS.iter().find(|input| inputs.contains(&Some((**input).to_owned())));
            used.extend(parameter);
            count += usize::from(is_declared);
            if is_declared != (in_values && parameter.is_none()) {
                wrong.insert(format!("{id} {label}: declared {is_declared}, repaired by {inputs:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    let unused: Vec<_> = PARAMETERS.iter().filter(|parameter| !used.contains(parameter)).collect();
    assert!(unused.is_empty() && count > 30, "{count} constraints; not needed: {unused:?}");
}
