use crate::families::reduce::{mean_of, of_reals, reduce, sums_of_ints};
use crate::prelude::*;

/// Computes the mean along some axes.
///
/// Up to version 13, `axes` is an attribute; in version 18, it is an input. The axes are in range (`axes-in-range`).
/// Reductions over no elements: `empty-reduction`; integers: `integer-rounding`; sums that overflow:
/// `intermediate-overflow`.
pub fn reduce_mean(call: &Call) -> Answer {
    reduce(call, |x, dtype| if dtype.is_float() { of_reals(x, |x| mean(x, dtype)) } else { int_mean(x, dtype) })
}

fn mean(x: &[Real], dtype: DType) -> Number {
    if x.is_empty() {
        return Number::constant(f64::NAN, dtype).undecided(rule::EMPTY_REDUCTION);
    }
    // The sum may overflow, but the mean does not (`intermediate-overflow`).
    mean_of(x, x.len(), dtype, rule::INTERMEDIATE_OVERFLOW)
}

/// Divides the sum by the count. The quotient is rounded towards zero, or away from zero. The sum is exact, or it wraps
/// or saturates (`integer-rounding`).
fn int_mean(x: &[Number], dtype: DType) -> Number {
    let int = |value: i128| Number::int(value, dtype);
    let count = x.len() as i128;
    if count == 0 {
        return int(0).undecided(rule::EMPTY_REDUCTION);
    }
    let of_sum = |sum: i128| {
        let (quotient, rest) = (sum / count, sum % count);
        if rest == 0 { int(quotient) } else { int(quotient).or(int(quotient + rest.signum()), rule::INTEGER_ROUNDING) }
    };
    let exact = x.iter().fold(0i128, |sum, x| sum.wrapping_add(x.mid_int()));
    let result = sums_of_ints(exact, dtype)
        .into_iter()
        .map(of_sum)
        .reduce(|result, other| result.or(other, rule::INTEGER_ROUNDING));
    result.unwrap_or_else(|| int(0)).opened_ints(x, rule::INTEGER_ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowed;

    #[test]
    fn a_sum_that_overflows_is_left_open_and_the_mean_is_preferred() {
        let of = |dtype, x: &[f64]| mean(&x.iter().map(|&x| Real::exact(x, dtype)).collect::<Vec<_>>(), dtype);
        let x = of(DType::Float, &[3e38, 3e38]);
        assert!(x.real().accepts(3e38) && !x.real().accepts(f64::INFINITY));
        assert_eq!(x.latitude.map(|l| l.allowed), Some(Allowed::real(f64::INFINITY)));
        // Partial sums may overflow to an infinity of either sign, or to both, which gives NaN.
        let both = of(DType::Float, &[3e38, 3e38, -3e38, -3e38, 1.0]);
        let Some(Allowed::Reals(others)) = both.latitude.map(|l| l.allowed) else { panic!("{both:?}") };
        assert!(both.real().high < 1e32 && others.nan && !others.contains(6e4), "{both:?}");
        assert!(others.contains(f64::INFINITY) && others.contains(f64::NEG_INFINITY), "{both:?}");
        // A sum of float16 numbers is kept as float, in which it does not overflow, or as float16.
        let half = of(DType::Float16, &[60000.0, 60000.0]);
        assert!(half.real().accepts(60000.0) && !half.real().accepts(f64::INFINITY));
        assert_eq!(half.latitude.map(|l| l.allowed), Some(Allowed::real(f64::INFINITY)));
        assert!(of(DType::Float16, &[60000.0, 5000.0]).latitude.is_none());
    }

    #[test]
    fn the_mean_of_integers_may_be_rounded_either_way() {
        let of =
            |x: &[i128]| int_mean(&x.iter().map(|&x| Number::int(x, DType::Int32)).collect::<Vec<_>>(), DType::Int32);
        assert_eq!(
            of(&[-3, -4]),
            Number::int(-3, DType::Int32).or(Number::int(-4, DType::Int32), rule::INTEGER_ROUNDING)
        );
        assert_eq!(of(&[2, 4]), Number::int(3, DType::Int32));
        // The sum wraps to -2, or saturates.
        let most = i128::from(i32::MAX);
        let sums = Allowed::int(-1).with(Allowed::int(most / 2)).with(Allowed::int(most / 2 + 1));
        let mean = of(&[most; 2]);
        assert_eq!((mean.mid_int(), mean.latitude.map(|l| l.allowed)), (most, Some(sums)));
    }
}
