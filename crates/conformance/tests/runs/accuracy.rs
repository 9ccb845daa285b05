//! A backend whose answers are accepted, and far less accurate than those of others: the ratio of its errors to usual ones
//! shows it, and the run stays green.

use plumbline_conformance::model::judge;
use plumbline_conformance::{FailKind, Verdict};
use plumbline_oracle::Oracle;
use plumbline_tensor::{DType, Model, Tensor, Value};

use crate::inaccurate::{Twist, map, run};

/// Returns positive numbers without a pattern, the same in each call.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1.0 + (state >> 8) as f32 / 16_777_216.0
    };
    (0..count).map(|_| next()).collect()
}

fn pairwise(x: &[f32]) -> f32 {
    match x {
        [] => 0.0,
        [x] => *x,
        _ => pairwise(&x[..x.len() / 2]) + pairwise(&x[x.len() / 2..]),
    }
}

/// Adds in order, and cuts each sum off instead of rounding it, as the adders of some matrix units do.
fn cut_off(x: &[f32]) -> f32 {
    let add = |sum: f32, x: f32| {
        let exact = f64::from(sum) + f64::from(x);
        let rounded = exact as f32;
        if f64::from(rounded) > exact { rounded.next_down() } else { rounded }
    };
    x.iter().fold(0.0, |sum, x| add(sum, *x))
}

/// Returns how a sum is judged, and the largest error in usual errors.
fn judged(x: &[f32], sum: f32) -> (Verdict, Option<FailKind>, Option<f64>) {
    let text = format!(
        "<ir_version: 8, opset_import: [\"\" : 13]> g (float[{}] x) => (float[1] y) {{ y = ReduceSum <keepdims = 1> (x) }}",
        x.len()
    );
    let model: Model = text.parse().unwrap();
    let tensor = |values: &[f32]| Value::from(Tensor::from_f32s(vec![values.len()], values).unwrap());
    let judgement = judge(&Oracle::default(), &model, &[tensor(x)], &[tensor(&[sum])]).unwrap();
    (judgement.verdict, judgement.kind, judgement.outputs[0].judgement.error_ratio)
}

#[test]
fn errors_of_one_sign_are_many_times_the_usual_ones_and_no_failure() {
    let x = numbers(4096);
    // Honest sums are too accurate to be measured, or within what is usual.
    let in_order = x.iter().fold(0.0, |sum, x| sum + x);
    for sum in [pairwise(&x), in_order] {
        let (verdict, kind, ratio) = judged(&x, sum);
        assert_eq!((verdict, kind), (Verdict::Pass, None));
        assert!(ratio.is_none_or(|ratio| ratio < 1.0), "{ratio:?}");
    }
    let (verdict, _, ratio) = judged(&x, cut_off(&x));
    assert_eq!(verdict, Verdict::Pass, "the bound for any order has room for it");
    assert!(ratio.is_some_and(|ratio| ratio > 8.0), "{ratio:?}");
    // The bound is 4,095 roundings of the sum, and usual are 64 of them.
    let exact: f64 = x.iter().copied().map(f64::from).sum();
    let just_inside = (exact * (1.0 - 4090.0 * f64::from(f32::EPSILON) / 2.0)) as f32;
    let (verdict, _, ratio) = judged(&x, just_inside);
    assert_eq!(verdict, Verdict::Pass);
    assert!(ratio.is_some_and(|ratio| (60.0..65.0).contains(&ratio)), "{ratio:?}");
    let (verdict, _, ratio) = judged(&x, just_inside - 10.0);
    assert_eq!((verdict, ratio), (Verdict::Fail, None), "wrong answers are not measured");
}

/// A function is usually off by an ULP, where its table may allow more.
#[test]
fn a_function_that_uses_all_of_its_table_is_noticed() {
    let judged = |y: f64| {
        let model: Model = "<ir_version: 8, opset_import: [\"\" : 13]> g (float[1] x) => (float[1] y) { y = Tan (x) }"
            .parse()
            .unwrap();
        let tensor = |x: f64| Value::from(Tensor::from_f64s(DType::Float, vec![1], &[x]).unwrap());
        let judgement = judge(&Oracle::default(), &model, &[tensor(0.875)], &[tensor(y)]).unwrap();
        (judgement.verdict, judgement.outputs[0].judgement.error_ratio)
    };
    let (exact, ulp) = (0.875f64.tan(), f64::from(f32::EPSILON));
    assert_eq!(judged(exact), (Verdict::Pass, None));
    let (verdict, ratio) = judged(exact + 4.0 * ulp);
    assert_eq!(verdict, Verdict::Pass);
    assert!(ratio.is_some_and(|ratio| (3.0..5.0).contains(&ratio)), "{ratio:?}");
}

#[test]
fn results_of_a_run_have_the_ratio() {
    let right: Twist = |_, answer| answer;
    let twist: Twist = |_, answer| map(answer, |_, y| y * (1.0 + 2.0 * f64::from(f32::EPSILON)));
    let ratios = |twist| {
        let (outcome, results) = run("Tan", DType::Float, twist, &[]);
        assert_eq!(outcome.unexpected_count, 0, "2 to 4 ULP are accepted");
        results.into_iter().filter_map(|result| result.error_ratio).collect::<Vec<f64>>()
    };
    assert!(ratios(right).is_empty());
    let found = ratios(twist);
    assert!(found.len() > 3 && found.iter().all(|ratio| (1.0..4.5).contains(ratio)), "{found:?}");
}
