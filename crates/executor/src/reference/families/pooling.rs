//! What poolings share: which elements come together, in windows or over all spatial axes.

use super::windows::Windows;
use crate::reference::prelude::*;

/// The elements that a window covers.
pub struct Covered<'a> {
    /// Elements of the tensor, in row-major order.
    pub elements: &'a [usize],
    /// The window, counted row-major within its channel.
    pub window: usize,
}

/// Windows over each channel of `x`: the shape of the output, and what `f` makes of each window's elements, row-major.
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
            elements.extend(reads.of(window).iter().map(|&(_, position)| channel * plane + position));
            out.push(f(Covered { elements: &elements, window }));
        }
    }
    Ok((shape, out))
}

/// All elements of each channel of `X`, which has at least a batch and a channel dimension (C1); other extents of the output are 1.
pub fn pool_all(call: &Call, f: impl Fn(&[Number]) -> Number) -> Answer {
    let x = call.tensor("X")?;
    let &[batches, channels, ..] = x.shape() else {
        return Err(Refusal::violates(C1, format!("{:?} has no channels", x.shape())));
    };
    let mut shape = vec![1; x.rank()];
    shape[..2].copy_from_slice(&[batches, channels]);
    let plane = shape::product(&x.shape()[2..])?;
    let all: Vec<Number> = x.numbers().collect();
    let count = shape::affordable(&shape)?;
    call.answer(shape, (0..count).map(|channel| f(&all[channel * plane..][..plane])))
}

/// Windows over each channel of `X`, and a number made of the elements of each. Where windows are shorter than their stride, the formula for
/// SAME moves them: B1.
pub fn pool_numbers(call: &Call, f: impl Fn(&[Number], usize, &Windows) -> Number) -> Answer {
    let x = call.tensor("X")?;
    let all: Vec<Number> = x.numbers().collect();
    pool_terms(call, &Windows::pooling(call, x)?, &all, f)
}

/// The same of other numbers, one for each element of `X`.
pub fn pool_terms(
    call: &Call,
    windows: &Windows,
    all: &[Number],
    f: impl Fn(&[Number], usize, &Windows) -> Number,
) -> Answer {
    let x = call.tensor("X")?;
    let mut terms = Vec::new();
    let mut over = |windows: &Windows| {
        pool(x, windows, |covered| {
            terms.clear();
            terms.extend(covered.elements.iter().map(|&i| all[i]));
            f(&terms, covered.window, windows)
        })
    };
    let (shape, mut numbers) = over(windows)?;
    if let Some(shortened) = windows.shortened() {
        let (_, others) = over(&shortened)?;
        numbers.iter_mut().zip(others).for_each(|(number, other)| *number = or_moved(*number, other));
    }
    call.answer(shape, numbers)
}

/// What a window comes to, or the same window where the formula for SAME moves it: B1.
pub fn or_moved(number: Number, other: Number) -> Number {
    if number == other { number } else { number.or(other, B1) }
}

/// The maximum of elements in any order; `None` where there are none. A NaN, which is preferred, may be passed over (`label`), or end the
/// comparison at any of the others.
pub fn maximum(terms: &[Number], label: Label) -> Option<Number> {
    let Some(nan) = terms.iter().find(|x| x.is_nan()) else {
        return terms.iter().copied().reduce(|a, b| a.maximum(b, label));
    };
    let others = terms.iter().filter(|x| !x.is_nan()).map(Number::real);
    let (least, most) =
        others.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x.low), most.max(x.high)));
    Some(if least <= most { nan.allowing(Allowed::Between(least, most), label) } else { *nan })
}
