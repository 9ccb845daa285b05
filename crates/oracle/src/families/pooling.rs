//! Shared parts of the poolings: which elements are pooled together, in windows or over all spatial axes.

use super::extremum::uncertain;
use super::sliding_sums::window_sums;
use super::sliding_window::Windows;
use crate::prelude::*;
use crate::steps;

/// The elements that a window covers.
pub struct Covered<'a> {
    /// The indices of the elements in the tensor, in row-major order.
    pub elements: &'a [usize],
    /// The index of the window in its channel, in row-major order.
    pub window: usize,
}

/// Applies `f` to the elements of each window of each channel of `x`. Returns the shape of the output, and the results
/// in row-major order.
pub fn pool<T>(
    x: &Expected,
    windows: &Windows,
    mut f: impl FnMut(Covered) -> T,
) -> Result<(Vec<usize>, Vec<T>), Refusal> {
    let shape = windows.shape(&x.shape()[..2])?;
    let reads = windows.reads()?;
    let (plane, count) = (windows.elements(), windows.count());
    let mut out = Vec::with_capacity(shape::product(&shape)?);
    let mut elements = Vec::new();
    for channel in 0..x.extent(0) * x.extent(1) {
        for window in 0..count {
            elements.clear();
            steps::take(reads.positions(window).len());
            elements.extend(reads.positions(window).iter().map(|&(_, position)| channel * plane + position));
            out.push(f(Covered { elements: &elements, window }));
        }
    }
    Ok((shape, out))
}

/// Applies `f` to all elements of each channel of `X`, which has at least a batch and a channel dimension
/// (`input-has-channels`). The other extents of the output are 1.
pub fn pool_all(call: &Call, f: impl Fn(&[Number]) -> Number) -> Answer {
    let x = call.tensor("X")?;
    let &[batches, channels, ..] = x.shape() else {
        return Err(Refusal::violates(
            rule::INPUT_HAS_CHANNELS,
            format!("the input has shape {:?}, expected rank 2 or more, with channels as axis 1", x.shape()),
        ));
    };
    let mut shape = vec![1; x.rank()];
    shape[..2].copy_from_slice(&[batches, channels]);
    let plane = shape::product(&x.shape()[2..])?;
    let all: Vec<Number> = x.numbers().collect();
    let count = shape::affordable(&shape)?;
    call.answer(shape, (0..count).map(|channel| f(&all[channel * plane..][..plane])))
}

/// One of the windows of a channel.
#[derive(Clone, Copy)]
pub struct Window<'a> {
    /// The index of the window, in row-major order.
    pub at: usize,
    /// All windows of the channel.
    pub of: &'a Windows,
}

/// Pools the windows of each channel of `X`. `all` has one number for each element of `X`, and `of_sum` computes a
/// result from the sum of these numbers in a window. If the sums alone do not determine the results (see
/// [`window_sums`]), `of_terms` computes them from the numbers.
///
/// If windows are shorter than their stride, the formula for SAME moves them: `negative-same-padding`.
pub fn pool_sums(
    call: &Call,
    windows: &Windows,
    all: &[Number],
    of_sum: impl Fn(Accumulator, Window) -> Number,
    of_terms: impl Fn(&[Number], Window) -> Number,
) -> Answer {
    let x = call.tensor("X")?;
    let over = |windows: &Windows| match window_sums(all, x.extent(0) * x.extent(1), windows)? {
        Some(sums) => {
            let count = windows.count();
            let number = |(at, sum)| of_sum(sum, Window { at: at % count, of: windows });
            Ok((windows.shape(&x.shape()[..2])?, sums.into_iter().enumerate().map(number).collect()))
        }
        None => over_terms(x, windows, all, &of_terms),
    };
    moved_or_not(call, windows, over)
}

/// Does the same as [`pool_sums`], but always computes the results from the numbers in each window.
pub fn pool_terms(
    call: &Call,
    windows: &Windows,
    all: &[Number],
    of_terms: impl Fn(&[Number], Window) -> Number,
) -> Answer {
    let x = call.tensor("X")?;
    moved_or_not(call, windows, |windows| over_terms(x, windows, all, &of_terms))
}

type Pooled = Result<(Vec<usize>, Vec<Number>), Refusal>;

fn over_terms(x: &Expected, windows: &Windows, all: &[Number], f: &impl Fn(&[Number], Window) -> Number) -> Pooled {
    let mut terms = Vec::new();
    pool(x, windows, |covered| {
        terms.clear();
        terms.extend(covered.elements.iter().map(|&i| all[i]));
        f(&terms, Window { at: covered.window, of: windows })
    })
}

fn moved_or_not(call: &Call, windows: &Windows, over: impl Fn(&Windows) -> Pooled) -> Answer {
    let (shape, mut numbers) = over(windows)?;
    if let Some(shortened) = windows.shortened() {
        let (_, others) = over(&shortened)?;
        numbers.iter_mut().zip(others).for_each(|(number, other)| *number = or_moved(*number, other));
    }
    call.answer(shape, numbers)
}

/// Accepts the result of a window, and the result of the same window where the formula for SAME moves it
/// (`negative-same-padding`).
pub fn or_moved(number: Number, other: Number) -> Number {
    if number == other { number } else { number.or(other, rule::NEGATIVE_SAME_PADDING) }
}

/// Returns the smallest finite number of a type.
pub fn smallest(dtype: DType) -> Number {
    match (dtype.float_format(), dtype.integer_range()) {
        (Some(format), _) => Number::constant(-format.max_finite(), dtype),
        (None, range) => Number::int(range.map_or(0, |(low, _)| low), dtype),
    }
}

/// Returns the maximum of elements that are compared in any order, or `None` for an empty slice. If there is a NaN, it
/// is the preferred answer. An implementation may ignore the NaN, or return any of the other elements, because a
/// comparison with NaN is false (`label`).
pub fn maximum(terms: &[Number], label: Label) -> Option<Number> {
    if let Some(uncertain) = uncertain(terms, |a, b| a.maximum(b, label), label) {
        return Some(uncertain);
    }
    let Some(nan) = terms.iter().find(|x| x.is_nan()) else {
        return terms.iter().copied().reduce(|a, b| a.maximum(b, label));
    };
    let others = terms.iter().filter(|x| !x.is_nan()).map(Number::real);
    let (least, most) =
        others.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x.low), most.max(x.high)));
    Some(if least <= most { nan.or(Allowed::between(least, most), label) } else { *nan })
}
