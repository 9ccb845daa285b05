use crate::prelude::*;

/// Binarizer-1: 1 where an element is greater than `threshold`, 0 elsewhere. NaN: `nan`; integers that float does not hold: `threshold-precision`.
pub fn binarizer(call: &Call) -> Answer {
    let threshold = f64::from(call.float("threshold")?);
    call.map("X", |x| {
        let y = above(x, x, threshold);
        let rounded = above(x.to_float(DType::Float), x, threshold);
        // Compared as float, an integer or a double next to the threshold may be equal to it.
        if y.mid() == rounded.mid() { y } else { y.or(rounded, rule::THRESHOLD_PRECISION) }
    })
}

/// 1 or 0, of the type of `like`.
fn above(x: Number, like: Number, threshold: f64) -> Number {
    // Nothing is greater than NaN, nor NaN than anything (`nan`).
    let bit =
        x.at_precision(DType::Double).compare(Number::constant(threshold, DType::Double), |a, b| a > b, |a, b| a > b);
    let Kind::Int(bit) = bit.kind else { return x };
    let kind = match Number::constant(bit.mid as f64, like.dtype()).kind {
        Kind::Int(one) => Kind::Int(crate::Int { low: bit.low, high: bit.high, ..one }),
        Kind::Real(one) => {
            Kind::Real(Real { low: bit.low as f64, high: bit.high as f64, integral: bit.low != bit.high, ..one })
        }
    };
    let either = [0.0, 1.0].map(|bit| Number::constant(bit, like.dtype()));
    let number = Number { kind, latitude: None };
    x.latitude.map_or(number, |l| either.into_iter().fold(number, |number, bit| number.or_other(bit, l.label)))
}
