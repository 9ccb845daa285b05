//! Sums of products of floating-point numbers. The sums for all elements of an output channel are computed together.

use std::ops::Range;

use plumbline_tensor::FloatFormat;

use super::super::sliding_window::{Run, Windows, reads};
use super::{Channels, Way};
use crate::prelude::*;
use crate::{accumulation, steps, trailing_exponent};

/// Returns the index of the first element and the distance between neighbours, for the source elements and for the
/// target elements of a run.
pub fn along(way: Way, run: &Run, step: usize) -> ((usize, usize), (usize, usize)) {
    match way {
        Way::Forward => ((run.position, step), (run.window, 1)),
        Way::Transposed => ((run.window, 1), (run.position, step)),
    }
}

/// Calls `f` with each target of a run and its source.
#[inline(always)]
pub fn sweep<S, T>(way: Way, run: &Run, step: usize, sources: &[S], targets: &mut [T], f: impl Fn(&mut T, &S)) {
    let ((source, apart), (target, spread)) = along(way, run, step);
    let (sources, targets) = (&sources[source..], &mut targets[target..]);
    if apart == 1 && spread == 1 {
        targets[..run.length].iter_mut().zip(&sources[..run.length]).for_each(|(t, s)| f(t, s));
    } else {
        targets
            .iter_mut()
            .step_by(spread)
            .zip(sources.iter().step_by(apart))
            .take(run.length)
            .for_each(|(t, s)| f(t, s));
    }
}

/// Returns the number of products for each element of an output channel.
pub fn counts(channels: &Channels, runs: &[Run], step: usize, (from, to): (usize, usize)) -> Vec<usize> {
    let (sources, mut counts) = (vec![channels.inputs; from], vec![0; to]);
    runs.iter().for_each(|run| sweep(channels.way, run, step, &sources, &mut counts, |t, s| *t += s));
    counts
}

/// The sums for all elements of one output channel.
pub struct Sums {
    runs: Vec<Run>,
    /// The number of elements that the runs read in total.
    reads: usize,
    step: usize,
    /// The sum of the products for each element; `magnitudes` are the sums of their magnitudes.
    sums: Vec<f64>,
    magnitudes: Vec<f64>,
    /// The number of products for each element.
    counts: Vec<usize>,
    /// For each element, the exponent of the lowest bit of all inputs that go into it.
    inputs: Vec<i32>,
    /// The exponent of the lowest bit of all weights of the output channel.
    weights: i32,
    /// A sum may overflow if the magnitudes of its products add up to this number or more.
    most: f64,
}

impl Sums {
    /// Prepares sums for these channels and windows.
    pub fn new(channels: &Channels, windows: &Windows, dtype: DType) -> Result<Sums, Refusal> {
        let (runs, step) = (windows.runs()?, windows.step());
        let (from, to) = channels.planes(windows);
        let counts = counts(channels, &runs, step, (from, to));
        let most = FloatFormat::for_dtype(accumulation(dtype)).map_or(0.0, FloatFormat::max_finite) / 2.0;
        let (sums, magnitudes) = (vec![0.0; to], vec![0.0; to]);
        Ok(Sums { reads: reads(&runs), runs, step, sums, magnitudes, counts, inputs: vec![0; to], weights: 0, most })
    }

    /// Finds the lowest bits of the inputs that go into each element.
    pub fn look(&mut self, channels: &Channels, x: &[f64], sources: Range<usize>, from: usize) {
        let mut lowest = vec![i32::MAX; from];
        for channel in sources {
            for (low, &x) in lowest.iter_mut().zip(&x[channel * from..]) {
                *low = (*low).min(bit(x));
            }
        }
        self.inputs.fill(i32::MAX);
        for run in &self.runs {
            sweep(channels.way, run, self.step, &lowest, &mut self.inputs, |t, s| *t = (*t).min(*s));
        }
    }

    /// Adds up the products of output channel `m`.
    pub fn add(
        &mut self,
        channels: &Channels,
        x: &[f64],
        w: &[f64],
        sources: Range<usize>,
        m: usize,
        planes: (usize, usize),
    ) {
        self.sums.fill(0.0);
        self.magnitudes.fill(0.0);
        self.weights = i32::MAX;
        let (from, taps) = planes;
        for (c, channel) in sources.enumerate() {
            steps::take(self.reads);
            let plane = &x[channel * from..][..from];
            let weights = &w[channels.weights(m, c, taps)..][..taps];
            self.weights = weights.iter().fold(self.weights, |low, &w| low.min(bit(w)));
            // Three consecutive taps of the same windows add their products in one pass.
            for runs in self.runs.chunk_by(|a, b| (a.window, a.length) == (b.window, b.length)) {
                let mut runs = runs;
                while let ([a, b, c, rest @ ..], Way::Forward, 1) = (runs, channels.way, self.step) {
                    let targets = a.window..a.window + a.length;
                    let parts = [a, b, c].map(|run| (weights[run.tap], &plane[run.position..][..run.length]));
                    add_three(parts, &mut self.sums[targets.clone()], &mut self.magnitudes[targets]);
                    runs = rest;
                }
                for run in runs {
                    let weight = weights[run.tap];
                    sweep(channels.way, run, self.step, plane, &mut self.sums, |sum, x| *sum += weight * x);
                    sweep(channels.way, run, self.step, plane, &mut self.magnitudes, |sum, x| {
                        *sum += (weight * x).abs();
                    });
                }
            }
        }
    }

    /// Returns the sum of one element, or `None` if a product is not finite or the sum may overflow.
    pub fn accumulator(&self, dtype: DType, target: usize) -> Option<Accumulator> {
        let (sum, magnitude) = (self.sums[target], self.magnitudes[target]);
        let quantum = self.inputs[target].saturating_add(self.weights);
        (magnitude < self.most).then(|| Accumulator::of_products(dtype, self.counts[target], sum, magnitude, quantum))
    }
}

/// Adds three products to each of the sums, and their magnitudes to the sums of magnitudes.
#[inline(always)]
fn add_three(parts: [(f64, &[f64]); 3], sums: &mut [f64], magnitudes: &mut [f64]) {
    let [(u, x), (v, y), (w, z)] = parts;
    let factors = x.iter().zip(y).zip(z);
    for ((sum, magnitude), ((x, y), z)) in sums.iter_mut().zip(magnitudes).zip(factors) {
        let (a, b, c) = (u * x, v * y, w * z);
        *sum += a + b + c;
        *magnitude += a.abs() + b.abs() + c.abs();
    }
}

/// Returns the exponent of the lowest bit of a number. Infinities and NaN are ignored here, because they show in the
/// sums of magnitudes.
fn bit(x: f64) -> i32 {
    if x.is_finite() { trailing_exponent(x) } else { i32::MAX }
}
