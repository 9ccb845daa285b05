use crate::families::convolution::{Channels, Way, convolve, kernel_of};
use crate::families::sliding_window::Windows;
use crate::families::spatial::spatial;
use crate::prelude::*;

/// Computes a convolution of `X` with the kernel `W`, plus an optional bias.
///
/// Versions 1, 11 and 22 have the same meaning; version 22 adds bfloat16. Windows follow `input-has-spatial-axes` to
/// `window-fits-axis` and `negative-same-padding`. Constraints: the kernel (`channels-fit-groups`,
/// `kernel-shape-matches-w`) and the bias (`bias-fits-channels`). A sum of no products: `empty-sum`; intermediate
/// results that overflow: `intermediate-overflow`; the output extent for `SAME_UPPER` and `SAME_LOWER` in version 1:
/// `same-output-extent`; padding times infinite or NaN weights: `padding-times-infinity`.
pub fn conv(call: &Call) -> Answer {
    let (x, w) = (call.tensor("X")?, call.tensor("W")?);
    let kernel = kernel_of(call, x, w)?;
    let channels = Channels::read(call, x, w, Way::Forward)?;
    let windows = Windows::read(call, spatial(x)?, &kernel)?;
    let bias = channels.bias(call, "B")?;
    let shape = windows.shape(&[x.extent(0), channels.outputs()])?;
    let mut y = Collected::new(x.dtype(), shape::affordable(&shape)?);
    convolve(&channels, x, w, &windows, |dot| {
        let bias = bias.map(|b| b.number(dot.channel));
        y.push(dot.plus(bias, x.dtype()));
    })?;
    one(y.into_expected(shape)?)
}
