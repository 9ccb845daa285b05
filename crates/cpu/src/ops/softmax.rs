//! Softmax and LogSoftmax. The maximum is subtracted first, so that no exponential overflows.

use super::axes::axis;
use crate::array::Array;
use crate::element::with_float;
use crate::kernels::lanes::lanes;
use crate::kernels::row;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("LogSoftmax", log_softmax), ("Softmax", softmax)];

/// Returns the input and the axis. Before version 13 the input is reshaped to two axes, so that all axes from `axis` on
/// are one row.
pub fn rows(node: &Node) -> Result<(Array, usize), Refusal> {
    let (data, at) = (node.input(0)?, node.int("axis"));
    let rank = data.rank();
    if node.since() >= 13 {
        return Ok((data.clone(), axis(at, rank)?));
    }
    let cut = if node.since() < 11 && at == rank as i64 { rank } else { axis(at, rank)? };
    let (before, behind) = data.shape().split_at(cut);
    Ok((data.reshaped(&[before.iter().product(), behind.iter().product()])?, 1))
}

fn softmax(node: &Node) -> Outputs {
    let (data, axis) = rows(node)?;
    let dtype = data.dtype();
    let found = with_float!(dtype, T => lanes(&data, axis, (dtype, data.shape()[axis]), row::softmax::<T>))?;
    one(found.reshaped(node.input(0)?.shape())?)
}

fn log_softmax(node: &Node) -> Outputs {
    let (data, axis) = rows(node)?;
    let dtype = data.dtype();
    let found = with_float!(dtype, T => lanes(&data, axis, (dtype, data.shape()[axis]), row::log_softmax::<T>))?;
    one(found.reshaped(node.input(0)?.shape())?)
}
