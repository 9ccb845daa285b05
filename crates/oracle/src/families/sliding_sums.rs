//! Sums over windows. They are computed for all windows of a channel at once, one tap after the other.

use super::sliding_window::{Run, Windows, reads};
use crate::prelude::*;
use crate::{Sums, accumulation, steps, trailing_exponent};

/// Returns the sum of what each window of each channel covers, not rounded yet. `terms` has one number for each
/// element, channel after channel.
///
/// Returns `None` if the terms have to be looked at one by one: if they are integers or float64, if a term is open or
/// not finite, or if a sum might overflow.
pub fn window_sums(terms: &[Number], channels: usize, windows: &Windows) -> Result<Option<Vec<Accumulator>>, Refusal> {
    let dtype = terms.first().map_or(DType::Double, Number::dtype);
    let Some(format) = dtype.float_format().filter(|_| dtype != DType::Double) else { return Ok(None) };
    if !terms
        .iter()
        .all(|x| x.latitude.is_none() && x.real().low.is_finite() && x.real().high.is_finite() && !x.real().nan)
    {
        return Ok(None);
    }
    let most = accumulation(dtype).float_format().unwrap_or(format).max_finite() / 2.0;
    let (runs, step) = (windows.runs()?, windows.step());
    let (plane, count) = (windows.elements(), windows.count());
    shape::affordable(&[channels, count])?;
    let reads = reads(&runs);
    let mut counts = vec![0usize; count];
    let ones = vec![1; plane];
    runs.iter().for_each(|run| sweep(run, step, &ones, &mut counts, |t, s| *t += s));
    let mut sums = Vec::with_capacity(channels * count);
    for channel in 0..channels {
        let reals: Vec<Real> = terms[channel * plane..][..plane].iter().map(Number::real).collect();
        let total = |f: fn(&Real) -> f64| {
            let column: Vec<f64> = reals.iter().map(f).collect();
            let mut sums = vec![0.0; count];
            steps::take(reads);
            runs.iter().for_each(|run| sweep(run, step, &column, &mut sums, |t, s| *t += s));
            sums
        };
        let (mid, positive, negative) = (total(|x| x.mid), total(|x| x.high.max(0.0)), total(|x| (-x.low).max(0.0)));
        if positive.iter().chain(&negative).any(|&sum| sum >= most) {
            return Ok(None);
        }
        let points = reals.iter().all(|x| x.low == x.high);
        let ends = (!points).then(|| (total(|x| x.low - x.mid), total(|x| x.high - x.mid)));
        let mut quanta = vec![i32::MAX; count];
        if points {
            let bits: Vec<i32> = reals.iter().map(|x| trailing_exponent(x.mid)).collect();
            runs.iter().for_each(|run| sweep(run, step, &bits, &mut quanta, |t, s| *t = (*t).min(*s)));
        }
        sums.extend((0..count).map(|i| {
            let (low, high) = ends.as_ref().map_or((0.0, 0.0), |(low, high)| (low[i], high[i]));
            let sums = Sums { mid: mid[i], low, high, positive: positive[i], negative: negative[i] };
            Accumulator::of_terms(dtype, counts[i], sums, points.then_some(quanta[i]))
        }));
    }
    Ok(Some(sums))
}

/// Calls `f` for each window of a run, with the window's entry in `windows` and the element on which the run's tap lies
/// in this window.
#[inline]
fn sweep<S, T>(run: &Run, step: usize, elements: &[S], windows: &mut [T], f: impl Fn(&mut T, &S)) {
    let windows = &mut windows[run.window..][..run.length];
    let elements = &elements[run.position..];
    if step == 1 {
        windows.iter_mut().zip(elements).for_each(|(t, s)| f(t, s));
    } else {
        windows.iter_mut().zip(elements.iter().step_by(step)).for_each(|(t, s)| f(t, s));
    }
}

/// Returns the index of the largest element of each window of each channel. The windows come in row-major order; of
/// equal elements, the first one counts. Returns `None` if a window has no element.
pub fn window_maxima(keys: &[f64], channels: usize, windows: &Windows) -> Result<Option<Vec<usize>>, Refusal> {
    let (runs, step) = (windows.runs()?, windows.step());
    let (plane, count) = (windows.elements(), windows.count());
    shape::affordable(&[channels, count])?;
    let mut places = Vec::with_capacity(channels * count);
    for channel in 0..channels {
        let first = channel * plane;
        let keys = &keys[first..][..plane];
        let mut best = vec![usize::MAX; count];
        steps::take(reads(&runs));
        // The taps of a window come in row-major order.
        for run in &runs {
            let mut element = run.position;
            for best in &mut best[run.window..][..run.length] {
                if *best == usize::MAX || keys[element] > keys[*best] {
                    *best = element;
                }
                element += step;
            }
        }
        if best.contains(&usize::MAX) {
            return Ok(None);
        }
        places.extend(best.into_iter().map(|element| first + element));
    }
    Ok(Some(places))
}
