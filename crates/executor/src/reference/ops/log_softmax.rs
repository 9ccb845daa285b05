use plumbline_tensor::FloatFormat;

use crate::reference::families::reduce::either;
use crate::reference::families::softmax::{has_infinity, per_row, shifted};
use crate::reference::prelude::*;
use crate::reference::sum_inside;

/// LogSoftmax-1, -11: of all elements from `axis` on. LogSoftmax-13: along `axis`. Axis: C1; infinities: B1; a softmax that underflows: B2.
pub fn log_softmax(call: &Call) -> Answer {
    per_row(call, log_shares)
}

/// The logarithm of the softmax of a row that is not empty.
pub fn log_shares(row: &[Number]) -> Vec<Number> {
        let dtype = row[0].dtype();
        let differences = shifted(row);
        let weights: Vec<Number> = differences.iter().map(|x| x.exp()).collect();
        let total = sum_inside(weights.iter().copied(), dtype, B1);
        let log_total = total.log();
        let least = FloatFormat::of(dtype).map_or(0.0, FloatFormat::min_normal);
        let infinite = has_infinity(row);
        let element = |i: usize| {
            let direct = differences[i] - log_total;
            if infinite && row[i].mid() != f64::INFINITY {
                return direct.or(row[i].like(f64::NEG_INFINITY), B1);
            }
            // By the text, the logarithm of the softmax, which loses what underflows.
            let share = weights[i] / total;
            let by_the_text = share.log().real();
            let result = match share.real().low < least {
                true => Number::from(direct.real()).or_computed(by_the_text, B2),
                false => either(direct.real(), by_the_text, B2),
            };
            direct.latitude.map_or(result, |latitude| result.undecided(latitude.label))
        };
        (0..row.len()).map(element).collect()
}
