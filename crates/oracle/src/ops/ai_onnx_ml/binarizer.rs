use crate::prelude::*;

/// Returns 1 for each element that is greater than `threshold`, and 0 for all others.
///
/// The only version is 1. NaN: `nan`. The threshold is a float; whether integers and doubles are rounded to float
/// before the comparison is left open: `threshold-precision`.
pub fn binarizer(call: &Call) -> Answer {
    let threshold = f64::from(call.float("threshold")?);
    call.map("X", |x| {
        let y = above(x, x, threshold);
        let rounded = above(x.to_float(DType::Float), x, threshold);
        // Rounded to float, an integer or a double close to the threshold may become equal to it.
        if x.is_point() && y.mid() == rounded.mid() { y } else { y.or(rounded, rule::THRESHOLD_PRECISION) }
    })
}

/// Returns 1 if `x` is greater than the threshold and 0 otherwise, in the type of `like`.
fn above(x: Number, like: Number, threshold: f64) -> Number {
    // A comparison is false if one side is NaN (`nan`).
    let bit =
        x.at_precision(DType::Double).compare(Number::constant(threshold, DType::Double), |a, b| a > b, |a, b| a > b);
    let NumberKind::Int(bit) = bit.kind else { return x };
    let kind = match Number::constant(bit.mid as f64, like.dtype()).kind {
        NumberKind::Int(one) => NumberKind::Int(crate::Int { low: bit.low, high: bit.high, ..one }),
        NumberKind::Real(one) => {
            NumberKind::Real(Real { low: bit.low as f64, high: bit.high as f64, integral: bit.low != bit.high, ..one })
        }
    };
    let either = [0.0, 1.0].map(|bit| Number::constant(bit, like.dtype()));
    let number = Number { kind, latitude: None };
    x.latitude.map_or(number, |l| either.into_iter().fold(number, |number, bit| number.or(bit, l.label)))
}
