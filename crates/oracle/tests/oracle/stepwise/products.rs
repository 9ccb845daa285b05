//! Sums of products with factors of their own, and means of several tensors.

use fastrand::Rng;

use super::activations::{sigmoid, sigmoid_by_sign};
use super::draw::{FLOATS, Kind, draws, tensor};
use super::machine::Machine;
use super::report::{Case, Report, single};

const ROWS: usize = 2;
const COLUMNS: usize = 3;

/// Computes `alpha * A * B + beta * C` from the sum of products, as it is kept. The factors are floats.
fn scaled(m: &Machine, product: f64, c: f64) -> f64 {
    let (wide, factors) = (m.wide(), m.in_float_at_least());
    m.round(wide.multiply_add(factors.attribute(1.3), product, wide.mul(factors.attribute(0.7), c)))
}

#[test]
fn gemm_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(20);
    for _ in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded, Kind::Offset] {
            for dtype in FLOATS {
                let inner = 1 + rng.usize(..20);
                let a = tensor(&mut rng, dtype, kind, &[ROWS, inner]);
                let b = tensor(&mut rng, dtype, kind, &[COLUMNS, inner]);
                let c = tensor(&mut rng, dtype, kind, &[ROWS, COLUMNS]);
                let formula = single("alpha * (A * B) + beta * C", |m, x| {
                    let at = |i: usize| {
                        let (row, column) = (&x[0][i / COLUMNS * inner..], &x[1][i % COLUMNS * inner..]);
                        scaled(m, m.kept_dot(0.0, &row[..inner], &column[..inner]), x[2][i])
                    };
                    (0..ROWS * COLUMNS).map(at).collect()
                });
                let node = "Gemm <alpha = 1.3, beta = 0.7, transB = 1>";
                report.check(&Case::new(node, 13, vec![a, b, c], true), dtype, &[formula]);
            }
        }
    }
    report.finish();
}

#[test]
fn means_of_tensors_are_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(21);
    for _ in 0..draws() {
        for kind in Kind::ALL {
            for dtype in FLOATS {
                let inputs: Vec<_> = (0..3).map(|_| tensor(&mut rng, dtype, kind, &[8])).collect();
                let sum = |m: &Machine, x: &[Vec<f64>], i: usize| m.add(m.add(x[0][i], x[1][i]), x[2][i]);
                let formulas = [
                    single("sum / n", move |m, x| (0..8).map(|i| m.div(sum(m, x, i), 3.0)).collect()),
                    single("sum * (1 / n)", move |m, x| {
                        (0..8).map(|i| m.mul(sum(m, x, i), m.reciprocal(3.0))).collect()
                    }),
                ];
                report.check(&Case::new("Mean", 13, inputs, false), dtype, &formulas);
            }
        }
    }
    report.finish();
}

#[test]
fn swiglu_is_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(22);
    for _ in 0..draws() {
        for kind in Kind::ALL {
            for dtype in FLOATS {
                let inputs: Vec<_> = (0..2).map(|_| tensor(&mut rng, dtype, kind, &[12])).collect();
                let formula = |name, sigmoid: fn(&Machine, f64) -> f64| {
                    single(name, move |m, x| {
                        let swish = |x: f64| m.mul(x, sigmoid(m, m.mul(m.attribute(1.3), x)));
                        x[0].iter().zip(&x[1]).map(|(&a, &b)| m.mul(swish(a), b)).collect()
                    })
                };
                let formulas = [formula("as written", sigmoid), formula("by sign", sigmoid_by_sign)];
                report.check(&Case::new("SwiGLU <alpha = 1.3>", 28, inputs, false), dtype, &formulas);
            }
        }
    }
    report.finish();
}
