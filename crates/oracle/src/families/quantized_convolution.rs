//! Shared parts of ConvInteger and QLinearConv: 8-bit tensors with their zero points. Both operators have these rules:
//!
//! - `quantization-per-tensor`: a scale or zero point of a whole tensor has one element.
//! - `w-quantization-per-channel`: a scale or zero point of the kernel has one element, or one for each output channel.

use super::convolution::{Channels, Way, convolve_ints, kernel_of};
use super::sliding_window::Windows;
use super::spatial::spatial;
use crate::prelude::*;

/// Returns an optional tensor, which must have one element (`quantization-per-tensor`).
pub fn scalar<'a>(call: &Call<'a>, name: &str) -> Result<Option<&'a Expected>, Refusal> {
    match call.optional_tensor(name)? {
        Some(t) if t.len() != 1 || t.rank() > 1 => Err(Refusal::violates(
            rule::QUANTIZATION_PER_TENSOR,
            format!("`{name}` has shape {:?}, expected a scalar or [1]", t.shape()),
        )),
        other => Ok(other),
    }
}

/// Returns the elements of an optional tensor as a function of the output channel. The tensor has one element, or one
/// for each output channel (`w-quantization-per-channel`).
pub fn per_channel<'a>(
    call: &Call<'a>,
    name: &str,
    channels: usize,
) -> Result<Option<impl Fn(usize) -> Number + use<'a>>, Refusal> {
    let Some(t) = call.optional_tensor(name)? else { return Ok(None) };
    let one = t.len() == 1 && t.rank() <= 1;
    if !one && t.shape() != [channels] {
        return Err(Refusal::violates(
            rule::W_QUANTIZATION_PER_CHANNEL,
            format!("`{name}` has shape {:?}, expected a scalar, [1] or [{channels}]", t.shape()),
        ));
    }
    Ok(Some(move |m: usize| t.number(if one { 0 } else { m })))
}

/// The sums of products, before they are scaled.
pub struct Products {
    /// The extents of the output.
    pub shape: Vec<usize>,
    /// One sum for each element of the output, in row-major order.
    pub sums: Vec<i64>,
    /// The number of elements in a channel of the output.
    pub plane: usize,
    /// The number of output channels.
    pub channels: usize,
}

impl Products {
    /// Returns the output channel of an element.
    pub fn channel(&self, element: usize) -> usize {
        element / self.plane.max(1) % self.channels.max(1)
    }
}

/// Convolves `x` and `w` after subtracting their zero points, which `zeros` names. Padding has the value of the zero
/// point of `x`, so that it adds nothing.
pub fn products(call: &Call, zeros: [&str; 2]) -> Result<Products, Refusal> {
    let (x, w) = (call.tensor("x")?, call.tensor("w")?);
    let kernel = kernel_of(call, x, w)?;
    let channels = Channels::read(call, x, w, Way::Forward)?;
    let windows = Windows::read(call, spatial(x)?, &kernel)?;
    let shape = windows.shape(&[x.extent(0), channels.outputs()])?;
    let zero = scalar(call, zeros[0])?.map_or(0, |z| z.number(0).mid_int() as i64);
    let weight_zero = per_channel(call, zeros[1], channels.outputs())?;
    let given = [Some(x), Some(w), call.optional_tensor(zeros[0])?, call.optional_tensor(zeros[1])?];
    if given.into_iter().flatten().any(|t| !t.is_certain()) {
        return Err(Refusal::unsupported(
            "the oracle accepts more than one value for an element of an integer convolution",
        ));
    }
    let off = |t: &Expected, zero: &dyn Fn(usize) -> i64| -> Vec<i64> {
        t.tensor.to_i128s().into_iter().enumerate().map(|(i, v)| v as i64 - zero(i)).collect()
    };
    let row = w.len() / channels.outputs().max(1);
    let of_weight = |i: usize| weight_zero.as_ref().map_or(0, |z| z(i / row.max(1)).mid_int() as i64);
    let sums = convolve_ints(&channels, &off(x, &|_| zero), &off(w, &of_weight), &windows)?;
    Ok(Products { shape, sums, plane: windows.count(), channels: channels.outputs() })
}
