use crate::reference::Function;
use crate::reference::families::reduce::{either, exact_sum, of_reals, reduce, sum_without_overflow};
use crate::reference::prelude::*;

/// ReduceLogSum-1, -11, -13: `axes` is an attribute. ReduceLogSum-18: an input. ReduceLogSum-28: no integers. Axes: C1; empty sets: B2;
/// integers: B3; sums that overflow: B4.
pub fn reduce_log_sum(call: &Call) -> Answer {
    reduce(call, |x, dtype| if dtype.is_float() { of_reals(x, |x| log_sum(x, dtype)) } else { int_log_sum(x, dtype) })
}

fn log_sum(x: &[Real], dtype: DType) -> Number {
    let (sum, power) = sum_without_overflow(x, dtype);
    let shift = f64::from(power) * std::f64::consts::LN_2;
    let log = sum.increasing_from(0.0, Function::Log, |sum| libm::log(sum) + shift).to_dtype(dtype);
    let mut plain = Accumulator::new(dtype);
    x.iter().for_each(|&x| plain.add(x));
    either(log, Number::from(plain.finish_inside()).log().real(), B4)
}

/// The logarithm of an integer as an integer: the text does not say how it is rounded, nor that there is one: B3.
fn int_log_sum(x: &[Number], dtype: DType) -> Number {
    let sum = exact_sum(x, |x| x).0.max(1);
    Number::int((sum as f64).ln() as i128, dtype).undecided(if x.is_empty() { B2 } else { B3 })
}
