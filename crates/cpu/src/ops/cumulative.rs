//! CumSum and CumProd, which accumulate elements along an axis.

use super::axes::axis;
use crate::element::with_number;
use crate::kernels::lanes::lanes;
use crate::kernels::row::Cumulation;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("CumProd", cum_prod), ("CumSum", cum_sum)];

fn cum_sum(node: &Node) -> Outputs {
    cumulated(node, false)
}

fn cum_prod(node: &Node) -> Outputs {
    cumulated(node, true)
}

fn cumulated(node: &Node, product: bool) -> Outputs {
    let data = node.input(0)?;
    let axis = match node.input(1)?.to_i64s()?[..] {
        [at] if node.input(1)?.rank() <= 1 => axis(at, data.rank())?,
        _ => {
            return Err(Refusal::invalid(format!("`axis` has shape {:?}, expected [] or [1]", node.input(1)?.shape())));
        }
    };
    let cumulation = Cumulation { product, exclusive: node.int("exclusive") == 1, reverse: node.int("reverse") != 0 };
    let (dtype, extent) = (data.dtype(), data.shape()[axis]);
    one(
        with_number!(dtype, T => lanes(data, axis, (dtype, extent), |lane: &[T], out: &mut [T]| cumulation.run(lane, out)))?,
    )
}
