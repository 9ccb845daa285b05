use plumbline_tensor::FloatFormat;

use crate::families::normalization::of_row;
use crate::families::reduce::either;
use crate::families::softmax::{has_infinity, may_be_undefined, per_row, shifted, shifted_most};
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
    let (weights, total) = powers(&differences);
    let log_total = total.log();
    // An implementation may compute 16-bit elements in float, where a softmax underflows later. If a larger element is
    // subtracted, it underflows earlier.
    let in_float: Option<Vec<Number>> = (!matches!(dtype, DType::Float | DType::Double))
        .then(|| row.iter().map(|x| x.at_precision(DType::Float)).collect());
    let rows = || std::iter::once(row).chain(in_float.as_deref());
    let others = in_float.as_deref().map(shifted).into_iter().chain(rows().filter_map(shifted_most));
    let others: Vec<(Vec<Number>, Number)> = others.map(|differences| powers(&differences)).collect();
    let infinite = has_infinity(row);
    let element = |i: usize| {
        let direct = differences[i] - log_total;
        if infinite && row[i].mid() != f64::INFINITY {
            return direct.or(row[i].like(f64::NEG_INFINITY), rule::INFINITY);
        }
        // The operator's description takes the logarithm of the softmax, which loses digits if the softmax underflows.
        let share = weights[i] / total;
        let by_the_text = share.log().real();
        let number = match is_normal(share) {
            true => either(direct.real(), by_the_text, rule::UNDERFLOW),
            false => or_underflowed(direct.real().into(), share),
        };
        let shares = others.iter().map(|(weights, total)| weights[i] / *total);
        shares.filter(|share| !is_normal(*share)).fold(number, or_underflowed)
    };
    let elements = (0..row.len()).map(element);
    if may_be_undefined(row) { elements.map(Number::or_whole_range).collect() } else { elements.collect() }
}

/// Returns the powers of the elements less the largest one, and the sum of these powers.
fn powers(differences: &[Number]) -> (Vec<Number>, Number) {
    let weights: Vec<Number> = differences.iter().map(|x| x.exp()).collect();
    let total = sum_inside(weights.iter().copied(), differences[0].dtype(), rule::INFINITY);
    (weights, total)
}

/// Returns whether a share does not underflow in its type.
fn is_normal(share: Number) -> bool {
    share.real().low >= FloatFormat::for_dtype(share.dtype()).map_or(0.0, FloatFormat::min_normal)
}

/// Accepts the logarithm of a share that underflows in its type (`underflow`).
fn or_underflowed(number: Number, share: Number) -> Number {
    let log = share.log().real();
    let outcome = |x: Real| x.at_precision(number.dtype()).overflowing();
    if log.low != f64::NEG_INFINITY || log.high == f64::NEG_INFINITY {
        return number.or(outcome(log), rule::UNDERFLOW);
    }
    // A softmax that does not underflow to zero is at least the smallest number of the type.
    let smallest = FloatFormat::for_dtype(share.dtype()).map_or(f64::MIN_POSITIVE, FloatFormat::min_positive);
    let some = Real { low: (libm::log(smallest) - 1.0).min(log.high), nan: false, ..log };
    let none = Real { low: f64::NEG_INFINITY, high: f64::NEG_INFINITY, ..some };
    number.or(outcome(some), rule::UNDERFLOW).or(none.at_precision(number.dtype()), rule::UNDERFLOW)
}
