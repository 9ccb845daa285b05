//! Softmax, LogSoftmax and Hardmax: the rows that they apply to.

use crate::families::select::lanes;
use crate::prelude::*;

/// Applies a formula to each row of `input`. From version 13 on, a row has the elements along `axis`. Before, it
/// covers the dimension `axis` and all dimensions after it, because the input is coerced to two dimensions. The axis is
/// in range: `axis-in-range`.
pub fn per_row(call: &Call, formula: impl Fn(&[Number]) -> Vec<Number>) -> Answer {
    let x = call.tensor("input")?;
    let mut numbers: Vec<Number> = x.numbers().collect();
    for row in rows(call, x.shape())?.into_iter().filter(|row| !row.is_empty()) {
        let elements: Vec<Number> = row.iter().map(|&i| numbers[i]).collect();
        for (i, number) in row.into_iter().zip(formula(&elements)) {
            numbers[i] = number;
        }
    }
    call.answer(x.shape().to_vec(), numbers)
}

fn rows(call: &Call, shape: &[usize]) -> Result<Vec<Vec<usize>>, Refusal> {
    let axis = call.int("axis")?;
    let axis = match call.since() {
        // In version 1 the axis may also be the rank, just past the last dimension: each row then has one element.
        1 if axis == shape.len() as i64 => shape.len(),
        _ => call.axis(axis, shape.len(), rule::AXIS_IN_RANGE)?,
    };
    if shape.contains(&0) {
        return Ok(vec![]);
    }
    if call.since() >= 13 {
        return Ok(lanes(shape, axis).collect());
    }
    let count: usize = shape[axis..].iter().product();
    let rows: usize = shape[..axis].iter().product();
    Ok((0..rows).map(|row| (row * count..(row + 1) * count).collect()).collect())
}

/// Subtracts the preferred value of the largest element from each element of the row. If the largest element is
/// inexact, its interval counts only in its own difference, but each difference may be rounded to either side.
pub fn shifted(row: &[Number]) -> Vec<Number> {
    let largest = row.iter().map(Number::mid).fold(f64::NEG_INFINITY, f64::max);
    shifted_by(row, largest)
}

/// Does the same with the largest value that is accepted for an element, where it may be above the preferred one and
/// is finite. The more is subtracted, the more powers of the differences underflow.
pub fn shifted_most(row: &[Number]) -> Option<Vec<Number>> {
    let largest = row.iter().map(Number::mid).fold(f64::NEG_INFINITY, f64::max);
    let most = row.iter().map(|x| x.real().high).fold(f64::NEG_INFINITY, f64::max);
    (most > largest && most.is_finite()).then(|| shifted_by(row, most))
}

fn shifted_by(row: &[Number], largest: f64) -> Vec<Number> {
    let given = row.iter().all(|x| x.is_point() || x.mid() != largest);
    let Some(shift) = row.first().map(|x| x.like(largest)) else { return vec![] };
    let less = |x: Number| x - shift;
    row.iter().map(|&x| if given { less(x) } else { less(x).each_way(|y| y.real().widened(1.0).into()) }).collect()
}

/// Returns whether the formula may or may not give NaN, because it is uncertain whether the largest element is infinite.
pub fn may_be_undefined(row: &[Number]) -> bool {
    let widest = |x: &Number| x.widest();
    let may_be_infinite = |x: &Number| !x.is_point() && (widest(x).high == f64::INFINITY || widest(x).nan);
    let may_vanish = |x: &Number| widest(x).low == f64::NEG_INFINITY;
    row.iter().any(may_be_infinite) || row.iter().all(may_vanish) && !row.iter().all(Number::is_point)
}

/// Returns whether an element of the row is infinity and none is NaN.
pub fn has_infinity(row: &[Number]) -> bool {
    row.iter().any(|x| x.mid() == f64::INFINITY) && !row.iter().any(Number::is_nan)
}
