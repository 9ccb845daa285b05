//! Dropout, as long as nothing is dropped.

use plumbline_tensor::DType;

use crate::Refusal;
use crate::cpu::array::Array;
use crate::cpu::element::{Number, with_float};
use crate::cpu::node::{Node, Operator, Outputs};

pub const OPERATORS: &[(&str, Operator)] = &[("Dropout", dropout)];

fn scalar<'a>(node: &Node<'a>, at: usize) -> Result<Option<&'a Array>, Refusal> {
    match node.optional(at)? {
        Some(array) if array.rank() != 0 => Err(Refusal::invalid(format!("input {at} has shape {:?}", array.shape()))),
        array => Ok(array),
    }
}

/// Whether elements are dropped, by their share.
fn share(node: &Node) -> Result<f64, Refusal> {
    let (ratio, drops) = match node.since() {
        ..7 => (f64::from(node.float("ratio")), node.int("is_test") == 0),
        7..12 => (f64::from(node.float("ratio")), false),
        _ => {
            let ratio = match scalar(node, 1)? {
                Some(ratio) => with_float!(ratio.dtype(), T => Ok(ratio.slice::<T>()[0].to_f64()))?,
                None => 0.5,
            };
            (ratio, scalar(node, 2)?.is_some_and(|mode| mode.slice::<u8>()[0] != 0))
        }
    };
    match drops {
        true if !(0.0..1.0).contains(&ratio) => Err(Refusal::invalid(format!("`ratio` is {ratio}"))),
        true => Ok(ratio),
        false => Ok(0.0),
    }
}

fn dropout(node: &Node) -> Outputs {
    let data = node.input(0)?;
    if share(node)? > 0.0 {
        return Err(Refusal::unsupported("dropping elements at random"));
    }
    let shape = data.shape();
    let mask = match node.since() {
        ..10 => with_float!(data.dtype(), T => Array::of(data.dtype(), shape, &vec![T::one(); data.len()]))?,
        _ => Array::of(DType::Bool, shape, &vec![1u8; data.len()])?,
    };
    Ok(vec![data.clone().into(), mask.into()])
}
