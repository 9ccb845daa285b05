use crate::families::softmax::{has_infinity, per_row, shifted};
use crate::prelude::*;
use crate::sum_inside;

/// Computes the softmax of each row: e to the power of each element, divided by the sum of these powers.
///
/// Up to version 11, a row contains all elements from `axis` on; in version 13, it runs along `axis`. The axis is in
/// range (`axis-in-range`). Infinities: `infinity`; powers that leave the range of the type:
/// `intermediate-overflow`.
pub fn softmax(call: &Call) -> Answer {
    per_row(call, |row| {
        let weights: Vec<Number> = shifted(row).into_iter().map(Number::exp).collect();
        let total = sum_inside(weights.iter().copied(), row[0].dtype(), rule::INFINITY);
        let infinite = has_infinity(row);
        let share = |(x, w): (&Number, &Number)| match infinite && x.mid() != f64::INFINITY {
            // The formula without a shift divides a power by an infinite sum, which gives 0.
            true => (*w / total).or(x.like(0.0), rule::INFINITY),
            false => *w / total,
        };
        row.iter().zip(&weights).map(share).collect()
    })
}
