use crate::families::convolution::{Channels, Way, convolve_into, kernel_of};
use crate::families::sliding_window::Windows;
use crate::families::spatial::spatial;
use crate::prelude::*;

/// Computes a convolution of `X` with the kernel `W`, plus an optional bias.
///
/// Versions 1, 11 and 22 have the same meaning; version 22 adds bfloat16. Windows follow the rules from
/// `input-has-spatial-axes` to `negative-same-padding` in the list of `families::spatial`. Constraints: the kernel
/// (`channels-fit-groups`, `kernel-shape-matches-w`) and the bias (`bias-fits-channels`). A sum of no products:
/// `empty-sum`; intermediate results that overflow: `intermediate-overflow`; the output extent for `SAME_UPPER` and
/// `SAME_LOWER` in version 1: `same-output-extent`; padding times infinite or NaN weights: `padding-times-infinity`; a
/// window that is a little too long for its axis: `window-just-too-long`.
pub fn conv(call: &Call) -> Answer {
    let (x, w) = (call.tensor("X")?, call.tensor("W")?);
    let kernel = kernel_of(call, x, w)?;
    let channels = Channels::read(call, x, w, Way::Forward)?;
    let windows = Windows::read(call, spatial(x)?, &kernel)?;
    let bias = channels.bias(call, "B")?;
    let shape = windows.shape(&[x.extent(0), channels.outputs()])?;
    let mut y = Collected::new(x.dtype(), shape::affordable(&shape)?);
    convolve_into(&mut y, &channels, (x, w), &windows, |dot| {
        let bias = bias.map(|b| b.number(dot.channel));
        dot.plus(bias, x.dtype())
    })?;
    one(y.into_expected(shape)?)
}

#[cfg(test)]
mod tests {
    use crate::RefusalKind;
    use crate::testing::{floats, run};

    #[test]
    fn a_kernel_without_taps_has_no_answer_and_violates_nothing() {
        let inputs = [floats(&[1, 1, 3], &[1.0, 2.0, 3.0]), floats(&[1, 1, 0], &[])];
        for node in ["Conv", "Conv <kernel_shape = [0]>", "ConvTranspose"] {
            let refusal = run(node, 22, &inputs, 1).unwrap_err();
            assert_eq!((refusal.kind, refusal.label), (RefusalKind::Unsupported, None), "{node}");
        }
    }
}
