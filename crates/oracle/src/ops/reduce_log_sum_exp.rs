use crate::families::cast::outside;
use crate::families::reduce::{as_int, either, lowest, of_reals, reduce};
use crate::prelude::*;
use crate::{Allowed, Function, Int, accumulation, ulps};

/// Computes the logarithm of the sum of exponentials along some axes.
///
/// Up to version 13, `axes` is an attribute; from version 18 on, it is an input. Version 28 no longer takes integers.
/// The axes are in range (`axes-in-range`). Reductions over no elements: `empty-reduction`; integers:
/// `integer-rounding`; powers that overflow or underflow: `intermediate-overflow`; infinities: `infinity`.
pub fn reduce_log_sum_exp(call: &Call) -> Answer {
    let body = call.since() >= 18;
    reduce(call, |x, dtype| match dtype.is_float() {
        true => of_reals(x, |x| log_sum_exp(x, dtype)),
        false => int_log_sum_exp(x, dtype, body),
    })
}

fn sum_of_exp(x: impl Iterator<Item = Real>, dtype: DType) -> Real {
    let mut sum = Accumulator::new(dtype);
    x.for_each(|x| sum.add(Number::from(x).exp().real()));
    sum.finish_inside()
}

fn log_sum_exp(x: &[Real], dtype: DType) -> Number {
    let largest = x.iter().map(|x| x.mid).fold(f64::NEG_INFINITY, f64::max);
    // The powers and their sum in the type `working`, and the logarithm in the type of the elements.
    let by_the_text = |working: DType| {
        let sum = sum_of_exp(x.iter().map(|x| x.at_precision(working)), working).at_precision(dtype);
        Number::from(sum).log().real()
    };
    if x.iter().any(|x| x.mid.is_nan()) || x.is_empty() {
        return by_the_text(dtype).into();
    }
    if largest.is_infinite() {
        // Subtracting an infinite maximum gives NaN (`infinity`).
        let nan = Number::constant(f64::NAN, dtype);
        return Number::constant(largest, dtype).or(nan, rule::INFINITY);
    }
    // `direct` is what the plain formula gives, with its error, if no power overflows or underflows. To compute it, the
    // oracle subtracts the maximum in float64, where the rounding does not matter.
    let shift = |x: &Real| Real { low: x.low - largest, mid: x.mid - largest, high: x.high - largest, ..*x };
    let powers = sum_of_exp(x.iter().map(shift), dtype);
    let log = |sum: f64| libm::log(sum) + largest;
    let direct = Real { low: log(powers.low), mid: log(powers.mid), high: log(powers.high), ..powers };
    let direct = direct.widened(ulps(Function::Log, dtype));
    // The other formula subtracts the maximum and adds it again. Each step is rounded.
    let maximum = Real::constant(largest, dtype);
    let shifted = Number::from(sum_of_exp(x.iter().map(|x| x.minus(maximum)), dtype)).log().real().plus(maximum);
    let result = or_by_the_text(direct.hull(shifted).into(), by_the_text(dtype), direct.dtype);
    // 16-bit elements may be computed in float, where powers underflow later and lose digits in another way.
    let kept = accumulation(dtype);
    if kept == direct.dtype { result } else { or_by_the_text(result, by_the_text(kept), kept) }
}

/// Adds what the formula of the description gives, where powers or their sum may overflow or underflow in the type
/// `working` (`intermediate-overflow`): an infinity, or a number that has lost digits. The latter is at least the logarithm
/// of the smallest subnormal number, because the sum of powers is 0 or at least that subnormal number.
fn or_by_the_text(number: Number, text: Real, working: DType) -> Number {
    let result = number.real();
    let under = result.low.is_finite() && text.low == f64::NEG_INFINITY;
    let over = result.high.is_finite() && text.high == f64::INFINITY;
    if !under && !over || text.low == f64::INFINITY {
        return either(number, text, rule::INTERMEDIATE_OVERFLOW);
    }
    let smallest = working.float_format().map_or(f64::from_bits(1), |format| format.min_positive());
    let least = Number::from(Real::constant(smallest, text.dtype)).log().real();
    let low = if under { least.low.min(text.high) } else { text.low };
    // Lost digits move the upper end up by no more than they move the lower end down.
    let high = if over { result.high + (result.low - low).max(0.0) } else { text.high };
    let number = number.or(Real { low, high, ..text }.overflowing(), rule::INTERMEDIATE_OVERFLOW);
    let infinite = |number: Number, infinity: f64, may_be: bool| match may_be {
        true => number.or(Allowed::real(infinity), rule::INTERMEDIATE_OVERFLOW),
        false => number,
    };
    infinite(infinite(number, f64::INFINITY, over), f64::NEG_INFINITY, under)
}

/// Computes the result for integers. The function body of version 18 computes in double and truncates. Earlier versions
/// do not say how powers and logarithms are rounded, so each step may round to an integer (`integer-rounding`). Powers
/// that overflow or underflow: `intermediate-overflow`. The result for no elements is minus infinity, which no integer
/// type has (`empty-reduction`).
fn int_log_sum_exp(x: &[Number], dtype: DType, body: bool) -> Number {
    let Some(largest) = x.iter().map(Number::mid_int).max() else {
        return lowest(dtype).undecided(rule::EMPTY_REDUCTION);
    };
    // The relative error in double or float, and the largest and smallest elements for which powers are finite and not
    // zero.
    let (err, most, least) = if body { (1e-12, 709.0, -745.0) } else { (1e-6, 88.0, -103.0) };
    let shifted = |x: &Number| ((x.mid_int() - largest) as f64).exp();
    let log = x.iter().map(shifted).sum::<f64>().ln();
    let label = if body { rule::INTERMEDIATE_OVERFLOW } else { rule::INTEGER_ROUNDING };
    let result = match largest.unsigned_abs() < 1 << 40 {
        true => as_int(largest as f64 + log, err * (1.0 + (largest as f64).abs()), dtype, !body, label),
        // The largest element itself is rounded to double, or to float in versions without a function body.
        false => {
            let step = (largest as f64).abs() * if body { f64::EPSILON } else { f64::from(f32::EPSILON) };
            let at = |by: i128| saturated(largest + log as i128 + by, dtype).mid_int();
            let kind = NumberKind::Int(Int { low: at(-(step as i128)), mid: at(0), high: at(step as i128), dtype });
            Number { kind, latitude: None }
        }
    };
    let strays = |limit: f64| outside(limit, dtype, rule::INTERMEDIATE_OVERFLOW);
    let result =
        if largest as f64 > most { result.or(strays(f64::INFINITY), rule::INTERMEDIATE_OVERFLOW) } else { result };
    let result = if (largest as f64) < least {
        result.or(strays(f64::NEG_INFINITY), rule::INTERMEDIATE_OVERFLOW)
    } else {
        result
    };
    if body {
        return result.opened_ints(x, rule::INTERMEDIATE_OVERFLOW);
    }
    let sum_of_ints = |power: &dyn Fn(&Number) -> f64| x.iter().map(|x| power(x).trunc()).sum::<f64>();
    let by_the_text = sum_of_ints(&|x| (x.mid_int() as f64).exp()).ln();
    let steps = as_int(by_the_text, err, dtype, true, rule::INTEGER_ROUNDING);
    let about_maximum = saturated(largest + sum_of_ints(&shifted).ln() as i128, dtype);
    let result =
        if by_the_text.is_finite() || largest <= 0 { result.or(steps, rule::INTEGER_ROUNDING) } else { result };
    result.or(about_maximum, rule::INTEGER_ROUNDING).opened_ints(x, rule::INTEGER_ROUNDING)
}

fn saturated(value: i128, dtype: DType) -> Number {
    let (low, high) = dtype.integer_range().unwrap_or((0, 1));
    Number::int(value.clamp(low, high), dtype)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Latitude;

    fn reduced(dtype: DType, x: &[f64]) -> Number {
        log_sum_exp(&x.iter().map(|&x| Real::exact(x, dtype)).collect::<Vec<_>>(), dtype)
    }

    #[test]
    fn powers_that_overflow_are_left_open_and_the_result_is_preferred() {
        let x = reduced(DType::Float, &[100.0, 100.0]);
        assert!((x.mid() - 100.693147).abs() < 1e-5 && !x.real().accepts(101.0) && !x.real().accepts(f64::INFINITY));
        assert_eq!(x.latitude.map(|l| l.allowed), Some(Allowed::real(f64::INFINITY)));
        let x = reduced(DType::Float, &[-200.0, -200.0]);
        assert!((x.mid() + 199.306853).abs() < 1e-4 && !x.real().accepts(f64::NEG_INFINITY));
        let underflowed = |l: Latitude| matches!(l.allowed, Allowed::Reals(reals) if reals.contains(f64::NEG_INFINITY));
        assert!(x.latitude.is_some_and(underflowed), "{x:?}");
        // The powers keep only a few digits, but none is smaller than the smallest subnormal number.
        let lossy = |l: Latitude, value: f64| matches!(l.allowed, Allowed::Reals(reals) if reals.contains(value));
        assert!(x.latitude.is_some_and(|l| lossy(l, -103.27) && !lossy(l, -298.0)), "{x:?}");
        assert!(reduced(DType::Float, &[1.0, 2.0, -30.0]).latitude.is_none());
    }

    /// In float, `e^-103` is 1.3 of the smallest subnormal number and becomes this number, whose logarithm is -103.28.
    /// `e^-20` is normal there, and only a power in float16 loses digits.
    #[test]
    fn powers_of_16_bit_floats_may_underflow_in_float() {
        let left_open = |x: f64, value: f64| match reduced(DType::Float16, &[x]).latitude.map(|l| l.allowed) {
            Some(Allowed::Reals(reals)) => reals.contains(value),
            _ => false,
        };
        assert!(left_open(-103.0, -103.28) && !left_open(-103.0, -150.0));
        assert!(left_open(-20.0, -16.6) && left_open(-20.0, f64::NEG_INFINITY) && !left_open(-20.0, -30.0));
    }

    #[test]
    fn integers_go_through_double_or_step_by_step() {
        let of = |x: &[i128], body| {
            int_log_sum_exp(&x.iter().map(|&x| Number::int(x, DType::Int32)).collect::<Vec<_>>(), DType::Int32, body)
        };
        // The exact logarithm is 6.14.
        assert_eq!(of(&[2, 4, 6], true), Number::int(6, DType::Int32));
        assert_eq!(of(&[2, 4, 6], false), Number::int(6, DType::Int32));
        // The logarithm is 1.04. Truncated to integers, the powers below 1 vanish, and the result is 0.
        assert_eq!(of(&[0, -1, -1, -1, -1, -1], true), Number::int(1, DType::Int32));
        let steps = of(&[0, -1, -1, -1, -1, -1], false);
        assert_eq!(steps.latitude.map(|l| l.allowed), Some(Allowed::int(0)));
    }

    #[test]
    fn infinities_follow_the_formula() {
        let x = reduced(DType::Float, &[f64::INFINITY, 1.0]);
        assert!(x.mid() == f64::INFINITY && x.latitude.is_some());
        assert_eq!(reduced(DType::Float, &[f64::NEG_INFINITY, 0.0]).mid(), 0.0);
        assert!(reduced(DType::Float, &[f64::NAN, f64::INFINITY]).is_nan());
        assert_eq!(reduced(DType::Float, &[]).mid(), f64::NEG_INFINITY);
    }
}
