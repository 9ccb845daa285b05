//! NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss. Sums are computed in float64 and rounded once.

use super::normalization::{channels, narrowed, wide};
use crate::array::Array;
use crate::element::with_float;
use crate::kernels::lanes::lanes;
use crate::kernels::row;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] =
    &[("NegativeLogLikelihoodLoss", negative_log_likelihood), ("SoftmaxCrossEntropyLoss", softmax_cross_entropy)];

/// Returns the weights of the classes, if they are given.
fn weights(node: &Node, classes: usize) -> Result<Option<Vec<f64>>, Refusal> {
    match node.optional(2)? {
        Some(weights) if weights.shape() != [classes] => Err(Refusal::invalid(format!(
            "the weights have shape {:?}, expected [{classes}], one for each class",
            weights.shape()
        ))),
        weights => weights.map(wide).transpose(),
    }
}

/// Computes the loss from the logarithms of the probabilities, which have the shape of the first input.
fn loss(node: &Node, logarithms: &[f64]) -> Result<Array, Refusal> {
    let (data, target) = (node.input(0)?, node.input(1)?);
    let (_, classes, places) = channels(data)?;
    let shape = [&data.shape()[..1], &data.shape()[2..]].concat();
    if target.shape() != shape {
        return Err(Refusal::invalid(format!(
            "the labels have shape {:?}, expected that of the input {:?} without its axis of classes",
            target.shape(),
            data.shape()
        )));
    }
    let (weights, ignored) = (weights(node, classes)?, node.optional_int("ignore_index"));
    let (mut losses, mut counted) = (Vec::with_capacity(target.len()), 0.0);
    for (at, label) in target.to_i64s()?.into_iter().enumerate() {
        if ignored == Some(label) {
            losses.push(0.0);
            continue;
        }
        let class = usize::try_from(label).ok().filter(|&class| class < classes);
        let class = class.ok_or_else(|| Refusal::invalid(format!("label {label} is outside [0, {classes})")))?;
        let weight = weights.as_ref().map_or(1.0, |weights| weights[class]);
        counted += weight;
        losses.push(-logarithms[(at / places * classes + class) * places + at % places] * weight);
    }
    match node.string("reduction")? {
        "none" => narrowed(data.dtype(), &shape, &losses),
        "sum" => narrowed(data.dtype(), &[], &[losses.iter().sum()]),
        "mean" => narrowed(data.dtype(), &[], &[losses.iter().sum::<f64>() / counted]),
        other => Err(Refusal::invalid(format!("`reduction` is `{other}`, expected `none`, `sum` or `mean`"))),
    }
}

fn negative_log_likelihood(node: &Node) -> Outputs {
    one(loss(node, &wide(node.input(0)?)?)?)
}

fn softmax_cross_entropy(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let (_, classes, _) = channels(data)?;
    let logarithms = with_float!(data.dtype(), T => lanes(data, 1, (data.dtype(), classes), row::log_softmax::<T>))?;
    Ok(vec![loss(node, &wide(&logarithms)?)?.into(), logarithms.into()])
}
