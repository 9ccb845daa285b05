use crate::Function;
use crate::families::reduce::{as_int, either, lowest, of_reals, reduce, sum_without_overflow, sums_of_ints};
use crate::prelude::*;

/// Computes the logarithm of the sum along some axes.
///
/// Up to version 13, `axes` is an attribute; from version 18 on, it is an input. Version 28 no longer takes integers.
/// The axes are in range (`axes-in-range`). Reductions over no elements: `empty-reduction`; integers:
/// `integer-rounding`; sums of zero or less: `non-positive-sum`; sums that overflow: `intermediate-overflow`.
pub fn reduce_log_sum(call: &Call) -> Answer {
    if call.since() == 18 && !call.output_dtype(0)?.is_float() {
        // The function body of version 18 is invalid for integers.
        call.leaves_open(rule::INTEGER_ROUNDING);
    }
    reduce(call, |x, dtype| if dtype.is_float() { of_reals(x, |x| log_sum(x, dtype)) } else { int_log_sum(x, dtype) })
}

fn log_sum(x: &[Real], dtype: DType) -> Number {
    let (sum, power) = sum_without_overflow(x, dtype);
    let shift = f64::from(power) * std::f64::consts::LN_2;
    let log = sum.increasing_from(0.0, Function::Log, |sum| libm::log(sum) + shift).to_dtype(dtype);
    let mut plain = Accumulator::new(dtype);
    x.iter().for_each(|&x| plain.add(x));
    either(log, Number::from(plain.finish_inside()).log().real(), rule::INTERMEDIATE_OVERFLOW)
}

/// Computes the logarithm of an integer sum as an integer. The rounding, and the result for sums that are not positive
/// or leave the range of the type, are left open (`integer-rounding`). The logarithm of a sum of no elements is minus
/// infinity, which no integer type has (`empty-reduction`).
fn int_log_sum(x: &[Number], dtype: DType) -> Number {
    // The error of a logarithm in float. The logarithm of any sum of integers in memory is less than 100.
    const ERR: f64 = 1e-5;
    if x.is_empty() {
        return lowest(dtype).undecided(rule::EMPTY_REDUCTION);
    }
    let log = |sum: i128| as_int((sum as f64).ln(), ERR, dtype, true, rule::INTEGER_ROUNDING);
    let exact = x.iter().fold(0i128, |sum, x| sum.wrapping_add(x.mid_int()));
    let others = sums_of_ints(exact, dtype).into_iter().map(log);
    let result = others
        .reduce(|result, other| result.or(other, rule::INTEGER_ROUNDING))
        .unwrap_or_else(|| Number::int(0, dtype));
    result.opened_ints(x, rule::INTEGER_ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_of_integers_is_cut_off_or_rounded() {
        let of = |x: &[i128]| {
            int_log_sum(&x.iter().map(|&x| Number::int(x, DType::Int32)).collect::<Vec<_>>(), DType::Int32)
        };
        // ln 12 is 2.48, and ln 13 is 2.56.
        assert_eq!(of(&[4, 8]), Number::int(2, DType::Int32));
        assert_eq!(of(&[5, 8]), Number::int(2, DType::Int32).or(Number::int(3, DType::Int32), rule::INTEGER_ROUNDING));
        let zero = of(&[1, -1]);
        assert_eq!(zero.mid_int(), i128::from(i32::MIN));
        assert!(zero.latitude.is_some_and(|latitude| latitude.allowed != Allowed::Anything));
    }
}
