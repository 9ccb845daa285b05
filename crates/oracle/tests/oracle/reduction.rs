//! Laws of reductions, scans, selections and matrix products. The oracle accepts results that are computed in float, in
//! any order, with or without fused multiply-add, and does not accept slightly wrong results. Two models that compute
//! the same agree.

use crate::common::expected_outputs;
use plumbline_oracle::{Expected, Judged};
use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

fn run(node: &str, inputs: &[&Tensor]) -> Expected {
    expected_outputs(node, 24, inputs, 1).remove(0)
}

fn list(values: &[f32]) -> Tensor {
    Tensor::from_f32s(vec![values.len()], values).unwrap()
}

fn ints(shape: &[usize], values: &[i64]) -> Tensor {
    Tensor::from_i64s(values).reshaped(shape.to_vec()).unwrap()
}

/// Returns whether the oracle's answer, which has one element, accepts this value.
fn accepts(expected: &Expected, value: f32) -> bool {
    let answer = Tensor::from_f32s(expected.shape().to_vec(), &[value]).unwrap();
    expected.judge(&answer, 0) == Judged::Accepted
}

/// Reduces a list pair by pair: each half first, then the two results.
fn pairwise(values: &[f32], add: fn(f32, f32) -> f32, none: f32) -> f32 {
    match values {
        [] => none,
        [x] => *x,
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            add(pairwise(left, add, none), pairwise(right, add, none))
        }
    }
}

fn plus(a: f32, b: f32) -> f32 {
    a + b
}

fn times(a: f32, b: f32) -> f32 {
    a * b
}

/// Draws elements, and the same elements in another order.
fn shuffled(of: impl Strategy<Value = f32> + Clone + 'static) -> impl Strategy<Value = (Vec<f32>, Vec<f32>)> {
    prop::collection::vec(of, 1..60).prop_flat_map(|values| (Just(values.clone()), Just(values).prop_shuffle()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: ReduceSum, ReduceMean, ReduceSumSquare, ReduceL2
    #[test]
    fn sums_in_any_order_are_accepted((x, other) in shuffled(-1e3f32..1e3)) {
        let tensor = list(&x);
        let sum = run("ReduceSum", &[&tensor]);
        let mean = run("ReduceMean", &[&tensor]);
        let squares = run("ReduceSumSquare", &[&tensor]);
        let norm = run("ReduceL2", &[&tensor]);
        let n = x.len() as f32;
        for order in [&x, &other] {
            for total in [order.iter().sum(), pairwise(order, plus, 0.0)] {
                prop_assert!(accepts(&sum, total));
                prop_assert!(accepts(&mean, total / n) && accepts(&mean, total * (1.0 / n)));
            }
            let squared: Vec<f32> = order.iter().map(|x| x * x).collect();
            let fused = order.iter().fold(0.0, |sum: f32, x| x.mul_add(*x, sum));
            for total in [squared.iter().sum(), pairwise(&squared, plus, 0.0), fused] {
                prop_assert!(accepts(&squares, total) && accepts(&norm, total.sqrt()));
            }
            let largest = order.iter().fold(0.0f32, |m, x| m.max(x.abs()));
            if largest > 0.0 {
                let scaled: f32 = order.iter().map(|x| (x / largest) * (x / largest)).sum();
                prop_assert!(accepts(&norm, scaled.sqrt() * largest));
            }
        }
        // A sum with one term too many is not accepted.
        let wrong = x.iter().sum::<f32>() + x.iter().map(|x| x.abs()).fold(1.0, f32::max);
        prop_assert!(!accepts(&sum, wrong));
    }

    /// Law: ReduceProd
    #[test]
    fn products_in_any_order_are_accepted((x, other) in shuffled(prop_oneof![0.5f32..2.0, -2.0f32..-0.5])) {
        let product = run("ReduceProd", &[&list(&x)]);
        for order in [&x, &other] {
            prop_assert!(accepts(&product, order.iter().product()) && accepts(&product, pairwise(order, times, 1.0)));
        }
        let wrong = x.iter().product::<f32>() * 1.01;
        prop_assert!(!accepts(&product, wrong));
    }

    /// Law: ReduceLogSumExp
    #[test]
    fn logarithms_of_sums_by_either_formula_are_accepted((x, other) in shuffled(-40f32..40.0)) {
        let tensor = list(&x);
        let result = run("ReduceLogSumExp", &[&tensor]);
        let largest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for order in [&x, &other] {
            let plain: f32 = order.iter().map(|x| x.exp()).sum();
            let shifted: f32 = order.iter().map(|x| (x - largest).exp()).sum();
            prop_assert!(accepts(&result, plain.ln()) && accepts(&result, shifted.ln() + largest));
        }
        prop_assert!(!accepts(&result, largest + (x.len() as f32).ln() + 0.1));
    }

    /// Law: Softmax, LogSoftmax
    #[test]
    fn softmax_of_a_row_in_float_is_accepted((x, other) in shuffled(-60f32..60.0)) {
        let tensor = list(&x);
        let (softmax, log) = (run("Softmax", &[&tensor]), run("LogSoftmax", &[&tensor]));
        let largest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for order in [&x, &other] {
            let total: f32 = order.iter().map(|x| (x - largest).exp()).sum();
            let shares: Vec<f32> = x.iter().map(|x| (x - largest).exp() / total).collect();
            let logs: Vec<f32> = x.iter().map(|x| (x - largest) - total.ln()).collect();
            let (shares, logs) = (list(&shares), list(&logs));
            for i in 0..x.len() {
                // The oracle does not accept zero in place of most subnormal results. So this test needs an `exp` that
                // computes subnormal results, as glibc's does; others return zero instead.
                prop_assert_eq!(softmax.judge(&shares, i), Judged::Accepted);
                prop_assert_eq!(log.judge(&logs, i), Judged::Accepted);
            }
        }
        let sum: f64 = (0..x.len()).map(|i| softmax.number(i).mid()).sum();
        prop_assert!((sum - 1.0).abs() < 1e-6);
    }

    /// Law: MatMul
    #[test]
    fn dot_products_fused_or_not_are_accepted(pairs in prop::collection::vec((-1e2f32..1e2, -1e2f32..1e2), 1..80)) {
        let (x, y): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
        let (a, b) = (list(&x), list(&y));
        let dot = run("MatMul", &[&a, &b]);
        let products: Vec<f32> = pairs.iter().map(|(x, y)| x * y).collect();
        let fused = pairs.iter().fold(0.0f32, |sum, (x, y)| x.mul_add(*y, sum));
        let backwards: f32 = products.iter().rev().sum();
        for value in [products.iter().sum(), backwards, pairwise(&products, plus, 0.0), fused] {
            prop_assert!(accepts(&dot, value));
        }
    }

    /// Law: Gemm
    #[test]
    fn gemm_with_factors_before_or_after_the_sum_is_accepted(
        pairs in prop::collection::vec((-9f32..9.0, -9f32..9.0), 1..30), c in -9f32..9.0, alpha in -3f32..3.0, beta in -3f32..3.0,
    ) {
        let (x, y): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
        let (a, b) = (list(&x).reshaped(vec![1, x.len()]).unwrap(), list(&y).reshaped(vec![y.len(), 1]).unwrap());
        let gemm = run(&format!("Gemm <alpha = {alpha:?}, beta = {beta:?}>"), &[&a, &b, &list(&[c])]);
        let after: f32 = alpha * pairs.iter().map(|(x, y)| x * y).sum::<f32>() + beta * c;
        let before: f32 = pairs.iter().map(|(x, y)| (alpha * x) * y).sum::<f32>() + beta * c;
        let from_c = pairs.iter().fold(beta * c, |sum, (x, y)| (alpha * x).mul_add(*y, sum));
        let fused = alpha.mul_add(pairs.iter().fold(0.0f32, |sum, (x, y)| x.mul_add(*y, sum)), beta * c);
        for value in [after, before, from_c, fused] {
            prop_assert!(accepts(&gemm, value), "{value} {:?}", gemm.number(0));
        }
    }

    /// Law: ReduceSum, ReduceMax, ReduceMin, ReduceL1
    #[test]
    fn reducing_two_axes_one_after_the_other_is_reducing_both_at_once(values in prop::collection::vec(-99i64..99, 24), a in 0i64..3, b in 0i64..3) {
        prop_assume!(a != b);
        let x = ints(&[2, 3, 4], &values);
        for op in ["ReduceSum", "ReduceMax", "ReduceMin", "ReduceL1"] {
            let axes = |axes: &[i64]| Tensor::from_i64s(axes);
            let once = run(op, &[&x, &axes(&[a, b])]);
            let first = run(op, &[&x, &axes(&[a - 3])]);
            let second = run(op, &[&first.tensor, &axes(&[b])]);
            prop_assert_eq!(&once.tensor, &second.tensor);
        }
    }

    /// Law: CumSum, ReduceSum
    #[test]
    fn scans_end_in_reductions(values in prop::collection::vec(-9i64..9, 12)) {
        let x = ints(&[3, 4], &values);
        let axis = Tensor::from_i64(1);
        let scan = |attributes: &str| run(&format!("CumSum {attributes}"), &[&x, &axis]).tensor.to_i128s();
        let (forth, back) = (scan(""), scan("<reverse = 1>"));
        let (before, after) = (scan("<exclusive = 1>"), scan("<exclusive = 1, reverse = 1>"));
        let total = run("ReduceSum", &[&x, &Tensor::from_i64s(&[1])]).tensor.to_i128s();
        for i in 0..12 {
            prop_assert_eq!(forth[i] + after[i], total[i / 4]);
            prop_assert_eq!(before[i] + back[i], total[i / 4]);
            prop_assert_eq!(before[i] + i128::from(values[i]), forth[i]);
        }
    }

    /// Law: TopK, ArgMax, ArgMin
    #[test]
    fn the_first_index_of_top_k_is_that_of_arg_max(values in prop::collection::vec(-3i64..3, 12), largest in 0i64..2) {
        let x = ints(&[3, 4], &values);
        let top = expected_outputs(&format!("TopK <largest = {largest}>"), 24, &[&x, &Tensor::from_i64s(&[4])], 2);
        let arg = run(&format!("{} <axis = -1>", if largest == 1 { "ArgMax" } else { "ArgMin" }), &[&x]).tensor.to_i128s();
        let (picked, places) = (top[0].tensor.to_i128s(), top[1].tensor.to_i128s());
        for row in 0..3 {
            prop_assert_eq!(places[4 * row], arg[row]);
            for k in 0..4 {
                prop_assert_eq!(picked[4 * row + k], i128::from(values[4 * row + places[4 * row + k] as usize]));
                if k > 0 {
                    let (before, here) = (4 * row + k - 1, 4 * row + k);
                    let ahead = if largest == 1 { picked[before] > picked[here] } else { picked[before] < picked[here] };
                    prop_assert!(ahead || picked[before] == picked[here] && places[before] < places[here]);
                }
            }
        }
    }

    /// Law: Unique
    #[test]
    fn unique_elements_and_indices_restore_the_input(values in prop::collection::vec(-3i64..3, 1..20), sorted in 0i64..2) {
        let x = ints(&[values.len()], &values);
        let found = expected_outputs(&format!("Unique <sorted = {sorted}>"), 24, &[&x], 4);
        let [y, firsts, inverse, counts] = [0, 1, 2, 3].map(|i| found[i].tensor.to_i128s());
        let again: Vec<i64> = inverse.iter().map(|&place| y[place as usize] as i64).collect();
        prop_assert_eq!(&again, &values);
        prop_assert_eq!(counts.iter().sum::<i128>(), values.len() as i128);
        for (k, &first) in firsts.iter().enumerate() {
            prop_assert_eq!(values.iter().position(|&v| i128::from(v) == y[k]), Some(first as usize));
        }
        let order = if sorted == 1 { &y } else { &firsts };
        prop_assert!(order.windows(2).all(|pair| pair[0] < pair[1]));
    }

    /// Law: Transpose, MatMul, Gemm
    #[test]
    fn a_transposed_product_is_the_product_of_the_transposed_matrices(a in prop::collection::vec(-9i64..9, 6), b in prop::collection::vec(-9i64..9, 12)) {
        let (a, b) = (ints(&[2, 3], &a), ints(&[3, 4], &b));
        let transpose = |x: &Tensor| run("Transpose", &[x]).tensor;
        let one = transpose(&run("MatMul", &[&a, &b]).tensor);
        prop_assert_eq!(&one, &run("MatMul", &[&transpose(&b), &transpose(&a)]).tensor);
        let by_attribute = run("Gemm <transA = 1, transB = 1>", &[&b, &a]).tensor;
        prop_assert_eq!(one, by_attribute);
    }
}

/// Most implementations add 16-bit elements in float, in any order.
/// Law: ReduceSum
#[test]
fn elements_of_16_bits_are_added_in_float() {
    let values: Vec<f64> = (0..200).map(|i| f64::from(i % 23) / 7.0 - 1.3).collect();
    for dtype in [DType::Float16, DType::Bfloat16] {
        let x = Tensor::from_f64s(dtype, vec![200], &values).unwrap();
        let total: f32 = x.to_f64s().iter().map(|&x| x as f32).sum();
        let sum = run("ReduceSum", &[&x]);
        let answer = Tensor::from_f64s(dtype, vec![1], &[f64::from(total)]).unwrap();
        assert_eq!(sum.judge(&answer, 0), Judged::Accepted);
        // A sum that is kept in the 16-bit type itself would have a wider interval.
        assert!(sum.width_ulp(0) <= 1.0, "{dtype}: {}", sum.width_ulp(0));
    }
}

#[test]
fn a_weighted_mean_with_overflowing_sums_may_be_nan() {
    let input = Tensor::from_f32s(vec![2, 2], &[-1.5; 4]).unwrap();
    let labels = ints(&[2], &[0, 1]);
    let of = |weight: f32| run("NegativeLogLikelihoodLoss", &[&input, &labels, &list(&[weight; 2])]);
    for weight in [2e38, 1.8e38] {
        let open = of(weight);
        assert!((open.tensor.f64_at(0) - 1.5).abs() < 1e-5);
        let nan = Tensor::from_f32s(vec![], &[f32::NAN]).unwrap();
        assert!(accepts(&open, 1.5) && matches!(open.judge(&nan, 0), Judged::Latitude(_)), "{weight}");
    }
    let closed = of(2.0);
    assert!(closed.is_certain() || closed.latitude.is_empty());
    assert!(accepts(&closed, 1.5) && !accepts(&closed, f32::NAN));
}
