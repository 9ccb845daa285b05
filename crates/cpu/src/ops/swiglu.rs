//! SwiGLU, a gated activation function.

use super::activation::logistic;
use super::binary::zipped;
use crate::element::{Float, Number, with_float};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("SwiGLU", swi_glu)];

/// Computes SwiGLU: Swish of the first input, times the second input.
fn swi_glu(node: &Node) -> Outputs {
    let (a, b) = (node.input(0)?, node.input(1)?);
    if a.shape() != b.shape() {
        return Err(Refusal::invalid(format!("shapes {:?} and {:?} differ", a.shape(), b.shape())));
    }
    let operands = (a.clone(), b.clone(), a.shape().to_vec());
    one(with_float!(a.dtype(), T => {
        let alpha = <T as Float>::Wide::from_double(f64::from(node.float("alpha")));
        zipped(&operands, a.dtype(), |a: T, b: T| {
            let swish = a.wide().mul(logistic(alpha.mul(a.wide())));
            T::narrow(swish.mul(b.wide()))
        })
    })?)
}
