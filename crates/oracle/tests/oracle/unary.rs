//! Laws of element-wise operators of one tensor: inverses, symmetries, and identities between functions. A law compares
//! two graphs that the oracle runs, or a graph with a function of real numbers. For two graphs, it checks that the
//! answers accept each other's preferred values ([`same`]), or only that the intervals overlap ([`meets`]). For a graph
//! and a function, it checks that the intervals of the graph contain the values of the function ([`holds`]).

use std::f64::consts::FRAC_PI_2;

use plumbline_oracle::{Expected, Judged, Oracle, Real};
use plumbline_tensor::{DType, Model, Tensor};
use proptest::prelude::*;

const OPSET: i64 = 25;

/// Runs nodes such as `"a = Exp(x)"` on the inputs `x` and `z`, or on `x` alone; returns the output of the last node.
fn run(nodes: &[&str], inputs: &[&Tensor]) -> Expected {
    let names = ["x", "z"][..inputs.len()].join(", ");
    let (output, _) = nodes.last().unwrap().split_once(" = ").unwrap();
    let nodes = nodes.join(" ");
    let text = format!("<opset_import: [\"\" : {OPSET}]> law ({names}) => ({output}) {{ {nodes} }}");
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    let inputs: Vec<_> = inputs.iter().map(|&t| t.clone().into()).collect();
    Oracle::default().answer(&model, &inputs).unwrap()[0].tensor().unwrap().clone()
}

/// Checks that the answers of the two graphs accept each other's preferred values.
fn same(nodes: &[&str], other: &[&str], x: &Tensor) {
    let (one, other) = (run(nodes, &[x]), run(other, &[x]));
    for i in 0..one.len() {
        let agree = one.judge(&other.tensor, i) == Judged::Accepted && other.judge(&one.tensor, i) == Judged::Accepted;
        assert!(agree, "{nodes:?} of {}: {} and {}", x.f64_at(i), one.describe(i), other.describe(i));
    }
}

/// Checks that the nodes return `x`, and that nothing else is accepted.
fn undone(nodes: &[&str], x: &Tensor) {
    let answer = run(nodes, &[x]);
    assert!(answer.bounds.is_none() && answer.latitude.is_empty(), "{nodes:?} accepts more than one answer");
    for i in 0..x.len() {
        assert_eq!(answer.judge(x, i), Judged::Accepted, "{nodes:?} of {}: {}", x.f64_at(i), answer.describe(i));
    }
}

fn real(answer: &Expected, i: usize) -> Real {
    answer.number(i).real()
}

/// Checks that the accepted intervals contain the values of the function `exact` at `x`.
#[track_caller]
fn holds(nodes: &[&str], x: &Tensor, exact: impl Fn(f64) -> f64) {
    let answer = run(nodes, &[x]);
    for i in 0..x.len() {
        let (y, exact) = (real(&answer, i), exact(x.f64_at(i)));
        let near = 4.0 * f64::EPSILON * exact.abs();
        assert!(
            y.low <= exact + near && exact - near <= y.high,
            "{nodes:?} of {:?}: {y:?} does not contain {exact:?}",
            x.f64_at(i)
        );
    }
}

/// Checks that the accepted intervals of the two graphs overlap.
#[track_caller]
fn meets(nodes: &[&str], other: &[&str], x: &Tensor) {
    let (one, other) = (run(nodes, &[x]), run(other, &[x]));
    for i in 0..x.len() {
        let (a, b) = (real(&one, i), real(&other, i));
        assert!(a.low <= b.high && b.low <= a.high, "{nodes:?} of {}: {a:?} and {b:?}", x.f64_at(i));
    }
}

/// A fraction above zero becomes +0; a negative one may become either zero.
#[test]
fn only_negative_fractions_become_any_zero() {
    for (operator, x, any_zero) in
        [("Floor", 0.5, false), ("Round", 0.25, false), ("Round", -0.25, true), ("Ceil", -0.5, true)]
    {
        let answer = run(&[&format!("y = {operator}(x)")], &[&tensor(DType::Float, &[x])]);
        let is_accepted = |zero: f64| answer.judge(&tensor(DType::Float, &[zero]), 0) == Judged::Accepted;
        assert_eq!([is_accepted(0.0), is_accepted(-0.0)], [true, any_zero], "{operator} of {x}");
    }
}

const FLOATS: [DType; 4] = [DType::Float, DType::Double, DType::Float16, DType::Bfloat16];

/// Draws numbers from a range, rounded to one of the floating-point types.
fn within(low: f64, high: f64) -> impl Strategy<Value = Tensor> {
    let values = prop::collection::vec(low..high, 1..8);
    (prop::sample::select(&FLOATS), values).prop_map(|(dtype, values)| tensor(dtype, &values))
}

/// Draws any bits of one of the floating-point types: zeros, infinities, NaN and subnormal numbers among them.
fn anything() -> impl Strategy<Value = Tensor> {
    let special = prop::sample::select(&[0.0, -0.0, 0.5, -0.5, 1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-45]);
    let bits = any::<u64>();
    (prop::sample::select(&FLOATS), prop::collection::vec(bits, 1..6), prop::collection::vec(special, 1..6)).prop_map(
        |(dtype, bits, special)| {
            let mask = u64::MAX >> (64 - 8 * dtype.size());
            let mut values = tensor(dtype, &special).to_f64s();
            let bits = bits.iter().map(|b| b & mask);
            values.extend(Tensor::from_bits(dtype, vec![bits.len()], bits).unwrap().to_f64s());
            tensor(dtype, &values)
        },
    )
}

fn tensor(dtype: DType, values: &[f64]) -> Tensor {
    Tensor::from_f64s(dtype, vec![values.len()], values).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: Neg, Abs, Sign, Relu
    #[test]
    fn negation_and_magnitude_follow_the_sign(x in anything()) {
        undone(&["a = Neg(x)", "y = Neg(a)"], &x);
        same(&["a = Abs(x)", "y = Abs(a)"], &["y = Abs(x)"], &x);
        same(&["a = Neg(x)", "y = Abs(a)"], &["y = Abs(x)"], &x);
        same(&["a = Neg(x)", "y = Sign(a)"], &["a = Sign(x)", "y = Neg(a)"], &x);
        same(&["a = Sign(x)", "y = Sign(a)"], &["y = Sign(x)"], &x);
        same(&["a = Relu(x)", "y = Relu(a)"], &["y = Relu(x)"], &x);
    }

    /// Law: Ceil, Floor, Round
    #[test]
    fn rounding_is_idempotent_and_symmetric(x in anything()) {
        same(&["y = Ceil(x)"], &["a = Neg(x)", "b = Floor(a)", "y = Neg(b)"], &x);
        same(&["a = Neg(x)", "y = Round(a)"], &["a = Round(x)", "y = Neg(a)"], &x);
        for operator in ["Floor", "Ceil", "Round"] {
            let (once, again) = (format!("a = {operator}(x)"), format!("y = {operator}(a)"));
            same(&[&once, &again], &[&once], &x);
        }
        // Rounding does not change a whole number.
        same(&["a = Floor(x)", "y = Round(a)"], &["y = Floor(x)"], &x);
    }

    /// Law: IsNaN, Equal, Not, IsInf
    #[test]
    fn nan_and_infinity_are_found_whatever_their_sign(x in anything()) {
        same(&["y = IsNaN(x)"], &["a = Equal(x, x)", "y = Not(a)"], &x);
        same(&["a = Neg(x)", "y = IsNaN(a)"], &["y = IsNaN(x)"], &x);
        same(&["a = Abs(x)", "y = IsInf(a)"], &["y = IsInf(x)"], &x);
    }

    /// Law: Not, BitwiseNot, BitwiseXor, BitwiseAnd
    #[test]
    fn negating_twice_changes_nothing(bits in prop::collection::vec(any::<bool>(), 1..8), bytes in prop::collection::vec(any::<i8>(), 1..8)) {
        let x = Tensor::from_bits(DType::Bool, vec![bits.len()], bits.iter().map(|&b| u64::from(b))).unwrap();
        undone(&["a = Not(x)", "y = Not(a)"], &x);
        let x = Tensor::from_bits(DType::Int8, vec![bytes.len()], bytes.iter().map(|&b| b as u8 as u64)).unwrap();
        undone(&["a = BitwiseNot(x)", "y = BitwiseNot(a)"], &x);
        same(&["y = BitwiseXor(x, x)"], &["a = BitwiseNot(x)", "y = BitwiseAnd(a, x)"], &x);
    }

    /// Law: Exp, Log, Reciprocal, Sqrt, Sinh, Asinh, Cosh, Acosh, Sin, Asin, Tan, Atan, Acos, Cos, Atanh, Tanh
    #[test]
    fn a_function_and_its_inverse_cancel(x in within(-9.0, 9.0), positive in within(1e-3, 6e4), near in within(-1.5, 1.5), unit in within(-0.99, 0.99)) {
        holds(&["a = Exp(x)", "y = Log(a)"], &x, |x| x);
        holds(&["a = Log(x)", "y = Exp(a)"], &positive, |x| x);
        holds(&["a = Reciprocal(x)", "y = Reciprocal(a)"], &positive, |x| x);
        holds(&["a = Sqrt(x)", "y = Mul(a, a)"], &positive, |x| x);
        holds(&["a = Sinh(x)", "y = Asinh(a)"], &x, |x| x);
        holds(&["a = Cosh(x)", "y = Acosh(a)"], &x, f64::abs);
        holds(&["a = Sin(x)", "y = Asin(a)"], &near, |x| x);
        holds(&["a = Tan(x)", "y = Atan(a)"], &near, |x| x);
        holds(&["a = Acos(x)", "y = Cos(a)"], &unit, |x| x);
        holds(&["a = Atanh(x)", "y = Tanh(a)"], &unit, |x| x);
    }

    /// Law: Sin, Tan, Sinh, Tanh, Atan, Asinh, Erf, Softsign, Cos, Cosh
    #[test]
    fn odd_and_even_functions_are_symmetric(x in within(-30.0, 30.0)) {
        for odd in ["Sin", "Tan", "Sinh", "Tanh", "Atan", "Asinh", "Erf", "Softsign"] {
            let (of_neg, of) = (format!("y = {odd}(a)"), format!("a = {odd}(x)"));
            same(&["a = Neg(x)", &of_neg], &[&of, "y = Neg(a)"], &x);
        }
        for even in ["Cos", "Cosh"] {
            let (of_neg, of) = (format!("y = {even}(a)"), format!("y = {even}(x)"));
            same(&["a = Neg(x)", &of_neg], &[&of], &x);
        }
    }

    /// Law: Sin, Cos, Cosh, Sinh, Sub, Asin, Acos, Atan, Reciprocal, Sigmoid, Softplus, Relu, Tan, Div, Tanh, Exp, HardSwish
    #[test]
    fn identities_of_functions_hold(x in within(-8.0, 8.0), positive in within(1e-2, 1e2), unit in within(-0.99, 0.99)) {
        holds(&["a = Sin(x)", "b = Cos(x)", "c = Mul(a, a)", "d = Mul(b, b)", "y = Add(c, d)"], &x, |_| 1.0);
        holds(&["a = Cosh(x)", "b = Sinh(x)", "c = Mul(a, a)", "d = Mul(b, b)", "y = Sub(c, d)"], &x, |_| 1.0);
        holds(&["a = Asin(x)", "b = Acos(x)", "y = Add(a, b)"], &unit, |_| FRAC_PI_2);
        holds(&["a = Atan(x)", "b = Reciprocal(x)", "c = Atan(b)", "y = Add(a, c)"], &positive, |_| FRAC_PI_2);
        holds(&["a = Sigmoid(x)", "b = Neg(x)", "c = Sigmoid(b)", "y = Add(a, c)"], &x, |_| 1.0);
        holds(&["a = Softplus(x)", "b = Neg(x)", "c = Softplus(b)", "y = Sub(a, c)"], &x, |x| x);
        holds(&["a = Relu(x)", "b = Neg(x)", "c = Relu(b)", "y = Sub(a, c)"], &x, |x| x);
        meets(&["y = Tan(x)"], &["a = Sin(x)", "b = Cos(x)", "y = Div(a, b)"], &unit);
        meets(&["y = Tanh(x)"], &["a = Sinh(x)", "b = Cosh(x)", "y = Div(a, b)"], &x);
        meets(&["y = Sinh(x)"], &["a = Cosh(x)", "b = Exp(x)", "y = Sub(b, a)"], &x);
        meets(&["y = Sigmoid(x)"], &["a = Neg(x)", "b = Softplus(a)", "c = Neg(b)", "y = Exp(c)"], &x);
        meets(&["y = Tanh(x)"], &["a = Add(x, x)", "b = Sigmoid(a)", "c = Neg(a)", "d = Sigmoid(c)", "y = Sub(b, d)"], &x);
        meets(&["y = HardSwish(x)"], &["a = Neg(x)", "b = HardSwish(a)", "y = Add(x, b)"], &x);
    }

    /// Softplus is convex, and its slope is Sigmoid: between two points it rises at least with the slope at the lower
    /// point, and at most with the slope at the upper one.
    /// Law: Softplus, Sigmoid
    #[test]
    fn the_slope_of_softplus_is_sigmoid(at in within(-8.0, 8.0), step in 0.01f64..2.0) {
        let dtype = at.dtype();
        let upper: Vec<f64> = at.to_f64s().iter().map(|x| x + step).collect();
        let upper = tensor(dtype, &upper);
        let (climb, low, high) = (
            run(&["a = Softplus(x)", "b = Softplus(z)", "y = Sub(b, a)"], &[&at, &upper]),
            run(&["d = Sub(z, x)", "s = Sigmoid(x)", "y = Mul(d, s)"], &[&at, &upper]),
            run(&["d = Sub(z, x)", "s = Sigmoid(z)", "y = Mul(d, s)"], &[&at, &upper]),
        );
        for i in 0..at.len() {
            let (climb, low, high) = (real(&climb, i), real(&low, i), real(&high, i));
            prop_assert!(low.low <= climb.high && climb.low <= high.high, "{climb:?} {low:?} {high:?}");
            prop_assert!(low.mid <= climb.mid * (1.0 + 1e-9) + 1e-12 && climb.mid <= high.mid * (1.0 + 1e-9) + 1e-12);
        }
    }
}
