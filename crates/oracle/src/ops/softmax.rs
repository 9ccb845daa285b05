use crate::families::scores::step;
use crate::families::shares::Shares;
use crate::families::softmax::{has_infinity, may_be_undefined, per_row, shifted};
use crate::prelude::*;
use crate::sum_inside;

/// Computes the softmax of each row: e to the power of each element, divided by the sum of these powers.
///
/// Up to version 11, a row contains all elements from `axis` on; in version 13, it runs along `axis`. The axis is in
/// range (`axis-in-range`). Infinities: `infinity`; powers that leave the range of the type:
/// `intermediate-overflow`.
pub fn softmax(call: &Call) -> Answer {
    per_row(call, |row| {
        let dtype = row[0].dtype();
        let weights: Vec<Number> = shifted(row).into_iter().map(|x| step([x], dtype, |[x]| x.exp())).collect();
        let total = sum_inside(weights.iter().copied(), dtype, rule::INFINITY);
        let infinite = has_infinity(row);
        let together = Shares::new(&weights, dtype);
        let share = |(i, w): (usize, &Number)| {
            let quotient = step([*w, total], dtype, |[w, total]| w / total);
            match infinite {
                // The formula without a shift divides a power by an infinite sum, which gives 0.
                true if row[i].mid() != f64::INFINITY => quotient.or(row[i].like(0.0), rule::INFINITY),
                false if quotient.latitude.is_none() => quotient.map_real(|x| together.cut(i, x)),
                _ => quotient,
            }
        };
        let shares = weights.iter().enumerate().map(share);
        if may_be_undefined(row) { shares.map(Number::or_whole_range).collect() } else { shares.collect() }
    })
}
