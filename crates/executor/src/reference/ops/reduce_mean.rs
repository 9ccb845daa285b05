use crate::reference::families::reduce::{exact_sum, mean_of, of_reals, reduce};
use crate::reference::prelude::*;

/// ReduceMean-1, -11, -13: `axes` is an attribute. ReduceMean-18: an input. Axes: C1; empty sets: B2; integers: B3; sums that overflow: B4.
pub fn reduce_mean(call: &Call) -> Answer {
    reduce(call, |x, dtype| if dtype.is_float() { of_reals(x, |x| mean(x, dtype)) } else { int_mean(x, dtype) })
}

fn mean(x: &[Real], dtype: DType) -> Number {
    if x.is_empty() {
        return Number::constant(f64::NAN, dtype).undecided(B2);
    }
    // The sum may overflow, the mean does not: B4.
    mean_of(x, x.len(), dtype, B4)
}

/// The quotient of sum and count, rounded towards zero or to the other neighbour: B3.
fn int_mean(x: &[Number], dtype: DType) -> Number {
    let int = |value: i128| Number::int(value, dtype);
    let count = x.len() as i128;
    if count == 0 {
        return int(0).undecided(B2);
    }
    let (sum, certain) = exact_sum(x, |x| x);
    let (quotient, rest) = (sum / count, sum % count);
    let overflows = dtype.integer_range().is_some_and(|(low, high)| sum < low || sum > high);
    match rest {
        _ if overflows || !certain => int(quotient).undecided(B3),
        0 => int(quotient),
        _ => int(quotient).or(int(quotient + rest.signum()), B3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Allowed;

    #[test]
    fn a_sum_that_overflows_is_left_open_and_the_mean_is_preferred() {
        let of = |dtype, x: &[f64]| mean(&x.iter().map(|&x| Real::exact(x, dtype)).collect::<Vec<_>>(), dtype);
        let x = of(DType::Float, &[3e38, 3e38]);
        assert!(x.real().accepts(3e38) && !x.real().accepts(f64::INFINITY));
        assert_eq!(x.latitude.map(|l| l.allowed), Some(Allowed::real(f64::INFINITY)));
        // Kept as float, a sum of halves does not overflow.
        assert!(of(DType::Float16, &[60000.0, 60000.0]).latitude.is_none());
    }

    #[test]
    fn the_mean_of_integers_may_be_rounded_either_way() {
        let of = |x: &[i128]| int_mean(&x.iter().map(|&x| Number::int(x, DType::Int32)).collect::<Vec<_>>(), DType::Int32);
        assert_eq!(of(&[-3, -4]), Number::int(-3, DType::Int32).or(Number::int(-4, DType::Int32), B3));
        assert_eq!(of(&[2, 4]), Number::int(3, DType::Int32));
        assert_eq!(of(&[i128::from(i32::MAX); 2]).latitude.map(|l| l.allowed), Some(Allowed::Anything));
    }
}
