//! Sums and dot products, whose terms may be added in any order.
//!
//! In any order, the sum of n terms added with the unit roundoff u has an error of at most n*u*sum|terms| (Higham,
//! "Accuracy and Stability of Numerical Algorithms", 4.2). If every partial sum is representable in every order, the
//! sum is exact.

mod accumulator;
mod blocks;
mod finish;
mod side;

pub use accumulator::{Accumulator, Sums, lowest_bit, trailing_exponent};
pub use blocks::Block;
pub use finish::ROOM;
pub use side::{Side, has_blocks};

use plumbline_tensor::DType;

use super::number::{Number, NumberKind};
use super::real::Real;
use crate::Label;

/// Returns the sum of numbers of one type. An integer sum beyond the range of the type wraps, which the specification
/// leaves open (`overflow` is the rule). A sum of real numbers has the error bound that holds for every order.
pub fn sum(terms: impl IntoIterator<Item = Number>, dtype: DType, overflow: Label) -> Number {
    reduce(terms, dtype, overflow, Accumulator::finish)
}

/// Does the same as [`sum()`], but leaves a sum of real numbers in the type in which an implementation keeps it while
/// it adds, and does not round it to `dtype`.
pub fn sum_kept(terms: impl IntoIterator<Item = Number>, dtype: DType, overflow: Label) -> Number {
    reduce(terms, dtype, overflow, Accumulator::finish_kept)
}

/// Does the same as [`sum()`] inside of a formula (see [`Accumulator::finish_inside`]).
pub fn sum_inside(terms: impl IntoIterator<Item = Number>, dtype: DType, overflow: Label) -> Number {
    reduce(terms, dtype, overflow, Accumulator::finish_inside)
}

/// Returns the sum of the elements that several tensors have at one place, in any order. An implementation may add one
/// tensor after the other and round each sum to the type of the tensors, or keep the sum in a wider type, where its
/// error is smaller. For real numbers only.
pub fn sum_in_type(terms: &[Number]) -> Number {
    let dtype = terms.first().map_or(DType::Float, Number::dtype);
    let mut accumulator = Accumulator::keeping(dtype, dtype);
    terms.iter().for_each(|term| accumulator.add(term.real()));
    Number::from(accumulator.finish()).opened_by(terms, |widest| {
        let mut accumulator = Accumulator::keeping(dtype, dtype);
        widest.into_iter().for_each(|term| accumulator.add(term));
        accumulator.finish()
    })
}

fn reduce(
    terms: impl IntoIterator<Item = Number>,
    dtype: DType,
    overflow: Label,
    finish: impl Fn(Accumulator) -> Real,
) -> Number {
    if !dtype.is_float() {
        let zero = Number::int(0, dtype);
        return terms.into_iter().fold(zero, |a, b| a + b).wraps(overflow);
    }
    let mut preferred = Accumulator::new(dtype);
    // The sum of the terms' widest intervals, which include their latitude. It is only computed if a term has latitude.
    let mut widest: Option<(Accumulator, Label)> = None;
    for term in terms {
        if let (None, Some(latitude)) = (&widest, term.latitude) {
            widest = Some((preferred.clone(), latitude.label));
        }
        preferred.add(term.real());
        if let Some((widest, _)) = &mut widest {
            widest.add(term.widest());
        }
    }
    let result = Number { kind: NumberKind::Real(finish(preferred)), latitude: None };
    match widest {
        Some((widest, label)) => result.or(finish(widest), label),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::precision;

    fn products(dtype: DType, pairs: &[(f64, f64)]) -> Real {
        let mut sum = Accumulator::new(dtype);
        pairs.iter().for_each(|&(a, b)| sum.add_exact_product(a, b));
        sum.finish()
    }

    #[test]
    fn products_may_be_rounded_to_their_type_where_the_policy_says_so() {
        // 1 + 2^-10 squared is 1 + 2^-9 + 2^-20, whose nearest float16 is 1 + 2^-9. The sum takes 1 from it.
        let [x, power] = [1.0 + 2f64.powi(-10), 2f64.powi(-9)];
        let sum = || {
            let mut sum = Accumulator::new(DType::Float16);
            [(x, x), (-1.0, 1.0)].iter().for_each(|&(a, b)| sum.add_exact_product(a, b));
            sum.finish_kept()
        };
        assert!(!sum().accepts(power));
        let declared = plumbline_spec::Numerics { low_precision_products: true, ..Default::default() };
        let policy = precision::Policy::new(&declared).unwrap();
        let rounded = precision::under(&policy, sum);
        assert!(rounded.accepts(power) && rounded.accepts(power + 2f64.powi(-20)));
        assert!(!rounded.accepts(power + 2f64.powi(-11)) && !rounded.accepts(power - 2f64.powi(-20)));
        // 512 squared is beyond float16.
        let beyond = || products(DType::Float16, &[(512.0, 512.0), (512.0, -511.0)]);
        assert!(!beyond().accepts(f64::INFINITY) && beyond().accepts(512.0));
        let beyond = precision::under(&policy, beyond);
        assert!(beyond.accepts(f64::INFINITY) && beyond.accepts(512.0));
    }

    #[test]
    fn products_beyond_float64_are_infinite_unless_others_make_up_for_them() {
        let up = products(DType::Double, &[(1e200, 1e200), (2.0, 3.0)]);
        assert!(up.accepts(f64::INFINITY) && !up.accepts(1e308) && !up.nan);
        let both = products(DType::Double, &[(1e200, 1e200), (-1e200, 1e200)]);
        assert!(both.accepts(0.0) && both.accepts(f64::NAN));
        // The infinity remains, unless an implementation rounds the product to the infinity of the other sign: then the
        // sum is NaN.
        let infinite = products(DType::Double, &[(f64::NEG_INFINITY, 1.0), (1e200, 1e200)]);
        assert!(infinite.accepts(f64::NEG_INFINITY) && infinite.accepts(f64::NAN) && !infinite.accepts(f64::INFINITY));
    }

    #[test]
    fn a_preferred_nan_or_infinity_among_other_accepted_values_stays_preferred() {
        for (astray, expected) in [(f64::NAN, f64::NAN), (f64::INFINITY, f64::INFINITY)] {
            let open = Real { mid: astray, ..Real::exact(2.0, DType::Float).or_anything() };
            let mut sum = Accumulator::new(DType::Float);
            sum.add(Real::exact(1.0, DType::Float));
            sum.add(open);
            let sum = sum.finish();
            assert_eq!(sum.mid.to_bits(), expected.to_bits(), "{sum:?}");
            assert!(sum.accepts(3.0) && sum.accepts(f64::NAN));
        }
    }

    #[test]
    fn zero_times_a_number_that_may_be_infinite_may_be_zero_or_nan() {
        let mut sum = Accumulator::new(DType::Float);
        let unbounded = Real { low: f64::NEG_INFINITY, high: f64::INFINITY, ..Real::exact(2.0, DType::Float) };
        sum.add_product(Real::exact(0.0, DType::Float), unbounded);
        let sum = sum.finish();
        assert!(sum.accepts(0.0) && sum.accepts(f64::NAN) && !sum.accepts(1.0), "{sum:?}");
        let infinite = Real { nan: true, ..Real::exact(f64::INFINITY, DType::Float) };
        let mut sum = Accumulator::new(DType::Float);
        sum.add_product(Real::exact(0.0, DType::Float), infinite);
        assert!(!sum.finish().accepts(0.0));
    }

    #[test]
    fn infinities_of_either_sign_may_meet() {
        let exact = |x| Real::exact(x, DType::Float);
        let beyond = exact(3e38).times(exact(1.5));
        let both = beyond.minus(beyond);
        assert!(both.accepts(f64::NAN), "{both:?}");
        let one = beyond.plus(exact(-3e38));
        assert!(one.accepts(f64::INFINITY) && !one.accepts(f64::NAN), "{one:?}");
    }

    #[test]
    fn sums_beyond_float64_are_infinite_and_not_nan() {
        let sum = products(DType::Double, &[(f64::MAX, 1.0), (f64::MAX, 1.0)]);
        assert!(sum.accepts(f64::INFINITY) && !sum.nan);
        let sum = products(DType::Double, &[(-f64::MAX, 1.0), (-f64::MAX, 1.0), (1.0, 1.0)]);
        assert!(sum.accepts(f64::NEG_INFINITY) && !sum.accepts(0.0) && !sum.nan, "{sum:?}");
    }

    #[test]
    fn a_term_that_is_infinite_only_in_its_type_may_be_kept_in_a_wider_type() {
        let sum = |terms: &[Real]| {
            let mut sum = Accumulator::new(DType::Float);
            terms.iter().for_each(|&x| sum.add(x));
            sum.finish()
        };
        let exact = |x| Real::exact(x, DType::Float);
        let (beyond, infinite) = (exact(3e38).times(exact(1.5)), exact(f64::INFINITY));
        let found = sum(&[beyond, infinite.neg()]);
        assert!(found.accepts(f64::NAN) && found.accepts(f64::NEG_INFINITY), "{found:?}");
        assert!(!found.accepts(f64::INFINITY) && !found.accepts(3e38), "{found:?}");
        let found = sum(&[beyond, beyond.neg(), exact(1.0)]);
        assert!(found.accepts(f64::NAN) && found.accepts(1.0), "{found:?}");
        let found = sum(&[infinite, infinite.neg(), beyond]);
        assert!(found.is_nan(), "{found:?}");
        let found = sum(&[beyond, exact(-3e38)]);
        assert!(found.accepts(f64::INFINITY) && found.accepts(1.5e38), "{found:?}");
        assert!(!found.accepts(1e38) && !found.accepts(f64::NEG_INFINITY), "{found:?}");
    }

    /// A later step does not know whether the number that overflowed is an infinity.
    #[test]
    fn steps_after_an_overflow_start_from_infinity_or_from_the_exact_result() {
        let exact = |x| Real::exact(x, DType::Float);
        let beyond = exact(3e38).times(exact(1.5));
        let mut sum = Accumulator::new(DType::Float);
        sum.add_product(beyond, exact(1e-10));
        let found = sum.finish();
        assert!(found.accepts(f64::INFINITY) && found.accepts(found.mid) && !found.accepts(4e28), "{found:?}");
        let mut sum = Accumulator::new(DType::Float);
        sum.add_product(beyond, exact(0.0));
        let found = sum.finish();
        assert!(found.accepts(f64::NAN) && found.accepts(0.0) && !found.accepts(1.0), "{found:?}");
        let found = beyond.power(exact(0.5));
        assert!(found.accepts(f64::INFINITY) && !found.accepts(1e18), "{found:?}");
    }

    #[test]
    fn inside_a_formula_a_sum_is_rounded_or_not() {
        let mut sum = Accumulator::new(DType::Float16);
        for x in [1.0, 0.00048828125, 0.000244140625] {
            sum.add(Real::exact(x, DType::Float16));
        }
        let inside = sum.clone().finish_inside();
        // 1 + 3 * 2^-12 is not halfway between two float16 numbers; the nearest one is 1 + 2^-10.
        assert_eq!((inside.low, inside.mid, inside.high), (1.000732421875, 1.000732421875, 1.0009765625));
        assert_eq!(sum.finish().mid, 1.0009765625);
    }

    #[test]
    fn a_product_with_bits_below_the_smallest_subnormal_is_rounded() {
        let smallest = f64::from(f32::from_bits(1));
        let sum = products(DType::Float, &[(smallest, 0.5), (smallest, 1.0)]);
        assert!(sum.accepts(smallest) && sum.accepts(2.0 * smallest));
        assert!(products(DType::Float, &[(smallest, 2.0), (smallest, 1.0)]).is_point());
    }

    /// Of float's smallest subnormal numbers, the products are 1.25, 0.5 and 1.5. Fused steps round 1.25 to 1, 1.5 to 2,
    /// and 3.5 to 4.
    #[test]
    fn a_fused_step_rounds_a_sum_of_subnormal_products() {
        let exact = |x| Real::exact(x, DType::Float);
        let smallest = f64::from(f32::from_bits(1));
        let mut sum = Accumulator::new(DType::Float);
        for product in [1.25, 0.5, 1.5] {
            sum.add(exact(product * 2f64.powi(-75)).times(exact(2f64.powi(-74))));
        }
        let sum = sum.finish();
        assert!(sum.accepts(3.0 * smallest) && sum.accepts(4.0 * smallest) && !sum.accepts(6.0 * smallest), "{sum:?}");
    }

    #[test]
    fn a_product_of_doubles_below_the_smallest_subnormal_is_rounded() {
        let smallest = f64::from_bits(1);
        let sum = products(DType::Double, &[(smallest, 37.0), (smallest, 10.5)]);
        assert!(
            sum.accepts(47.0 * smallest) && sum.accepts(48.0 * smallest) && !sum.accepts(50.0 * smallest),
            "{sum:?}"
        );
        assert!(products(DType::Double, &[(smallest, 37.0), (smallest, 10.0), (smallest, 0.0)]).is_point());
        // The second product is far below the smallest subnormal number and vanishes beside the first one.
        let sum = products(DType::Double, &[(smallest, 1.0), (1e-200, 1e-200)]);
        assert!(sum.accepts(smallest), "{sum:?}");
    }

    /// The exact sum is 2 + 2^-52, which is halfway between 2 and the next number, and is rounded to 2. The exact
    /// quotient of 1 by the sum is rounded to the number below a half.
    #[test]
    fn a_sum_that_is_rounded_to_a_power_of_two_is_not_exact() {
        let exact = |x| Real::exact(x, DType::Double);
        let mut sum = Accumulator::new(DType::Double);
        sum.add(exact(1.0));
        sum.add(exact(1.0 + f64::EPSILON));
        let share = exact(1.0).over(sum.finish_inside());
        assert!(share.accepts(0.5) && share.accepts(0.5f64.next_down()) && !share.accepts(0.5000000001), "{share:?}");
    }

    #[test]
    fn terms_of_one_sign_have_no_sum_of_the_other_sign() {
        let tiny = products(DType::Float, &[(1e-30, 1e-30)]);
        assert!(tiny.accepts(0.0) && !tiny.accepts(-1e-45));
    }
}
