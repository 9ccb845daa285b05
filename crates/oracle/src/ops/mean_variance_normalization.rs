use crate::families::normalization::{constant, of_outcomes};
use crate::families::spread::Spread;
use crate::prelude::*;

/// The number that the function body adds to the deviation. The body declares it as a float and adds it to deviations
/// of other types without a cast, so an implementation may round 1e-9 to float or directly to the type of the elements.
const EPSILON: f64 = 1e-9;

/// Normalizes the elements along `axes` to mean 0 and deviation 1, separately for each position on the other axes.
///
/// Versions 9 and 13 have the same meaning; version 13 adds bfloat16. The axes are in range (`axes-in-range`). A
/// variance of zero, and the number added to the deviation: `zero-variance`; the variance of the function body:
/// `variance-cancellation`; axes that are named twice: `duplicate-axes`; squares that overflow:
/// `intermediate-overflow`.
pub fn mean_variance_normalization(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let dtype = x.dtype();
    let mut reduced = vec![false; x.rank()];
    for axis in call.int_list("axes")? {
        if std::mem::replace(&mut reduced[call.axis(axis, x.rank(), rule::AXES_IN_RANGE)?], true) {
            call.leaves_open(rule::DUPLICATE_AXES);
        }
    }
    // An empty list may mean all axes, or none (`empty-axes`).
    let all = reduced.iter().all(|r| !r) && (x.rank() == 0 || call.reading(rule::EMPTY_AXES, 2) == 0);
    let kept: Vec<usize> = x.shape().iter().zip(&reduced).map(|(&e, &r)| if r || all { 1 } else { e }).collect();
    let mut groups = vec![vec![]; shape::affordable(&kept)?];
    if !x.is_empty() {
        let targets = shape::broadcast_indices(&kept, x.shape());
        targets.into_iter().enumerate().for_each(|(source, target)| groups[target].push(source));
    }
    let none = Real::constant(0.0, dtype);
    let epsilon = constant(EPSILON as f32, dtype).hull(Real::constant(EPSILON, dtype).nearest());
    let [y] = of_outcomes(&[x], |read| {
        let mut y: Vec<Number> = x.numbers().collect();
        for group in groups.iter().filter(|g| !g.is_empty()) {
            let elements: Vec<Real> = group.iter().map(|&i| read(&x.number(i))).collect();
            let spread = Spread::compute(&elements, dtype);
            let epsilon = spread.beside_elements(epsilon);
            if let Some(off) = spread.rounding() {
                let number = of_equals(off, epsilon);
                group.iter().for_each(|&i| y[i] = number);
                continue;
            }
            let (by_text, by_body) = (spread.deviation(none), spread.by_moments(none));
            for (at, &i) in group.iter().enumerate() {
                let number = Number::from(spread.standardized(at, by_text.plus(epsilon)))
                    .or(spread.standardized(at, by_text).overflowing(), rule::ZERO_VARIANCE)
                    .or(spread.normalized(at, by_body.plus(epsilon)).overflowing(), rule::VARIANCE_CANCELLATION);
                // Without epsilon, a deviation whose square underflows is a divisor of zero.
                let infinities = if by_text.low == 0.0 { spread.divided_by_zero(at) } else { vec![] };
                let number = infinities.into_iter().fold(number, |y, infinity| y.or(infinity, rule::ZERO_VARIANCE));
                y[i] = spread
                    .strays(at, true)
                    .into_iter()
                    .fold(number, |y, stray| y.or(stray, rule::INTERMEDIATE_OVERFLOW));
            }
        }
        Ok([y])
    })?;
    call.answer(x.shape().to_vec(), y)
}

/// Normalizes equal elements whose mean may be rounded to another number. [`Spread::rounding`] returns the array, and
/// says what its three numbers are. If the mean is exact, the result is 0, or NaN if nothing is added to the deviation
/// of 0. If the mean is rounded, the deviation has the same magnitude as the difference between an element and the
/// mean. By the description, the result is then 1 or -1, or closer to 0 if 1e-9 is added to the deviation. The function
/// body computes the variance with another formula, which gives another deviation.
fn of_equals([least, most, smallest]: [f64; 3], epsilon: Real) -> Number {
    let dtype = epsilon.dtype;
    let rounded = dtype.float_format().map_or(0.0, |f| 16.0 * f.ulp(1.0));
    let range = |low: f64, high: f64| {
        let low = low * (1.0 - rounded);
        Real { low, mid: low, high: (high * (1.0 + rounded)).max(low), ..Real::constant(0.0, dtype) }
    };
    let either = |y: Number, x: Real, label: Label| y.or(x.overflowing(), label).or(x.neg().overflowing(), label);
    let with = range(least / (least + epsilon.high), most / (most + epsilon.low));
    // A result far below 1 is treated as a range around 0.
    let near = most / smallest;
    let wide = [with.high, near].into_iter().filter(|&high| high < 0.05).fold(0.0, f64::max);
    let y = Number::from(Real { low: -wide, high: wide, ..Real::constant(0.0, dtype) });
    let y = if with.high < 0.05 { y } else { either(y, with, rule::ZERO_VARIANCE) };
    let y = if near < 0.05 {
        y
    } else {
        y.or(Real { low: -near, mid: 0.0, high: near, ..with }.overflowing(), rule::VARIANCE_CANCELLATION)
    };
    let y = either(y, range(1.0, 1.0), rule::ZERO_VARIANCE).or(y.like(f64::NAN), rule::ZERO_VARIANCE);
    if epsilon.low > 0.0 {
        either(y, range(least / epsilon.high, most / epsilon.low), rule::VARIANCE_CANCELLATION)
    } else {
        either(y, range(least / epsilon.high, f64::INFINITY), rule::VARIANCE_CANCELLATION)
    }
}
