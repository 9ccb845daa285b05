//! Checks that the sizes of real models occur: every operator that can have a row of more than 1,024 elements or an
//! empty extent gets one. Also checks that the cases drawn for this are not larger than a run can afford.
//! `PLUMBLINE_OP=Min` looks at one operator only.

use std::collections::BTreeSet;

use plumbline_generator::{Case, Cell};
use plumbline_oracle::Oracle;
use plumbline_tensor::{Tensor, Value};
use rayon::prelude::*;

use crate::by_operator;

/// The number of cases per cell among which an operator's sizes have to occur.
const CASES: u64 = 64;
/// The number of cases per cell whose outputs are searched for a long row, if no input has one.
const TRIED: u64 = 130;
/// The largest number of elements that the inputs of a case may have together.
const MOST_ELEMENTS: usize = 1 << 19;

const ROW: &str = "an extent beyond 1,024";
const EMPTY: &str = "empty extent";

fn elements(value: &Value) -> usize {
    match value {
        Value::Tensor(tensor) => tensor.len(),
        Value::Sequence { items, .. } | Value::Map { items, .. } => items.iter().map(elements).sum(),
        Value::Optional { item, .. } => item.iter().map(|item| elements(item)).sum(),
        Value::SparseTensor(tensor) => tensor.shape().iter().product(),
    }
}

/// Returns whether an output of this case has an extent beyond 1,024. `None` if no output is a tensor.
fn makes_a_row(oracle: &Oracle, case: &Case) -> Option<bool> {
    let answer = oracle.answer(&case.model, &case.inputs).unwrap();
    let shapes = answer.iter().filter_map(|output| output.tensor().ok()).map(|output| output.shape());
    shapes.map(|shape| shape.iter().any(|&extent| extent > 1024)).reduce(|one, other| one || other)
}

/// Returns whether the operator accepts this case with an empty axis in one of its inputs.
fn accepts_empty_axis(oracle: &Oracle, case: &Case) -> bool {
    let emptied = |at: usize, axis: usize| {
        let tensor = case.inputs[at].as_tensor()?;
        let mut shape = tensor.shape().to_vec();
        shape[axis] = 0;
        let mut inputs = case.inputs.clone();
        inputs[at] = Tensor::zeros(tensor.dtype(), shape).ok()?.into();
        Some(oracle.answer(&case.model, &inputs).is_ok())
    };
    let ranks = case.inputs.iter().map(|input| input.as_tensor().map_or(0, Tensor::rank));
    ranks
        .enumerate()
        .flat_map(|(at, rank)| (0..rank).map(move |axis| (at, axis)))
        .any(|(at, axis)| emptied(at, axis) == Some(true))
}

fn drawn(cells: &[Cell], cases: u64) -> impl Iterator<Item = Case> {
    (0..cases).flat_map(move |index| cells.iter().filter_map(move |cell| cell.case(None, index, 5)))
}

#[test]
fn operators_get_long_rows_and_empty_extents() {
    let oracle = Oracle::default();
    let missing = |(name, cells): (&String, &Vec<Cell>)| -> Vec<String> {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut tensors = false;
        for case in drawn(cells, CASES) {
            let held: usize = case.inputs.iter().map(elements).sum();
            assert!(
                held <= MOST_ELEMENTS,
                "{}: the case has {held} elements, at most {MOST_ELEMENTS} are allowed",
                case.id
            );
            tensors |= case.inputs.iter().any(|input| input.as_tensor().is_some_and(|tensor| tensor.rank() > 0));
            reached.extend([ROW, EMPTY].into_iter().filter(|size| case.features.iter().any(|f| f == size)));
            if reached.len() == 2 {
                return vec![];
            }
        }
        let mut lacks = Vec::new();
        // An operator that takes only scalars and attributes may still produce a long row.
        if !reached.contains(ROW) {
            let made: BTreeSet<bool> = drawn(cells, TRIED).filter_map(|case| makes_a_row(&oracle, &case)).collect();
            if tensors && made.is_empty() || made == BTreeSet::from([false]) {
                lacks.push(format!("{name}: no case has {ROW}"));
            }
        }
        // An operator that refuses an empty axis in each of its inputs need not get one.
        let few = &cells[..cells.len().min(8)];
        if !reached.contains(EMPTY) && tensors && drawn(few, 8).any(|case| accepts_empty_axis(&oracle, &case)) {
            lacks.push(format!("{name}: no case has an {EMPTY}"));
        }
        lacks
    };
    let operators = by_operator();
    let lacking: Vec<String> = operators.par_iter().flat_map(missing).collect();
    println!("{} operators, of which {} lack a size", operators.len(), lacking.len());
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}
