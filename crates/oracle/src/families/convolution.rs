//! Convolutions: sums of products of a tensor and a kernel that slides over it, for Conv, ConvTranspose and the
//! convolutions of integers.
//!
//! These operators share the names of their rules:
//!
//! - `channels-fit-groups`: the channels of the input and the kernel fit each other and the number of groups.
//! - `kernel-shape-matches-w`: `kernel_shape` repeats the spatial extents of the kernel.
//! - `bias-fits-channels`: the bias has one number for each output channel.
//! - `intermediate-overflow`: the result if a sum overflows on the way.
//! - `padding-times-infinity`: the result if a padding of zeros meets a weight that is not finite.

mod accumulation;
mod tiled;

use std::ops::Range;

use super::matrix_product::{Factor, Opened};
use super::reduce::{or_overflowed, rounded_sum};
use super::sliding_window::{Reads, Windows, reads};
use super::spatial;
use crate::prelude::*;
use crate::steps;
use accumulation::{Sums, sweep};
use tiled::convolve_tiled;

/// The tensor on which the windows of a kernel lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The windows lie on the input, and each gives one element of the output: Conv.
    Forward,
    /// The windows lie on the output, and each spreads one element of the input: ConvTranspose.
    Transposed,
}

/// The channels and groups of a convolution.
#[derive(Clone, Copy, Debug)]
pub struct Channels {
    way: Way,
    batches: usize,
    groups: usize,
    /// The number of input channels in a group.
    inputs: usize,
    /// The number of output channels in a group.
    outputs: usize,
}

/// Returns the spatial extents of the kernel `w`. If `kernel_shape` is given, it must repeat them
/// (`kernel-shape-matches-w`). The oracle gives no answer for a kernel without taps.
pub fn kernel_of(call: &Call, x: &Expected, w: &Expected) -> Result<Vec<i64>, Refusal> {
    spatial::spatial(x)?;
    if w.rank() != x.rank() {
        return Err(Refusal::violates(
            rule::CHANNELS_FIT_GROUPS,
            format!("the kernel of shape {:?} and the input of shape {:?} have different ranks", w.shape(), x.shape()),
        ));
    }
    let kernel: Vec<i64> = w.shape()[2..].iter().map(|&e| e as i64).collect();
    match call.optional_int_list("kernel_shape") {
        Some(given) if given != kernel => Err(Refusal::violates(
            rule::KERNEL_SHAPE_MATCHES_W,
            format!("`kernel_shape` {given:?} differs from the extents of the kernel of shape {:?}", w.shape()),
        )),
        _ if kernel.contains(&0) => {
            Err(Refusal::unsupported(format!("the kernel of shape {:?} has an axis without taps", w.shape())))
        }
        _ => Ok(kernel),
    }
}

impl Channels {
    /// Reads `group`, and checks the channels of the input and the kernel against it (`channels-fit-groups`).
    pub fn read(call: &Call, x: &Expected, w: &Expected, way: Way) -> Result<Channels, Refusal> {
        let group = call.int("group")?;
        let refuse = || {
            Refusal::violates(
                rule::CHANNELS_FIT_GROUPS,
                format!(
                    "{group} groups do not fit an input of shape {:?} and a kernel of shape {:?}",
                    x.shape(),
                    w.shape()
                ),
            )
        };
        let groups = usize::try_from(group).ok().filter(|&g| g > 0).ok_or_else(refuse)?;
        let divided = |count: usize| count.is_multiple_of(groups).then_some(count / groups).ok_or_else(refuse);
        let inputs = divided(x.extent(1))?;
        let (kernel_inputs, outputs) = match way {
            Way::Forward => (w.extent(1), divided(w.extent(0))?),
            Way::Transposed => (divided(w.extent(0))?, w.extent(1)),
        };
        if inputs != kernel_inputs {
            return Err(refuse());
        }
        shape::affordable(&[groups, outputs])?;
        Ok(Channels { way, batches: x.extent(0), groups, inputs, outputs })
    }

    /// Returns the channels of a depthwise convolution, in which every channel has a kernel of its own.
    pub fn depthwise(batches: usize, channels: usize) -> Channels {
        Channels { way: Way::Forward, batches, groups: channels, inputs: 1, outputs: 1 }
    }

    /// Returns the number of output channels in all groups.
    pub fn outputs(&self) -> usize {
        self.groups * self.outputs
    }

    /// Returns the bias, which has one number for each output channel (`bias-fits-channels`).
    pub fn bias<'a>(&self, call: &Call<'a>, name: &str) -> Result<Option<&'a Expected>, Refusal> {
        match call.optional_tensor(name)? {
            Some(b) if b.shape() != [self.outputs()] => Err(Refusal::violates(
                rule::BIAS_FITS_CHANNELS,
                format!(
                    "the bias has shape {:?}, expected one element for each of {} output channels",
                    b.shape(),
                    self.outputs()
                ),
            )),
            other => Ok(other),
        }
    }

    /// Returns the index of the first weight that connects input channel `c` of a group with output channel `m`; `m` is
    /// counted over all groups. `taps` is the number of weights for each such pair.
    pub fn weights(&self, m: usize, c: usize, taps: usize) -> usize {
        let row = match self.way {
            Way::Forward => m * self.inputs + c,
            Way::Transposed => (m / self.outputs * self.inputs + c) * self.outputs + m % self.outputs,
        };
        row * taps
    }

    /// Returns the number of elements in a channel of the input, and in a channel of the output.
    fn planes(&self, windows: &Windows) -> (usize, usize) {
        match self.way {
            Way::Forward => (windows.elements(), windows.count()),
            Way::Transposed => (windows.count(), windows.elements()),
        }
    }

    /// Returns the input channels that output channel `m` reads.
    pub fn inputs(&self, m: usize) -> Range<usize> {
        self.sources(0, m)
    }

    /// Returns the input channels that output channel `m` of batch `n` reads. Input channels are counted over all
    /// batches.
    fn sources(&self, n: usize, m: usize) -> Range<usize> {
        let first = (n * self.groups + m / self.outputs) * self.inputs;
        first..first + self.inputs
    }

    fn reads(&self, windows: &Windows) -> Result<Reads, Refusal> {
        let reads = windows.reads()?;
        Ok(match self.way {
            Way::Forward => reads,
            Way::Transposed => reads.transposed(windows.elements()),
        })
    }
}

/// A sum of products before it is rounded, and what the specification leaves open about it.
pub struct Dot {
    /// The output channel of the sum.
    pub channel: usize,
    /// The sum of the products.
    pub sum: Accumulator,
    /// The sum that covers all outcomes of its factors, if the specification leaves one of the factors open.
    pub opened: Option<Opened>,
    /// Whether an implementation that fills the padding with zeros and multiplies them gets NaN.
    pub padding_is_nan: bool,
}

impl Dot {
    /// Adds a bias to the sum. An implementation may add it before or after it rounds the sum.
    pub fn plus(self, bias: Option<Number>, dtype: DType) -> Number {
        let with = |sum: Accumulator, bias: Option<Real>| match bias {
            Some(b) => {
                let stepwise = sum.clone().finish_inside().plus(b);
                let mut sum = sum;
                sum.add(b);
                let whole = rounded_sum(sum, rule::INTERMEDIATE_OVERFLOW);
                match stepwise.low.is_finite() && stepwise.high.is_finite() {
                    true => whole.hull(stepwise.into()),
                    false => or_overflowed(whole, stepwise, rule::INTERMEDIATE_OVERFLOW),
                }
            }
            None => rounded_sum(sum, rule::INTERMEDIATE_OVERFLOW),
        };
        let of_bias = bias.and_then(|b| b.latitude).map(|l| Opened { sum: self.sum.clone(), label: l.label });
        let number = with(self.sum, bias.map(|b| b.real()));
        let number = Opened::or(self.opened.or(of_bias), number, |sum| with(sum, bias.map(|b| b.widest())).widest());
        if self.padding_is_nan && !number.is_nan() {
            return number.or(Number::constant(f64::NAN, dtype), rule::PADDING_TIMES_INFINITY);
        }
        number
    }

    /// Adds a bias as [`Dot::plus`] does, inside of a formula: an implementation may round the result to the type, or
    /// continue with it in the type in which sums are kept.
    pub fn plus_inside(self, bias: Option<Number>, dtype: DType) -> Number {
        let mut kept = self.sum.clone();
        bias.iter().for_each(|b| kept.add(b.real()));
        let (kept, rounded) = (kept.finish_inside().at_precision(dtype), self.plus(bias, dtype));
        if rounded.is_nan() || kept.nan { rounded } else { rounded.hull(kept.into()) }
    }
}

/// Convolves tensors of a floating-point type. Appends to `out` the number that `number` makes of the sum for each
/// element of the output, in row-major order.
pub fn convolve_into(
    out: &mut Collected,
    channels: &Channels,
    (x, w): (&Expected, &Expected),
    windows: &Windows,
    number: impl Fn(Dot) -> Number + Sync,
) -> Result<(), Refusal> {
    match convolve_tiled(channels, (&Factor::new(x), &Factor::new(w)), windows, out, &number)? {
        true => Ok(()),
        false => convolve(channels, x, w, windows, |dot| out.push(number(dot))),
    }
}

/// Convolves tensors of a floating-point type. `take` receives the sum for each element of the output, in row-major
/// order.
pub fn convolve(
    channels: &Channels,
    x: &Expected,
    w: &Expected,
    windows: &Windows,
    mut take: impl FnMut(Dot),
) -> Result<(), Refusal> {
    let (x, w) = (Factor::new(x), Factor::new(w));
    let (from, to) = channels.planes(windows);
    let taps = windows.taps();
    let dtype = x.tensor().dtype();
    let fast = x.values().zip(w.values()).map(|(x, w)| Ok::<_, Refusal>((x, w, Sums::new(channels, windows, dtype)?)));
    let mut fast = fast.transpose()?;
    let mut slow = None;
    for n in 0..channels.batches {
        for m in 0..channels.outputs() {
            let sources = channels.sources(n, m);
            if let (Some((x, _, sums)), 0) = (&mut fast, m % channels.outputs) {
                sums.look(channels, x, sources.clone(), from);
            }
            let infinite: Vec<bool> = (0..taps).map(|t| infinite_weight(channels, &w, m, t, taps)).collect();
            let plain = !infinite.contains(&true);
            if let (Some((x, w, sums)), true) = (&mut fast, plain) {
                sums.add(channels, x, w, sources.clone(), m, (from, taps));
            }
            for target in 0..to {
                let known = fast.as_ref().filter(|_| plain).and_then(|(.., sums)| sums.accumulator(dtype, target));
                let dot = match known {
                    Some(sum) => Dot { channel: m, sum, opened: None, padding_is_nan: false },
                    None => {
                        let reads = match &slow {
                            Some(reads) => reads,
                            None => slow.insert(channels.reads(windows)?),
                        };
                        let pairs = reads.positions(target);
                        exact(channels, (x.tensor(), w.tensor()), (pairs, &infinite), sources.clone(), m, from)
                    }
                };
                take(dot);
            }
        }
    }
    Ok(())
}

fn infinite_weight(channels: &Channels, w: &Factor, m: usize, tap: usize, taps: usize) -> bool {
    (0..channels.inputs).any(|c| {
        let at = channels.weights(m, c, taps) + tap;
        w.values().map_or_else(|| w.tensor().number(at).may_be_infinite_or_nan(), |w| !w[at].is_finite())
    })
}

/// Computes the sum for one element of the output, product by product. `infinite` says of each tap whether one of its
/// weights may be infinite or NaN.
fn exact(
    channels: &Channels,
    (x, w): (&Expected, &Expected),
    (pairs, infinite): (&[(usize, usize)], &[bool]),
    sources: Range<usize>,
    m: usize,
    from: usize,
) -> Dot {
    let taps = infinite.len();
    let mut sum = Accumulator::new(x.dtype());
    let mut opened = None;
    for (c, channel) in sources.enumerate() {
        let weights = channels.weights(m, c, taps);
        for &(tap, source) in pairs {
            let (a, b) = (x.number(channel * from + source), w.number(weights + tap));
            Opened::add(&mut sum, &mut opened, a, b);
        }
    }
    let meets_padding = |tap: usize| infinite[tap] && !pairs.iter().any(|pair| pair.0 == tap);
    Dot { channel: m, sum, opened, padding_is_nan: (0..taps).any(meets_padding) }
}

/// Convolves integers exactly and returns the sums of products in row-major order. The zero points have already been
/// subtracted from `x` and `w`.
pub fn convolve_ints(channels: &Channels, x: &[i64], w: &[i64], windows: &Windows) -> Result<Vec<i64>, Refusal> {
    let (from, to) = channels.planes(windows);
    let (taps, runs, step) = (windows.taps(), windows.runs()?, windows.step());
    let reads = reads(&runs);
    let mut out = Vec::with_capacity(channels.batches * channels.outputs() * to);
    for n in 0..channels.batches {
        for m in 0..channels.outputs() {
            let start = out.len();
            out.resize(start + to, 0);
            for (c, channel) in channels.sources(n, m).enumerate() {
                let weights = &w[channels.weights(m, c, taps)..][..taps];
                let plane = &x[channel * from..][..from];
                steps::take(reads);
                for run in &runs {
                    let weight = weights[run.tap];
                    sweep(channels.way, run, step, plane, &mut out[start..], |sum: &mut i64, x| *sum += weight * x);
                }
            }
        }
    }
    Ok(out)
}
