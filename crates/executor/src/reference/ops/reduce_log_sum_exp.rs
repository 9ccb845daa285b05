use crate::reference::families::reduce::{either, of_reals, reduce};
use crate::reference::prelude::*;
use crate::reference::{Function, ulps};

/// ReduceLogSumExp-1, -11, -13: `axes` is an attribute. ReduceLogSumExp-18: an input. ReduceLogSumExp-28: no integers. Axes: C1;
/// empty sets: B2; integers: B3; powers that overflow or underflow: B4; infinities: B5.
pub fn reduce_log_sum_exp(call: &Call) -> Answer {
    reduce(call, |x, dtype| match dtype.is_float() {
        true => of_reals(x, |x| log_sum_exp(x, dtype)),
        false => int_log_sum_exp(x, dtype),
    })
}

fn sum_of_exp(x: impl Iterator<Item = Real>, dtype: DType) -> Real {
    let mut sum = Accumulator::new(dtype);
    x.for_each(|x| sum.add(Number::from(x).exp().real()));
    sum.finish_inside()
}

fn log_sum_exp(x: &[Real], dtype: DType) -> Number {
    let largest = x.iter().map(|x| x.mid).fold(f64::NEG_INFINITY, f64::max);
    let by_the_text = Number::from(sum_of_exp(x.iter().copied(), dtype)).log().real();
    if x.iter().any(|x| x.mid.is_nan()) || x.is_empty() {
        return by_the_text.into();
    }
    if largest.is_infinite() {
        // Shifting by an infinite maximum makes NaN: B5.
        let nan = Number::constant(f64::NAN, dtype);
        return Number::constant(largest, dtype).or(nan, B5);
    }
    // What the text's formula loses where no power overflows or underflows: those of differences from the maximum, which cost nothing.
    let shift = |x: &Real| Real { low: x.low - largest, mid: x.mid - largest, high: x.high - largest, ..*x };
    let powers = sum_of_exp(x.iter().map(shift), dtype);
    let log = |sum: f64| libm::log(sum) + largest;
    let direct = Real { low: log(powers.low), mid: log(powers.mid), high: log(powers.high), ..powers };
    let direct = direct.widened(ulps(Function::Log, dtype));
    // The other formula: the maximum taken off and added again, each step rounded.
    let maximum = Real::constant(largest, dtype);
    let shifted = Number::from(sum_of_exp(x.iter().map(|x| x.minus(maximum)), dtype)).log().real().plus(maximum);
    either(direct.hull(shifted), by_the_text, B4)
}

/// Powers and their logarithm as integers: neither operator takes them, nor does the text say how they are rounded: B3.
fn int_log_sum_exp(x: &[Number], dtype: DType) -> Number {
    let Some(largest) = x.iter().map(Number::mid_int).max() else { return Number::int(0, dtype).undecided(B2) };
    let sum: f64 = x.iter().map(|x| ((x.mid_int() - largest) as f64).exp()).sum();
    Number::int((largest + sum.ln() as i128).min(dtype.integer_range().map_or(0, |(_, high)| high)), dtype).undecided(B3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Allowed;

    fn of(dtype: DType, x: &[f64]) -> Number {
        log_sum_exp(&x.iter().map(|&x| Real::exact(x, dtype)).collect::<Vec<_>>(), dtype)
    }

    #[test]
    fn powers_that_overflow_are_left_open_and_the_result_is_preferred() {
        let x = of(DType::Float, &[100.0, 100.0]);
        assert!((x.mid() - 100.693147).abs() < 1e-5 && !x.real().accepts(101.0) && !x.real().accepts(f64::INFINITY));
        assert_eq!(x.latitude.map(|l| l.allowed), Some(Allowed::real(f64::INFINITY)));
        let x = of(DType::Float, &[-200.0, -200.0]);
        assert!((x.mid() + 199.306853).abs() < 1e-4 && !x.real().accepts(f64::NEG_INFINITY));
        assert!(matches!(x.latitude.map(|l| l.allowed), Some(Allowed::Reals(reals)) if reals.contains(f64::NEG_INFINITY)), "{x:?}");
        assert!(of(DType::Float, &[1.0, 2.0, -30.0]).latitude.is_none());
    }

    #[test]
    fn infinities_follow_the_formula() {
        let x = of(DType::Float, &[f64::INFINITY, 1.0]);
        assert!(x.mid() == f64::INFINITY && x.latitude.is_some());
        assert_eq!(of(DType::Float, &[f64::NEG_INFINITY, 0.0]).mid(), 0.0);
        assert!(of(DType::Float, &[f64::NAN, f64::INFINITY]).is_nan());
        assert_eq!(of(DType::Float, &[]).mid(), f64::NEG_INFINITY);
    }
}
