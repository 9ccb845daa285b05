use crate::families::activation::{operation, piecewise};
use crate::prelude::*;

/// Computes `x + bias` for elements below -lambd, `x - bias` for elements above lambd, and 0 otherwise.
///
/// The only version is 9. NaN: `nan`; a lambd that the type cannot represent: `threshold-precision`; integers:
/// `integer-rounding` and `integer-overflow`; a negative lambd: `negative-lambd`.
pub fn shrink(call: &Call) -> Answer {
    let (lambd, bias) = (call.float("lambd")?, call.float("bias")?);
    call.map("input", |x| match x.kind {
        NumberKind::Real(_) => of_real(x, lambd, bias),
        NumberKind::Int(n) => of_integer(x, n.mid, f64::from(lambd), f64::from(bias)),
    })
}

/// Returns on which side of the thresholds an element lies: -1 below, 1 above, or 0 between them.
fn side(x: f64, lambd: f64) -> i8 {
    if x < -lambd { -1 } else { i8::from(x > lambd) }
}

fn of_real(x: Number, lambd: f32, bias: f32) -> Number {
    let zero = x.like(0.0);
    if x.is_nan() {
        return zero;
    }
    let shifted = |x: Number, sign: f32| {
        let bias = sign * bias;
        operation(x, |x| x + f64::from(bias), &[&|x, w| x + w.attribute(bias)])
    };
    let with = |lambd: f64| {
        // No element is beyond a lambd of +Inf or NaN.
        if lambd == f64::INFINITY || lambd.is_nan() {
            return zero;
        }
        let middle = |x: Number| piecewise(x, lambd.next_up(), |_| zero, |x| shifted(x, -1.0));
        piecewise(x, -lambd, |x| shifted(x, 1.0), middle)
    };
    let lambd = f64::from(lambd);
    let rounded = x.like(lambd).nearest().mid();
    let y = with(lambd);
    if lambd < 0.0 && x.real().low < -lambd && x.real().high > lambd {
        return y.or(shifted(x, -1.0), rule::NEGATIVE_LAMBD);
    }
    let is_same = |x: f64| side(x, lambd) == side(x, rounded);
    let same = [x.mid(), x.real().low, x.real().high].into_iter().all(is_same) && (x.is_point() || rounded == lambd);
    if same { y } else { y.or(with(rounded), rule::THRESHOLD_PRECISION) }
}

/// Computes an integer element. The comparison is exact; what becomes of the fractional part of the bias is left open
/// (`integer-rounding`).
fn of_integer(x: Number, n: i128, lambd: f64, bias: f64) -> Number {
    let zero = x.like(0.0);
    if lambd.is_nan() {
        return zero;
    }
    // An integer is above lambd exactly if it is above the floor of lambd.
    let limit = lambd.floor() as i128;
    let (below, above) = (n < limit.saturating_neg(), n > limit);
    let of_side = |below: bool, above: bool| match (below, above) {
        (true, _) => shifted(x, n, bias),
        (false, true) => shifted(x, n, -bias),
        (false, false) => zero,
    };
    let y = of_side(below, above);
    if below && above {
        return y.or(of_side(false, true), rule::NEGATIVE_LAMBD);
    }
    if lambd >= 0.0 || lambd.fract() == 0.0 {
        return y;
    }
    // The function body truncates lambd, which changes the result only if lambd is negative.
    let cut = lambd.trunc() as i128;
    let other = of_side(n < cut.saturating_neg(), n > cut);
    if other == y { y } else { y.or(other, rule::INTEGER_ROUNDING) }
}

fn shifted(x: Number, n: i128, bias: f64) -> Number {
    if !bias.is_finite() {
        return x.undecided(rule::INTEGER_OVERFLOW);
    }
    let (whole, fraction) = (bias.trunc() as i128, bias.fract());
    let sum = n.saturating_add(whole);
    // `sum + fraction`, truncated towards zero.
    let cut = match fraction {
        f if f > 0.0 && sum < 0 => sum + 1,
        f if f < 0.0 && sum > 0 => sum - 1,
        _ => sum,
    };
    let y = Number::int(cut, x.dtype()).wraps(rule::INTEGER_OVERFLOW);
    if cut == sum || y.latitude.is_some() { y } else { y.or(Number::int(sum, x.dtype()), rule::INTEGER_ROUNDING) }
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Allowed, Expected, Judged};
    use plumbline_tensor::{DType, Tensor};
    use std::sync::Arc;

    fn shrink(lambd: f32, bias: f32, x: Tensor) -> Arc<Expected> {
        run(&format!("Shrink <lambd = {lambd:?}, bias = {bias:?}>"), 9, &[x], 1).expect("the node is valid").remove(0)
    }

    fn integers(dtype: DType, x: &[i128]) -> Tensor {
        Tensor::from_i128s(dtype, vec![x.len()], x).expect("the values fill the shape")
    }

    #[test]
    fn integers_are_exact_beyond_the_digits_of_a_float() {
        let y = shrink(1.5, 2.0, integers(DType::Int64, &[i128::from(i64::MAX), -3, -1, 1, 2]));
        assert_eq!(y.tensor.to_i128s(), [i128::from(i64::MAX) - 2, -1, 0, 0, 0]);
        assert!(y.is_certain());
    }

    /// -3 + 1.5 is -1.5. Truncated, this is -1; with the bias truncated first, it is -3 + 1. The unsigned 1 minus 2
    /// overflows.
    #[test]
    fn fractions_and_overflow_of_integers_are_left_open() {
        let y = shrink(0.5, 1.5, integers(DType::Int32, &[-3, 3]));
        assert_eq!(y.tensor.to_i128s(), [-1, 1]);
        assert_eq!(y.number(0).latitude.map(|l| l.allowed), Some(Allowed::int(-2)));
        assert_eq!(y.number(1).latitude.map(|l| l.allowed), Some(Allowed::int(2)));
        let y = shrink(0.5, 2.0, integers(DType::Uint8, &[1, 2, 0]));
        assert_eq!(y.tensor.to_i128s(), [255, 0, 0]);
        assert_eq!(y.number(0).latitude.map(|l| l.allowed), Some(Allowed::int(0).with(Allowed::int(255))));
    }

    /// lambd is -1, so that the element 0 is below -lambd and above lambd. The first sentence of the description gives
    /// 0 + 2, the second 0 - 2.
    #[test]
    fn with_a_negative_lambd_both_conditions_may_hold() {
        let y = shrink(-1.0, 2.0, floats(&[2], &[0.0, 1.5]));
        assert_eq!(y.judge(&floats(&[2], &[2.0, -0.5]), 0), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[2], &[-2.0, -0.5]), 0), Judged::Latitude(_)));
        assert_eq!(y.judge(&floats(&[2], &[2.0, -0.5]), 1), Judged::Accepted);
        assert_eq!(y.number(1).latitude, None);
    }
}
