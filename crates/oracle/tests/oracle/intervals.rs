//! Compares the oracle's intervals with the floating-point arithmetic of this machine: results of correct
//! implementations are accepted, and wrong results are not.

use half::f16;
use plumbline_oracle::{Accumulator, Number, Real};
use plumbline_tensor::DType;
use proptest::prelude::*;

fn f32s() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>(),
        -100.0f32..100.0,
        -1.0f32..1.0,
        prop::sample::select(vec![
            0.0f32,
            -0.0,
            1.0,
            -1.0,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-45,
            f32::INFINITY,
            f32::NAN
        ]),
    ]
}

fn single(x: f32) -> Number {
    Real::exact(f64::from(x), DType::Float).into()
}

fn double(x: f64) -> Number {
    Real::exact(x, DType::Double).into()
}

fn narrow(x: f16) -> Number {
    Real::exact(x.to_f64(), DType::Float16).into()
}

fn check(what: &str, number: Number, native: f64) -> Result<(), TestCaseError> {
    let real = number.real();
    prop_assert!(
        real.accepts(native),
        "{what}: {native:?} is not in [{:?}, {:?}], NaN accepted: {}",
        real.low,
        real.high,
        real.nan
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn one_step_of_arithmetic_is_accepted(a in f32s(), b in f32s()) {
        check("a + b", single(a) + single(b), f64::from(a + b))?;
        check("a - b", single(a) - single(b), f64::from(a - b))?;
        check("a * b", single(a) * single(b), f64::from(a * b))?;
        check("a / b", single(a) / single(b), f64::from(a / b))?;
        check("fmod", single(a).fmod(single(b)), f64::from(a % b))?;
        let (x, y) = (f64::from(a), f64::from(b));
        check("double +", double(x) + double(y), x + y)?;
        check("double /", double(x) / double(y), x / y)?;
    }

    #[test]
    fn quotients_by_powers_of_two_are_accepted(a in f32s(), exponent in -120i32..120, negative in any::<bool>()) {
        let b = if negative { -(2.0f32.powi(exponent)) } else { 2.0f32.powi(exponent) };
        let quotient = single(a) / single(b);
        check("a / b", quotient, f64::from(a / b))?;
        check("a * (1 / b)", quotient, f64::from(a * b.recip()))?;
        check("a * reciprocal", quotient, f64::from(a * refined_reciprocal(b)))?;
    }

    #[test]
    fn half_precision_is_accepted_in_its_own_type_and_in_float(a in any::<u16>(), b in any::<u16>(), c in any::<u16>()) {
        let (a, b, c) = (f16::from_bits(a), f16::from_bits(b), f16::from_bits(c));
        // One implementation rounds after every step, and another one keeps the value in float until the end.
        let stepwise = f16::from_f32(f16::from_f32(a.to_f32() * b.to_f32()).to_f32() + c.to_f32());
        let kept = f16::from_f32(a.to_f32() * b.to_f32() + c.to_f32());
        let oracle = narrow(a) * narrow(b) + narrow(c);
        check("stepwise", oracle, stepwise.to_f64())?;
        check("kept in float", oracle, kept.to_f64())?;
    }

    #[test]
    fn functions_in_float_are_accepted(x in f32s()) {
        let n = single(x);
        check("exp", n.exp(), f64::from(x.exp()))?;
        check("log", n.log(), f64::from(x.ln()))?;
        check("sqrt", n.sqrt(), f64::from(x.sqrt()))?;
        check("tanh", n.tanh(), f64::from(x.tanh()))?;
        check("sin", n.sin(), f64::from(x.sin()))?;
        check("cos", n.cos(), f64::from(x.cos()))?;
        check("tan", n.tan(), f64::from(x.tan()))?;
        check("asinh", n.asinh(), f64::from(x).asinh() as f32 as f64)?;
        check("atan", n.atan(), f64::from(x.atan()))?;
        check("acos", n.acos(), f64::from(x.acos()))?;
        check("cosh", n.cosh(), f64::from(x.cosh()))?;
        let y = f64::from(x);
        check("double exp", double(y).exp(), y.exp())?;
        check("double tanh", double(y).tanh(), y.tanh())?;
        check("double log", double(y).log(), y.ln())?;
    }

    #[test]
    fn a_chain_of_steps_in_float_is_accepted(x in -200.0f32..200.0) {
        let n = single(x);
        let sigmoid = 1.0f32 / (1.0 + (-x).exp());
        check("sigmoid", n.like(1.0) / (n.like(1.0) + (-n).exp()), f64::from(sigmoid))?;
    }

    #[test]
    fn sums_in_any_order_are_accepted(terms in prop::collection::vec(prop_oneof![-1e3f32..1e3, -1.0f32..1.0, Just(1e7f32)], 1..60), seed in any::<u64>()) {
        let mut accumulator = Accumulator::new(DType::Float);
        terms.iter().for_each(|&t| accumulator.add(Real::exact(f64::from(t), DType::Float)));
        let oracle = accumulator.finish();
        let mut order = terms.clone();
        let mut rng = fastrand::Rng::with_seed(seed);
        rng.shuffle(&mut order);
        let forward: f32 = order.iter().sum();
        prop_assert!(oracle.accepts(f64::from(forward)), "{forward} outside [{}, {}]", oracle.low, oracle.high);
        // The loop adds the terms pairwise.
        let mut level = order;
        while level.len() > 1 {
            level = level.chunks(2).map(|c| c.iter().sum()).collect();
        }
        prop_assert!(oracle.accepts(f64::from(level[0])), "pairwise {} outside [{}, {}]", level[0], oracle.low, oracle.high);
    }

    #[test]
    fn dot_products_fused_and_not_are_accepted(pairs in prop::collection::vec((-10.0f32..10.0, -10.0f32..10.0), 1..60)) {
        let mut accumulator = Accumulator::new(DType::Float);
        pairs.iter().for_each(|&(a, b)| accumulator.add_exact_product(f64::from(a), f64::from(b)));
        let oracle = accumulator.finish();
        let plain = pairs.iter().fold(0.0f32, |s, (a, b)| s + a * b);
        let fused = pairs.iter().fold(0.0f32, |s, (a, b)| a.mul_add(*b, s));
        prop_assert!(oracle.accepts(f64::from(plain)) && oracle.accepts(f64::from(fused)));
    }

    #[test]
    fn half_sums_kept_in_float_are_accepted(terms in prop::collection::vec(-100.0f32..100.0, 1..40)) {
        let terms: Vec<f16> = terms.into_iter().map(f16::from_f32).collect();
        let mut accumulator = Accumulator::new(DType::Float16);
        terms.iter().for_each(|t| accumulator.add(Real::exact(t.to_f64(), DType::Float16)));
        let oracle = accumulator.finish();
        let kept = f16::from_f32(terms.iter().map(|t| t.to_f32()).sum::<f32>());
        prop_assert!(oracle.accepts(kept.to_f64()), "{kept} outside [{}, {}]", oracle.low, oracle.high);
    }

    /// Checks that wrong answers are noticed: values that are off by two units in the last place from a correctly
    /// rounded sum or product, and a sum that misses a term.
    #[test]
    fn wrong_results_are_not_accepted(a in -1e6f32..1e6, b in -1e6f32..1e6, terms in prop::collection::vec(1.0f32..2.0, 2..40)) {
        let sum = a + b;
        prop_assume!(sum.abs() > 1e-3);
        let two_off = f32::from_bits(sum.to_bits() + 2);
        prop_assert!(!(single(a) + single(b)).real().accepts(f64::from(two_off)));
        let product = a * b;
        prop_assume!(product.abs() > 1e-3);
        prop_assert!(!(single(a) * single(b)).real().accepts(f64::from(f32::from_bits(product.to_bits() + 2))));
        let mut accumulator = Accumulator::new(DType::Float);
        terms.iter().for_each(|&t| accumulator.add(Real::exact(f64::from(t), DType::Float)));
        let short: f32 = terms[1..].iter().sum();
        prop_assert!(!accumulator.finish().accepts(f64::from(short)));
    }
}

#[test]
fn a_quotient_by_a_power_of_two_is_exact_unless_something_is_subnormal() {
    let over = |a: f32, b: f32| (single(a) / single(b)).real();
    for (a, b) in [(4.0f32, 2.0f32), (0.3, -0.25), (f32::MIN_POSITIVE, 0.5), (f32::MAX, 1024.0), (-7.0, 1.0)] {
        let quotient = over(a, b);
        assert_eq!((quotient.low, quotient.high), (f64::from(a / b), f64::from(a / b)), "{a} / {b}");
    }
    // The oracle accepts an interval if the divisor is not a power of two, or if the quotient, the divisor or the
    // reciprocal of the divisor is subnormal.
    let tiny = f32::MIN_POSITIVE;
    for (a, b) in [(6.0, 3.0), (tiny, 2.0), (1.0, tiny / 2.0), (f32::MAX, 2.0f32.powi(127))] {
        assert!(!over(a, b).is_point(), "{a} / {b}");
    }
    let narrow_quotient = (narrow(f16::from_f32(4.0)) / narrow(f16::from_f32(2.0))).real();
    assert!(narrow_quotient.is_point());
}

/// Returns the reciprocal that a table and Newton's steps give in float32.
fn refined_reciprocal(b: f32) -> f32 {
    let (mantissa, exponent) = libm::frexpf(b);
    let table = libm::ldexpf(((1.0 / mantissa) * 256.0).round() / 256.0, -exponent);
    (0..3).fold(table, |r, _| r * (2.0 - b * r))
}

#[test]
fn small_integers_sum_exactly() {
    let mut accumulator = Accumulator::new(DType::Float);
    (0..1000).for_each(|i| accumulator.add(Real::exact(f64::from(i % 17), DType::Float)));
    let sum = accumulator.finish();
    assert_eq!((sum.low, sum.high), (sum.mid, sum.mid));
}

#[test]
fn overflow_and_opposite_infinities() {
    let max = f64::from(f32::MAX);
    let sum = |terms: &[f64]| {
        let mut accumulator = Accumulator::new(DType::Float);
        terms.iter().for_each(|&t| accumulator.add(Real::exact(t, DType::Float)));
        accumulator.finish()
    };
    let crossing = sum(&[max, max, -max]);
    assert!(crossing.accepts(f64::INFINITY) && crossing.accepts(max) && !crossing.accepts(f64::NAN));
    assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
    let infinite = sum(&[f64::INFINITY, -1.0]);
    assert!(infinite.accepts(f64::INFINITY) && !infinite.accepts(max) && !infinite.accepts(f64::NAN));
    let beyond = single(f32::MAX) + single(f32::MAX);
    assert!(beyond.real().accepts(f64::INFINITY) && !beyond.real().accepts(max));
}
