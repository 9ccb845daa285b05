//! Conv, ConvInteger and ConvTranspose.

use plumbline_tensor::DType;

use super::matmul::{centred, rounded};
use super::windows::{Spatial, Windows, counts, spatial_axes};
use crate::array::Array;
use crate::element::{Number, with_float};
use crate::kernels::convolution::{Channels, convolved, spread};
use crate::kernels::lanes::pieces;
use crate::kernels::total::Sum;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] =
    &[("Conv", conv), ("ConvInteger", conv_integer), ("ConvTranspose", conv_transpose)];

/// Checks the kernel and the number of groups, and returns the channels. The kernel of a transposed convolution has the
/// input channels first.
pub fn channels(node: &Node, x: &Array, w: &Array, transposed: bool) -> Result<Channels, Refusal> {
    let axes = spatial_axes(x.shape())?;
    let wrong = || {
        Refusal::invalid(format!(
            "the kernel of shape {:?} and `group` do not fit the input of shape {:?}",
            w.shape(),
            x.shape()
        ))
    };
    let groups = usize::try_from(node.int("group")).ok().filter(|&groups| groups > 0).ok_or_else(wrong)?;
    if w.rank() != x.rank() || !x.shape()[1].is_multiple_of(groups) || !w.shape()[0].is_multiple_of(groups) {
        return Err(wrong());
    }
    let inputs = x.shape()[1] / groups;
    let (expected, outputs) = match transposed {
        true => (w.shape()[0] / groups, w.shape()[1]),
        false => (w.shape()[1], w.shape()[0] / groups),
    };
    if inputs != expected {
        return Err(wrong());
    }
    if node.ints("kernel_shape").is_some() && counts(node, "kernel_shape", axes, 0, 0)? != w.shape()[2..] {
        return Err(Refusal::invalid(format!(
            "`kernel_shape` differs from the extents of the kernel of shape {:?}",
            w.shape()
        )));
    }
    Ok(Channels { batch: x.shape()[0], groups, inputs, outputs })
}

fn bias<'a>(node: &Node<'a>, outputs: usize) -> Result<Option<&'a Array>, Refusal> {
    match node.optional(2)? {
        Some(bias) if bias.shape() != [outputs] => {
            Err(Refusal::invalid(format!("the bias has shape {:?}, expected [{outputs}]", bias.shape())))
        }
        bias => Ok(bias),
    }
}

fn conv(node: &Node) -> Outputs {
    let (x, w) = (node.input(0)?, node.input(1)?);
    let channels = channels(node, x, w, false)?;
    let windows = Windows::read(node, &x.shape()[2..], &w.shape()[2..])?;
    let bias = bias(node, w.shape()[0])?;
    one(with_float!(x.dtype(), T => {
        let (mut sums, shape) = convolved(&T::totals(x.slice::<T>()), &T::totals(w.slice::<T>()), &channels, &windows)?;
        add_bias::<T>(&mut sums, bias, &shape);
        rounded::<T>(x.dtype(), &shape, &sums)
    })?)
}

fn add_bias<T: Sum>(sums: &mut [T::Total], bias: Option<&Array>, shape: &[usize]) {
    let Some(bias) = bias else { return };
    let bias = T::totals(bias.slice::<T>());
    let count: usize = shape[2..].iter().product();
    pieces(sums, count, |channel, sums| {
        let bias = bias[channel % bias.len()];
        sums.iter_mut().for_each(|sum| *sum = sum.add(bias));
    });
}

fn conv_integer(node: &Node) -> Outputs {
    let (x, w) = (node.input(0)?, node.input(1)?);
    let channels = channels(node, x, w, false)?;
    let windows = Windows::read(node, &x.shape()[2..], &w.shape()[2..])?;
    let (x_zero, w_zero) = (node.optional(2)?, node.optional(3)?);
    if let Some(zero) = x_zero.filter(|zero| zero.len() != 1 || zero.rank() > 1) {
        return Err(Refusal::invalid(format!("`x_zero_point` has shape {:?}, expected [] or [1]", zero.shape())));
    }
    let w_shape = match w_zero {
        Some(zero) if zero.len() == 1 && zero.rank() <= 1 => Vec::new(),
        Some(zero) if zero.shape() == [w.shape()[0]] => {
            (0..w.rank()).map(|d| if d == 0 { w.shape()[0] } else { 1 }).collect()
        }
        Some(zero) => {
            return Err(Refusal::invalid(format!(
                "`w_zero_point` has shape {:?}, expected [], [1], or one element for each output channel",
                zero.shape()
            )));
        }
        None => Vec::new(),
    };
    let (x, w) = (centred(x, x_zero, &[])?, centred(w, w_zero, &w_shape)?);
    let (sums, shape) = convolved(&x, &w, &channels, &windows)?;
    one(Array::from_elements(DType::Int32, &shape, &sums)?)
}

/// Returns the windows of a transposed convolution. The windows slide over the output of the node: their field `input`
/// holds the extents of the node's output, and their field `output` the extents of its input.
fn transposed_windows(node: &Node, input: &[usize], kernel: &[usize]) -> Result<Windows, Refusal> {
    let axes = input.len();
    let spatial = Spatial::read(node, axes)?;
    let more = counts(node, "output_padding", axes, 0, 0)?;
    let wanted = node.ints("output_shape").map(|_| counts(node, "output_shape", axes, 0, 0)).transpose()?;
    let mut windows = Windows {
        input: Vec::with_capacity(axes),
        kernel: kernel.to_vec(),
        begin: spatial.pads[..axes].to_vec(),
        end: spatial.pads[axes..].to_vec(),
        output: input.to_vec(),
        strides: spatial.strides,
        dilations: spatial.dilations,
    };
    for d in 0..axes {
        let (stride, dilation) = (windows.strides[d], windows.dilations[d]);
        if node.since() >= 11 && more[d] > 0 && more[d] >= stride.max(dilation) {
            return Err(Refusal::invalid(format!(
                "`output_padding` {} is not less than the larger of stride {stride} and dilation {dilation}",
                more[d]
            )));
        }
        let covered = (stride as i64) * (input[d] as i64 - 1) + (more[d] + windows.span(d)?) as i64;
        let wanted = match (&wanted, spatial.same_upper) {
            (Some(wanted), _) => Some(wanted[d]),
            (None, Some(_)) => Some(input[d] * stride),
            (None, None) => None,
        };
        let extent = match wanted {
            Some(extent) => {
                let total = usize::try_from(covered - extent as i64).unwrap_or(0);
                windows.begin[d] = if spatial.same_upper == Some(true) { total / 2 } else { total - total / 2 };
                windows.end[d] = total - windows.begin[d];
                extent
            }
            None => usize::try_from(covered - (windows.begin[d] + windows.end[d]) as i64)
                .map_err(|_| Refusal::invalid("the padding is larger than the output"))?,
        };
        windows.input.push(extent);
    }
    Ok(windows)
}

fn conv_transpose(node: &Node) -> Outputs {
    let (x, w) = (node.input(0)?, node.input(1)?);
    let channels = channels(node, x, w, true)?;
    let windows = transposed_windows(node, &x.shape()[2..], &w.shape()[2..])?;
    let bias = bias(node, channels.groups * channels.outputs)?;
    one(with_float!(x.dtype(), T => {
        let (x_totals, w_totals) = (T::totals(x.slice::<T>()), T::totals(w.slice::<T>()));
        let (mut sums, shape) = spread(&x_totals, &w_totals, &channels, &windows)?;
        add_bias::<T>(&mut sums, bias, &shape);
        rounded::<T>(x.dtype(), &shape, &sums)
    })?)
}
