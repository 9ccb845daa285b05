//! Windows for signals, as sums of cosines: BlackmanWindow, HammingWindow, HannWindow.

use std::f64::consts::TAU;

use plumbline_tensor::DType;

use super::make::allowed;
use super::resize::{floats, from_floats};
use crate::array::{Array, affordable};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("BlackmanWindow", |node| window(node, [0.42, 0.5, 0.08])),
    ("HammingWindow", |node| window(node, [25.0 / 46.0, 21.0 / 46.0, 0.0])),
    ("HannWindow", |node| window(node, [0.5, 0.5, 0.0])),
];

/// Returns the only number of an input, which must be positive.
pub fn length(array: &Array) -> Result<usize, Refusal> {
    match floats(array)?[..] {
        [number] if number >= 1.0 => Ok(number as usize),
        _ => Err(Refusal::invalid(format!(
            "an input of shape {:?} is not exactly one number that is at least 1",
            array.shape()
        ))),
    }
}

/// Returns the element type that `output_datatype` names. The type variable of the operator version must allow it.
pub fn output_type(node: &Node, variable: &str) -> Result<DType, Refusal> {
    let code = node.int("output_datatype");
    let dtype = DType::from_code(code);
    let dtype =
        dtype.ok_or_else(|| Refusal::invalid(format!("`output_datatype` is {code}, which is not an element type")))?;
    allowed(node, variable, dtype)?;
    Ok(dtype)
}

fn window(node: &Node, [a, b, c]: [f64; 3]) -> Outputs {
    let size = length(node.input(0)?)?;
    affordable(&[size])?;
    let steps = if node.int("periodic") != 0 { size } else { size - 1 };
    let element = |n: usize| {
        let angle = TAU * n as f64 / steps as f64;
        a - b * angle.cos() + c * (2.0 * angle).cos()
    };
    let elements: Vec<f64> = (0..size).map(element).collect();
    one(from_floats(output_type(node, "T2")?, &[size], &elements)?)
}
