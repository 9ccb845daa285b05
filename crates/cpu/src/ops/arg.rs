//! ArgMax, ArgMin and Hardmax, which look for the largest or smallest element along an axis.

use plumbline_tensor::DType;

use super::axes::axis_from;
use super::softmax::rows;
use crate::element::{with_float, with_number};
use crate::kernels::lanes::lanes;
use crate::kernels::row;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("ArgMax", arg_max), ("ArgMin", arg_min), ("Hardmax", hardmax)];

fn arg_max(node: &Node) -> Outputs {
    arg(node, true)
}

fn arg_min(node: &Node) -> Outputs {
    arg(node, false)
}

fn arg(node: &Node, largest: bool) -> Outputs {
    let data = node.input(0)?;
    let axis = axis_from(node.since() >= 11, node.int("axis"), data.rank())?;
    let selects = data.shape().iter().enumerate().all(|(d, &extent)| d == axis || extent > 0);
    if data.shape()[axis] == 0 && selects || (node.since() == 11 && data.is_empty()) {
        return Err(Refusal::invalid(format!(
            "`data` of shape {:?} is empty, so that no element can be selected",
            data.shape()
        )));
    }
    let last = node.int("select_last_index") != 0;
    let found = with_number!(data.dtype(), T => lanes(data, axis, (DType::Int64, 1), |lane: &[T], out: &mut [i64]| {
        out[0] = row::extreme(lane, largest, last) as i64;
    }))?;
    if node.int("keepdims") != 0 {
        return one(found);
    }
    let mut shape = data.shape().to_vec();
    shape.remove(axis);
    one(found.reshaped(&shape)?)
}

/// Computes Hardmax: 1 at the first maximum along the axis, 0 elsewhere.
fn hardmax(node: &Node) -> Outputs {
    let (data, axis) = rows(node)?;
    let dtype = data.dtype();
    let hard = with_float!(dtype, T => lanes(&data, axis, (dtype, data.shape()[axis]), row::hardmax::<T>))?;
    one(hard.reshaped(node.input(0)?.shape())?)
}
