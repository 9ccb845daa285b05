//! Checks a law of backends that flush subnormal numbers: the oracle accepts the answer to the inputs with zeros in
//! place of subnormal numbers, the answer with such zeros, and both.

use plumbline_generator::{Case, Cell};
use plumbline_oracle::{Expected, Judged, Operand, Oracle, Policy};
use plumbline_spec::Numerics;
use plumbline_tensor::{Tensor, Value};
use rayon::prelude::*;

use crate::sampled_cells;

/// The number of cases for each cell.
const CASES: u64 = 12;

/// Operators that compute each element of their output from single elements of their inputs.
const OPERATORS: [&str; 60] = [
    "Acos",
    "Acosh",
    "Add",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Cosh",
    "Div",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "Greater",
    "GreaterOrEqual",
    "HardSigmoid",
    "HardSwish",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "Max",
    "Mean",
    "Min",
    "Mish",
    "Mod",
    "Mul",
    "Neg",
    "PRelu",
    "Pow",
    "Reciprocal",
    "Relu",
    "Round",
    "Selu",
    "Shrink",
    "Sigmoid",
    "Sign",
    "Sin",
    "Sinh",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Sub",
    "Sum",
    "SwiGLU",
    "Swish",
    "Tan",
    "Tanh",
    "ThresholdedRelu",
    "Abs",
    "Cast",
    "CumSum",
    "ReduceMax",
    "ReduceMin",
];

/// Returns the tensor with zeros in place of subnormal numbers of 16 bits and more; `None` if it has none.
fn flushed(tensor: &Tensor) -> Option<Tensor> {
    if tensor.dtype().size() < 2 {
        return None;
    }
    let least = tensor.dtype().float_format()?.min_normal();
    let is_subnormal = |x: f64| x != 0.0 && x.abs() < least;
    let values = tensor.to_f64s();
    values.iter().any(|&x| is_subnormal(x)).then(|| {
        let flushed: Vec<f64> = values.iter().map(|&x| if is_subnormal(x) { 0f64.copysign(x) } else { x }).collect();
        Tensor::from_f64s(tensor.dtype(), tensor.shape().to_vec(), &flushed).expect("the shape did not change")
    })
}

/// Returns the elements of the answers that are refused, in words.
fn refused(case: &Case, policy: &Policy) -> Vec<String> {
    let (plain, flushing) = (Oracle::default(), Oracle::new(policy.clone()));
    let Ok(accepted) = flushing.evaluate(&case.model, &case.inputs) else { return vec![] };
    if !accepted.others.is_empty() {
        return vec![];
    }
    let of_tensor = |value: &Value| match value {
        Value::Tensor(tensor) => flushed(tensor).map_or_else(|| value.clone(), Value::from),
        other => other.clone(),
    };
    let inputs: Vec<Value> = case.inputs.iter().map(of_tensor).collect();
    let mut lines = Vec::new();
    for (inputs, word) in [(&case.inputs, "as they are"), (&inputs, "flushed")] {
        let Ok(outputs) = plain.answer(&case.model, inputs) else { continue };
        for (output, expected) in outputs.iter().zip(&accepted.outputs) {
            let (Operand::Tensor(output), Operand::Tensor(expected)) = (output, expected) else { continue };
            if expected.random.is_some() || output.shape() != expected.shape() {
                continue;
            }
            let tensors = [Some(output.tensor.clone()), flushed(&output.tensor)];
            for (tensor, of) in tensors.iter().zip(["", " flushed"]).filter_map(|(t, of)| Some((t.as_ref()?, of))) {
                let wrong = |i: &usize| is_wrong(expected, tensor, *i);
                lines.extend((0..tensor.len()).find(wrong).map(|i| {
                    let (value, describe) = (tensor.element_text(i), expected.describe(i));
                    format!("{}: inputs {word}: {value}{of}, but {describe}", case.id)
                }));
            }
        }
    }
    lines
}

fn is_wrong(expected: &Expected, tensor: &Tensor, i: usize) -> bool {
    expected.judge(tensor, i) == Judged::Wrong
}

#[test]
fn flushed_inputs_and_outputs_are_accepted() {
    let policy = Policy::new(&Numerics { flush_subnormals: true, ..Numerics::default() }).unwrap();
    let of_cell = |cell: &Cell| {
        let cases = (0..CASES).filter_map(|index| cell.case(None, index, 2));
        cases.flat_map(|case| refused(&case, &policy)).collect::<Vec<_>>()
    };
    let cells = sampled_cells();
    let checked = cells.par_iter().filter(|cell| OPERATORS.contains(&cell.version.id.name.as_str()));
    let lines: Vec<String> = checked.flat_map_iter(of_cell).collect();
    assert!(
        lines.is_empty(),
        "{} answers are refused, among them:\n{}",
        lines.len(),
        lines[..lines.len().min(40)].join("\n")
    );
}
