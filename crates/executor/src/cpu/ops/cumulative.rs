//! CumSum and CumProd.

use super::axes::axis;
use crate::Refusal;
use crate::cpu::element::{Number, Sum, with_number};
use crate::cpu::kernels::lanes::lanes;
use crate::cpu::node::{Node, Operator, Outputs, one};

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
        [at] => axis(at, data.rank())?,
        _ => return Err(Refusal::invalid(format!("`axis` has shape {:?}", node.input(1)?.shape()))),
    };
    let (exclusive, reverse) = (node.int("exclusive") != 0, node.int("reverse") != 0);
    let (dtype, extent) = (data.dtype(), data.shape()[axis]);
    one(with_number!(dtype, T => lanes(data, axis, (dtype, extent), |lane: &[T], out: &mut [T]| {
        type A = <T as Sum>::Total;
        // -0 added to anything changes nothing.
        let mut acc = if product { A::one() } else if exclusive { A::zero() } else { Number::neg(A::zero()) };
        for i in 0..lane.len() {
            let at = if reverse { lane.len() - 1 - i } else { i };
            let before = acc;
            let x = lane[at].total();
            acc = if product { Number::mul(acc, x) } else { Number::add(acc, x) };
            out[at] = T::of_total(if exclusive { before } else { acc });
        }
    }))?)
}
