use crate::families::softmax::{has_infinity, per_row, shifted};
use crate::prelude::*;
use crate::sum_inside;

/// Softmax-1, -11: of all elements from `axis` on. Softmax-13: along `axis`. Axis: `axis-in-range`; infinities: `infinity`.
pub fn softmax(call: &Call) -> Answer {
    per_row(call, |row| {
        let weights: Vec<Number> = shifted(row).into_iter().map(Number::exp).collect();
        let total = sum_inside(weights.iter().copied(), row[0].dtype(), rule::INFINITY);
        let share = |(x, w): (&Number, &Number)| match has_infinity(row) && x.mid() != f64::INFINITY {
            // By the formula without a shift, a power over an infinite sum.
            true => (*w / total).or(x.like(0.0), rule::INFINITY),
            false => *w / total,
        };
        row.iter().zip(&weights).map(share).collect()
    })
}
