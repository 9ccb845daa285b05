//! CausalConvWithState, computed in float64.

use super::activation::logistic;
use super::normalization::{narrowed, state, wide};
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("CausalConvWithState", causal_conv_with_state)];

/// Convolves each channel with its own kernel. The window of an element ends with this element. The state holds the
/// elements that come before the first element of the input.
fn causal_conv_with_state(node: &Node) -> Outputs {
    let (data, weight) = (node.input(0)?, node.input(1)?);
    let wrong = || {
        Refusal::invalid(format!(
            "the weight of shape {:?} does not fit the input of shape {:?}",
            weight.shape(),
            data.shape()
        ))
    };
    let (&[batch, channels, length], &[_, 1, taps]) = (data.shape(), weight.shape()) else { return Err(wrong()) };
    if weight.shape()[0] != channels || taps == 0 {
        return Err(wrong());
    }
    let swish = match node.string("activation")? {
        "none" => false,
        "silu" | "swish" => true,
        other => {
            return Err(Refusal::invalid(format!("`activation` is `{other}`, expected `none`, `silu` or `swish`")));
        }
    };
    let bias = state(node, 2, &[channels])?;
    let earlier = taps - 1;
    let past_shape = [batch, channels, earlier];
    let (numbers, weights, past) = (wide(data)?, wide(weight)?, state(node, 3, &past_shape)?);
    let (mut out, mut present) = (Vec::with_capacity(numbers.len()), Vec::with_capacity(past.len()));
    for row in 0..batch * channels {
        let channel = row % channels;
        let whole = [&past[row * earlier..][..earlier], &numbers[row * length..][..length]].concat();
        let kernel = &weights[channel * taps..][..taps];
        out.extend(whole.windows(taps).map(|seen| {
            let sum = bias[channel] + seen.iter().zip(kernel).map(|(x, weight)| x * weight).sum::<f64>();
            if swish { sum * logistic(sum) } else { sum }
        }));
        present.extend_from_slice(&whole[length..]);
    }
    let dtype = data.dtype();
    Ok(vec![narrowed(dtype, data.shape(), &out)?.into(), narrowed(dtype, &past_shape, &present)?.into()])
}
