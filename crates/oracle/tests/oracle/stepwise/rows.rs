//! Functions of the elements of a row: shares of a whole, sums and norms.

use fastrand::Rng;

use super::draw::{FLOATS, Kind, draws, tensor};
use super::machine::Machine;
use super::report::{Case, Formula, Node, Report, single};

type OfRow = fn(&Machine, &[f64]) -> Vec<f64>;

/// The lengths of rows.
const EXTENTS: [usize; 6] = [1, 2, 3, 7, 19, 40];

/// The number of rows of a case.
const ROWS: usize = 3;

fn largest(row: &[f64]) -> f64 {
    row.iter().copied().fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b })
}

/// Returns the elements less the largest one.
fn shifted(m: &Machine, row: &[f64]) -> Vec<f64> {
    let largest = largest(row);
    row.iter().map(|&x| m.sub(x, largest)).collect()
}

fn powers(m: &Machine, row: &[f64]) -> Vec<f64> {
    row.iter().map(|&x| m.exp(x)).collect()
}

/// Returns the powers of the differences from the largest element, and what each is multiplied with or divided by.
/// Powers, sums and quotients of 16-bit floats are computed in float, and each is rounded.
fn weights(m: &Machine, row: &[f64]) -> (Vec<f64>, f64) {
    let powers: Vec<f64> = shifted(m, row).iter().map(|&x| m.round(m.wide().exp(x))).collect();
    let total = m.total(&powers);
    (powers, total)
}

pub fn shares(m: &Machine, row: &[f64]) -> Vec<f64> {
    let (powers, total) = weights(m, row);
    powers.iter().map(|&p| m.round(m.wide().div(p, total))).collect()
}

pub fn log_shares(m: &Machine, row: &[f64]) -> Vec<f64> {
    let shifted = shifted(m, row);
    let log = m.log(m.total(&powers(m, &shifted)));
    shifted.iter().map(|&x| m.sub(x, log)).collect()
}

fn magnitudes(row: &[f64]) -> Vec<f64> {
    row.iter().map(|x| x.abs()).collect()
}

/// Returns the square root of the sum of squares.
fn norm(m: &Machine, row: &[f64]) -> f64 {
    m.sqrt(m.dot(row, row))
}

/// Does the same with squares that are rounded before they are added.
fn norm_of_squares(m: &Machine, row: &[f64]) -> f64 {
    m.sqrt(m.total(&row.iter().map(|&x| m.mul(x, x)).collect::<Vec<f64>>()))
}

/// Divides the elements by their norm. A norm of zero gives zeros.
fn divided(m: &Machine, row: &[f64], norm: f64) -> Vec<f64> {
    row.iter().map(|&x| if norm == 0.0 { 0.0 } else { m.div(x, norm) }).collect()
}

fn multiplied(m: &Machine, row: &[f64], norm: f64) -> Vec<f64> {
    row.iter().map(|&x| if norm == 0.0 { 0.0 } else { m.mul(x, m.reciprocal(norm)) }).collect()
}

/// The nodes, each with its opset and its formulas.
///
/// `x - (max + ln(sum of e^(x - max)))` is not a formula of LogSoftmax: its result has the error of a number as large
/// as the maximum, where the text subtracts nothing.
fn nodes() -> Vec<Node<OfRow>> {
    vec![
        (
            "Softmax <axis = 1>",
            13,
            vec![
                ("e^(x - max) / sum", shares),
                ("e^(x - max) * (1 / sum)", |m, x| {
                    let (powers, total) = weights(m, x);
                    let wide = m.wide();
                    powers.iter().map(|&p| m.round(wide.mul(p, wide.reciprocal(total)))).collect()
                }),
            ],
        ),
        (
            "LogSoftmax <axis = 1>",
            13,
            vec![
                ("(x - max) - ln(sum)", log_shares),
                ("ln(softmax)", |m, x| shares(m, x).iter().map(|&x| m.log(x)).collect()),
            ],
        ),
        (
            "ReduceLogSumExp <keepdims = 1>",
            18,
            vec![
                ("ln(sum of e^x)", |m, x| vec![m.log(m.total(&powers(m, x)))]),
                ("max + ln(sum of e^(x - max))", |m, x| {
                    vec![m.add(largest(x), m.log(m.total(&powers(m, &shifted(m, x)))))]
                }),
            ],
        ),
        ("ReduceLogSum <keepdims = 1>", 18, vec![("ln(sum)", |m, x| vec![m.log(m.total(&magnitudes(x)))])]),
        ("ReduceL1 <keepdims = 1>", 18, vec![("sum of |x|", |m, x| vec![m.total(&magnitudes(x))])]),
        (
            "ReduceL2 <keepdims = 1>",
            18,
            vec![
                ("sqrt(sum of x^2)", |m, x| vec![norm(m, x)]),
                ("rounded squares", |m, x| vec![norm_of_squares(m, x)]),
            ],
        ),
        ("ReduceSumSquare <keepdims = 1>", 18, vec![("sum of x^2", |m, x| vec![m.dot(x, x)])]),
        (
            "ReduceMean <keepdims = 1>",
            18,
            vec![
                ("sum / n", |m, x| vec![m.mean(x)]),
                ("sum * (1 / n)", |m, x| {
                    let (wide, ones) = (m.wide(), vec![1.0; x.len()]);
                    vec![m.round(wide.mul(m.kept_dot(0.0, x, &ones), wide.reciprocal(x.len() as f64)))]
                }),
            ],
        ),
        (
            "LpNormalization <axis = 1, p = 1>",
            22,
            vec![
                ("x / norm", |m, x| divided(m, x, m.total(&magnitudes(x)))),
                ("x * (1 / norm)", |m, x| multiplied(m, x, m.total(&magnitudes(x)))),
            ],
        ),
        (
            "LpNormalization <axis = 1, p = 2>",
            22,
            vec![
                ("x / norm", |m, x| divided(m, x, norm(m, x))),
                ("x / norm, rounded squares", |m, x| divided(m, x, norm_of_squares(m, x))),
                ("x * (1 / norm)", |m, x| multiplied(m, x, norm(m, x))),
            ],
        ),
    ]
}

#[test]
fn formulas_of_rows_are_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(2);
    for (node, opset, formulas) in nodes() {
        let reduces = node.starts_with("Reduce");
        for round in 0..draws() {
            for kind in Kind::ALL {
                for dtype in FLOATS {
                    let extent = EXTENTS[(round as usize + rng.usize(..EXTENTS.len())) % EXTENTS.len()];
                    let each = |f: OfRow| {
                        move |m: &Machine, x: &[Vec<f64>]| x[0].chunks(extent).flat_map(|row| f(m, row)).collect()
                    };
                    let formulas: Vec<Formula> = formulas.iter().map(|&(name, f)| single(name, each(f))).collect();
                    let mut x = tensor(&mut rng, dtype, kind, &[ROWS, extent]);
                    if node.starts_with("ReduceLogSum ") {
                        x = plumbline_tensor::Tensor::from_f64s(dtype, vec![ROWS, extent], &magnitudes(&x.to_f64s()))
                            .unwrap();
                    }
                    let axes = plumbline_tensor::Tensor::from_i64s(&[1]);
                    let inputs = if reduces { vec![x, axes] } else { vec![x] };
                    report.check(&Case::new(node, opset, inputs, true), dtype, &formulas);
                }
            }
        }
    }
    report.finish();
}
