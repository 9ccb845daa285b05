use plumbline_tensor::FloatFormat;

use crate::families::normalization::of_row;
use crate::families::reduce::either;
use crate::families::softmax::{has_infinity, may_be_undefined, per_row, shifted};
use crate::prelude::*;
use crate::sum_inside;

/// Computes the logarithm of the softmax of each row.
///
/// Up to version 11, a row contains all elements from `axis` on; in version 13, it runs along `axis`. The axis is in
/// range (`axis-in-range`). Infinities: `infinity`; a softmax that underflows: `underflow`.
pub fn log_softmax(call: &Call) -> Answer {
    per_row(call, log_shares)
}

/// Computes the logarithm of the softmax of a row that is not empty.
pub fn log_shares(row: &[Number]) -> Vec<Number> {
    of_row(row, of_certain)
}

fn of_certain(row: &[Number]) -> Vec<Number> {
    let dtype = row[0].dtype();
    let differences = shifted(row);
    let weights: Vec<Number> = differences.iter().map(|x| x.exp()).collect();
    let total = sum_inside(weights.iter().copied(), dtype, rule::INFINITY);
    let log_total = total.log();
    let format = FloatFormat::for_dtype(dtype);
    let least = format.map_or(0.0, FloatFormat::min_normal);
    let infinite = has_infinity(row);
    let element = |i: usize| {
        let direct = differences[i] - log_total;
        if infinite && row[i].mid() != f64::INFINITY {
            return direct.or(row[i].like(f64::NEG_INFINITY), rule::INFINITY);
        }
        // The operator's description takes the logarithm of the softmax, which loses digits if the softmax underflows.
        let share = weights[i] / total;
        let by_the_text = share.log().real();
        if share.real().low >= least {
            return either(direct.real(), by_the_text, rule::UNDERFLOW);
        }
        if by_the_text.low != f64::NEG_INFINITY || by_the_text.high == f64::NEG_INFINITY {
            return Number::from(direct.real()).or(by_the_text.overflowing(), rule::UNDERFLOW);
        }
        // A softmax that does not underflow to zero is at least the smallest number of the type.
        let smallest = libm::log(format.map_or(f64::MIN_POSITIVE, FloatFormat::min_positive)) - 1.0;
        let some = Real { low: smallest.min(by_the_text.high), nan: false, ..by_the_text };
        Number::from(direct.real())
            .or(some.overflowing(), rule::UNDERFLOW)
            .or(Real { low: f64::NEG_INFINITY, high: f64::NEG_INFINITY, ..some }, rule::UNDERFLOW)
    };
    let elements = (0..row.len()).map(element);
    if may_be_undefined(row) { elements.map(Number::or_whole_range).collect() } else { elements.collect() }
}
