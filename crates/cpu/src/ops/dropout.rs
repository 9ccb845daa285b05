//! Dropout, which drops elements at random in training.

use plumbline_tensor::DType;

use super::quantize::numbers;
use super::resize::from_floats;
use crate::array::Array;
use crate::kernels::random::Random;
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Dropout", dropout)];

fn scalar<'a>(node: &Node<'a>, at: usize) -> Result<Option<&'a Array>, Refusal> {
    match node.optional(at)? {
        Some(array) if array.rank() != 0 => {
            Err(Refusal::invalid(format!("input {at} has shape {:?}, expected a scalar", array.shape())))
        }
        array => Ok(array),
    }
}

/// Returns the probability with which elements are dropped, or 0 if the node does not drop any.
fn share(node: &Node) -> Result<f64, Refusal> {
    let (ratio, drops) = match node.since() {
        ..7 => (f64::from(node.float("ratio")), node.int("is_test") == 0),
        7..12 => (f64::from(node.float("ratio")), false),
        _ => {
            let ratio = match scalar(node, 1)? {
                Some(ratio) => numbers(ratio)?.first().copied().unwrap_or(0.5),
                None => 0.5,
            };
            (ratio, scalar(node, 2)?.is_some_and(|mode| mode.slice::<u8>()[0] != 0))
        }
    };
    match drops {
        true if !(0.0..1.0).contains(&ratio) => {
            Err(Refusal::invalid(format!("`ratio` is {ratio}, expected a number in [0, 1)")))
        }
        true => Ok(ratio),
        false => Ok(0.0),
    }
}

/// Sets dropped elements to 0 and scales the others, so that sums keep their expected values.
fn kept(data: &Array, mask: &[u8], ratio: f64) -> Result<Array, Refusal> {
    if ratio == 0.0 {
        return Ok(data.clone());
    }
    let scaled = numbers(data)?.into_iter().zip(mask).map(|(x, &kept)| if kept == 0 { 0.0 } else { x / (1.0 - ratio) });
    from_floats(data.dtype(), data.shape(), &scaled.collect::<Vec<_>>())
}

fn dropout(node: &Node) -> Outputs {
    let (data, ratio) = (node.input(0)?, share(node)?);
    let mut random = Random::new(node.optional_float("seed"));
    let mask: Vec<u8> = (0..data.len()).map(|_| u8::from(random.even() >= ratio)).collect();
    let kept = kept(data, &mask, ratio)?;
    let mask = match node.since() {
        ..10 => from_floats(data.dtype(), data.shape(), &mask.iter().map(|&bit| f64::from(bit)).collect::<Vec<_>>())?,
        _ => Array::from_elements(DType::Bool, data.shape(), &mask)?,
    };
    Ok(vec![kept.into(), mask.into()])
}
