//! Large matrix products and convolutions, which are computed in tiles, against the same sums in nodes that are too
//! small for tiles: one output channel, or one row, after the other.

use plumbline_oracle::{Bounds, Expected, Operand, Oracle, Policy, Real};
use plumbline_spec::{Numerics, Products};
use plumbline_tensor::{DType, Model, Tensor, Value};

/// A tensor with values of several kinds: of both signs, of few bits, and zeros. Every `special`-th element is what the
/// list has next.
fn tensor(random: &mut fastrand::Rng, dtype: DType, shape: &[usize], special: &[f64]) -> Tensor {
    let count: usize = shape.iter().product();
    let mut special = special.iter().cycle();
    let value = |i: usize, random: &mut fastrand::Rng| match random.u32(0..10) {
        0 => 0.0,
        1 => f64::from(random.i32(-4..5)),
        _ if i % 97 == 96 => special.next().copied().unwrap_or(0.5),
        _ => random.f64() * 2.0 - 1.0,
    };
    let mut value = value;
    let values: Vec<f64> = (0..count).map(|i| value(i, random)).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &values).unwrap()
}

/// Runs a node after others that make intervals of its inputs.
fn run(oracle: &Oracle, before: [&str; 2], node: &str, inputs: [&Tensor; 2]) -> Expected {
    let name = inputs[0].dtype();
    let text = format!(
        "<ir_version: 10, opset_import: [\"\" : 22]> g ({name} x, {name} w, {name} c) => (y) {{
            {} {} y = {node} (a, b) }}",
        before[0], before[1],
    );
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
    let factor = Tensor::from_f64s(name, vec![], &[0.7]).unwrap();
    let inputs = [inputs[0], inputs[1], &factor].map(|tensor| Value::from(tensor.clone()));
    match oracle.answer(&model, &inputs).unwrap().remove(0) {
        Operand::Tensor(tensor) => (*tensor).clone(),
        other => panic!("{}", other.kind()),
    }
}

fn intervals(x: &Expected) -> Vec<Real> {
    match &x.bounds {
        Some(Bounds::Real(reals)) => reals.clone(),
        _ => x.numbers().map(|number| number.real()).collect(),
    }
}

/// Checks that `large` accepts what `small` accepts, and little more.
fn encloses(large: &Expected, small: &[Expected], what: &str) {
    let pieces: Vec<Real> = small.iter().flat_map(intervals).collect();
    let open: usize = small.iter().map(|x| x.latitude.len()).sum();
    assert_eq!(large.latitude.len(), open, "{what}");
    for (i, (x, y)) in intervals(large).into_iter().zip(&pieces).enumerate() {
        let what = format!("{what} [{i}]: {x:?} {y:?}");
        assert_eq!((x.nan, x.low.is_nan(), x.high.is_finite()), (y.nan, y.low.is_nan(), y.high.is_finite()), "{what}");
        if y.low.is_finite() && y.high.is_finite() {
            assert!(x.low <= y.low && x.high >= y.high, "{what}");
            assert!(x.high - x.low <= 1.01 * (y.high - y.low) + f64::MIN_POSITIVE, "{what}");
        }
    }
    assert_eq!(large.len(), pieces.len(), "{what}");
}

/// Nodes that make `a` of `x`, and those that make `b` of `w`.
const BEFORE: [[&str; 2]; 5] = [
    ["a = Identity (x)", "b = Identity (w)"],
    ["a = Mul (x, c)", "b = Identity (w)"],
    ["s = Mul (x, c) a = Relu (s)", "b = Identity (w)"],
    ["e = Mul (x, c) a = Exp (e)", "b = Mul (w, c)"],
    // Differences that cancel have wide intervals.
    ["p = Mul (x, c) q = Div (p, c) r = Sub (q, x) a = Add (r, p)", "m = Mul (w, c) d = Div (m, c) b = Sub (d, w)"],
];

fn oracles() -> Vec<Oracle> {
    let of = |products: Products, flush_subnormals: bool| {
        Oracle::new(Policy::new(&Numerics { products, flush_subnormals, ..Numerics::default() }).unwrap())
    };
    vec![of(Products::Float, false), of(Products::Tf32, false), of(Products::Float, true)]
}

#[test]
fn large_convolutions_are_those_of_each_channel() {
    let mut random = fastrand::Rng::with_seed(3);
    let nan = [f64::NAN, f64::INFINITY, 1e30];
    let cases: [(&str, &[usize], &[usize], usize); 6] = [
        ("Conv <pads = [1, 1, 1, 1]>", &[1, 8, 14, 14], &[16, 8, 3, 3], 0),
        ("Conv <strides = [2, 1], dilations = [1, 2], pads = [1, 0, 2, 3]>", &[2, 8, 20, 17], &[16, 8, 3, 3], 0),
        ("Conv", &[1, 32, 9, 9], &[24, 32, 1, 1], 0),
        ("Conv <auto_pad = \"SAME_UPPER\">", &[1, 16, 200], &[8, 16, 5], 0),
        ("ConvTranspose <strides = [2, 2]>", &[1, 16, 6, 6], &[16, 8, 3, 2], 1),
        ("ConvTranspose <dilations = [2, 1], pads = [1, 1, 0, 0]>", &[1, 16, 12, 12], &[16, 8, 3, 3], 1),
    ];
    for (number, oracle) in oracles().iter().enumerate() {
        for (node, x, w, axis) in cases {
            for before in BEFORE.into_iter().skip(number).step_by(1 + 3 * number.min(1)) {
                for (dtype, special) in [(DType::Float, &[0.25][..]), (DType::Float, &nan), (DType::Float16, &[0.25])] {
                    if number > 0 && dtype == DType::Float16 {
                        continue;
                    }
                    let x = tensor(&mut random, dtype, x, special);
                    let w = tensor(&mut random, dtype, w, &[0.25]);
                    let large = run(oracle, before, node, [&x, &w]);
                    let channel = |m: usize| {
                        let mut shape = w.shape().to_vec();
                        let (inner, count) = (shape[axis + 1..].iter().product::<usize>(), shape[axis]);
                        shape[axis] = 1;
                        let values: Vec<f64> = w.to_f64s();
                        let part = values.chunks(inner).skip(m).step_by(count).flatten().copied().collect::<Vec<_>>();
                        let w = Tensor::from_f64s(dtype, shape, &part).unwrap();
                        run(oracle, before, node, [&x, &w])
                    };
                    let channels: Vec<Expected> = (0..w.shape()[axis]).map(channel).collect();
                    // The output has all channels of the first batch before the second batch.
                    let batches = x.shape()[0];
                    let one = |b: usize, y: &Expected| {
                        let plane = y.len() / batches;
                        y.rearranged(vec![plane], |i| b * plane + i).unwrap()
                    };
                    let small: Vec<Expected> =
                        (0..batches).flat_map(|b| channels.iter().map(move |y| one(b, y))).collect();
                    encloses(&large, &small, &format!("{number} {dtype} {node} {before:?}"));
                }
            }
        }
    }
}

#[test]
fn large_products_are_those_of_each_row() {
    let mut random = fastrand::Rng::with_seed(4);
    let (rows, inner, columns) = (48, 40, 24);
    for (number, oracle) in oracles().iter().enumerate() {
        for before in BEFORE.into_iter().skip(number).step_by(1 + 3 * number.min(1)) {
            for special in [&[0.25][..], &[f64::NAN, f64::INFINITY, 1e30]] {
                let a = tensor(&mut random, DType::Float, &[rows, inner], special);
                let b = tensor(&mut random, DType::Float, &[inner, columns], &[0.25]);
                let large = run(oracle, before, "MatMul", [&a, &b]);
                let values = a.to_f64s();
                let row = |i: usize| {
                    let row = &values[i * inner..(i + 1) * inner];
                    Tensor::from_f64s(DType::Float, vec![1, inner], row).unwrap()
                };
                let small: Vec<Expected> = (0..rows).map(|i| run(oracle, before, "MatMul", [&row(i), &b])).collect();
                encloses(&large, &small, &format!("{number} MatMul {before:?}"));
                let turned: Vec<f64> = (0..rows * inner).map(|i| values[i % rows * inner + i / rows]).collect();
                let turned = Tensor::from_f64s(DType::Float, vec![inner, rows], &turned).unwrap();
                let gemm = run(oracle, before, "Gemm <transA = 1, alpha = 0.3>", [&turned, &b]);
                let small: Vec<Expected> =
                    (0..rows).map(|i| run(oracle, before, "Gemm <alpha = 0.3>", [&row(i), &b])).collect();
                encloses(&gemm, &small, &format!("{number} Gemm {before:?}"));
            }
        }
    }
}

/// The answer is the same on any number of threads.
#[test]
fn threads_do_not_change_the_answer() {
    let mut random = fastrand::Rng::with_seed(5);
    let a = tensor(&mut random, DType::Float, &[270, 20], &[f64::NAN, 0.25]);
    let b = tensor(&mut random, DType::Float, &[20, 500], &[0.25]);
    let on = |threads: usize| {
        let oracle = Oracle::default().with_most_threads(threads);
        let y = run(&oracle, BEFORE[1], "MatMul", [&a, &b]);
        (y.tensor, format!("{:?}", y.bounds), y.latitude.len())
    };
    let one = on(1);
    assert!(on(2) == one && on(64) == one);
}
