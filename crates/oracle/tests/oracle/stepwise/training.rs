//! Optimizers and losses.

use fastrand::Rng;
use plumbline_tensor::{DType, Tensor};

use super::draw::{FLOATS, Kind, draws, tensor};
use super::machine::Machine;
use super::report::{Case, Formula, Report, single};
use super::rows::log_shares;

const DOMAIN: &str = "ai.onnx.preview.training";

/// How `rate * direction / divisor` is grouped.
type Quotient = fn(&Machine, f64, f64, f64) -> f64;

const QUOTIENTS: [(&str, Quotient); 3] = [
    ("(r d) / s", |m, r, d, s| m.div(m.mul(r, d), s)),
    ("r (d / s)", |m, r, d, s| m.mul(r, m.div(d, s))),
    ("d (r / s)", |m, r, d, s| m.mul(d, m.div(r, s))),
];

fn regularized(m: &Machine, gradient: f64, x: f64) -> f64 {
    m.multiply_add(m.attribute(0.02), x, gradient)
}

fn adagrad(m: &Machine, x: &[Vec<f64>], quotient: Quotient) -> Vec<Vec<f64>> {
    let rate = m.div(x[0][0], m.multiply_add(x[1][0], m.attribute(0.1), 1.0));
    let each = |i: usize| {
        let gradient = regularized(m, x[3][i], x[2][i]);
        let squares = m.multiply_add(gradient, gradient, x[4][i]);
        let adaptive = m.add(m.sqrt(squares), m.epsilon(1e-3));
        (m.sub(x[2][i], quotient(m, rate, gradient, adaptive)), squares)
    };
    let (next, squares) = (0..x[2].len()).map(each).unzip();
    vec![next, squares]
}

fn adam(m: &Machine, x: &[Vec<f64>], quotient: Quotient) -> Vec<Vec<f64>> {
    let (alpha, beta, count) = (m.constant(f64::from(0.9_f32)), m.constant(f64::from(0.99_f32)), x[1][0]);
    let corrected = m.sqrt(m.sub(1.0, m.pow(beta, count)));
    let rate = m.div(m.mul(x[0][0], corrected), m.sub(1.0, m.pow(alpha, count)));
    let mut outputs = vec![vec![]; 3];
    for i in 0..x[2].len() {
        let gradient = regularized(m, x[3][i], x[2][i]);
        let mean = m.multiply_add(alpha, x[4][i], m.mul(m.sub(1.0, alpha), gradient));
        let square = m.mul(gradient, gradient);
        let squares = m.multiply_add(beta, x[5][i], m.mul(m.sub(1.0, beta), square));
        let divisor = m.add(m.sqrt(squares), m.epsilon(1e-3));
        let next = m.sub(x[2][i], quotient(m, rate, mean, divisor));
        let next = m.mul(m.sub(1.0, m.constant(f64::from(0.01_f32))), next);
        outputs.iter_mut().zip([next, mean, squares]).for_each(|(output, x)| output.push(x));
    }
    outputs
}

fn momentum(m: &Machine, x: &[Vec<f64>], nesterov: bool) -> Vec<Vec<f64>> {
    let (alpha, beta) = (m.attribute(0.9), m.attribute(0.8));
    let each = |i: usize| {
        let gradient = regularized(m, x[3][i], x[2][i]);
        let velocity = m.multiply_add(alpha, x[4][i], m.mul(beta, gradient));
        let step = if nesterov { m.multiply_add(alpha, velocity, gradient) } else { velocity };
        (m.multiply_add(-x[0][0], step, x[2][i]), velocity)
    };
    let (next, velocity) = (0..x[2].len()).map(each).unzip();
    vec![next, velocity]
}

#[test]
fn optimizers_are_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(10);
    for _ in 0..draws() {
        for kind in Kind::ALL {
            for dtype in [DType::Float, DType::Double] {
                let mut draw = |kind: Kind| tensor(&mut rng, dtype, kind, &[12]);
                let (x, gradient, state) = (draw(kind), draw(kind), draw(Kind::Ordinary));
                let squares: Vec<f64> = draw(kind).to_f64s().iter().map(|x| x.abs()).collect();
                let squares = Tensor::from_f64s(dtype, vec![12], &squares).unwrap();
                let rate = Tensor::from_f64s(dtype, vec![], &[f64::from(0.1_f32)]).unwrap();
                let count = Tensor::from_i64s(&[3]).reshaped(vec![]).unwrap();
                let case = |node: &str, inputs: &[&Tensor], outputs: usize| {
                    let inputs = [&rate, &count].into_iter().chain(inputs.iter().copied()).cloned().collect();
                    Case { outputs, ..Case::new(&format!("{DOMAIN}.{node}"), 1, inputs, false) }
                };
                let formulas: Vec<Formula> = QUOTIENTS
                    .into_iter()
                    .map(|(name, q)| -> Formula { (name, Box::new(move |m, x| adagrad(m, x, q))) })
                    .collect();
                let node = "Adagrad <decay_factor = 0.1, epsilon = 0.001, norm_coefficient = 0.02>";
                report.check(&case(node, &[&x, &gradient, &squares], 2), dtype, &formulas);
                let formulas: Vec<Formula> = QUOTIENTS[..2]
                    .iter()
                    .map(|&(name, q)| -> Formula { (name, Box::new(move |m, x| adam(m, x, q))) })
                    .collect();
                let node = "Adam <alpha = 0.9, beta = 0.99, epsilon = 0.001, norm_coefficient = 0.02, \
                            norm_coefficient_post = 0.01>";
                report.check(&case(node, &[&x, &gradient, &state, &squares], 3), dtype, &formulas);
                for (mode, nesterov) in [("standard", false), ("nesterov", true)] {
                    let formula: Formula = (mode, Box::new(move |m, x| momentum(m, x, nesterov)));
                    let node =
                        format!(r#"Momentum <alpha = 0.9, beta = 0.8, mode = "{mode}", norm_coefficient = 0.02>"#);
                    report.check(&case(&node, &[&x, &gradient, &state], 2), dtype, &[formula]);
                }
            }
        }
    }
    report.finish();
}

const CLASSES: usize = 5;

/// Computes the loss of log-probabilities, whose labels and weights are the second and the third input.
fn loss(m: &Machine, shares: &[f64], x: &[Vec<f64>], reduction: &str) -> Vec<f64> {
    let weights: Vec<f64> = x[1].iter().map(|&label| x[2][label as usize]).collect();
    let picked = shares.chunks(CLASSES).zip(&x[1]).map(|(row, &label)| -row[label as usize]);
    let losses: Vec<f64> = picked.zip(&weights).map(|(loss, &weight)| m.mul(loss, weight)).collect();
    match reduction {
        "none" => losses,
        "sum" => vec![m.total(&losses)],
        _ => vec![m.div(m.total(&losses), m.total(&weights))],
    }
}

#[test]
fn losses_are_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(11);
    for _ in 0..draws() {
        for kind in [Kind::Ordinary, Kind::Coarse, Kind::Graded, Kind::Offset] {
            for dtype in FLOATS {
                for reduction in ["none", "sum", "mean"] {
                    let count = 1 + rng.usize(..12);
                    let scores = tensor(&mut rng, dtype, kind, &[count, CLASSES]);
                    let labels: Vec<i64> = (0..count).map(|_| rng.usize(..CLASSES) as i64).collect();
                    let weights: Vec<f64> = (0..CLASSES).map(|_| 0.25 + rng.f64()).collect();
                    let weights = Tensor::from_f64s(dtype, vec![CLASSES], &weights).unwrap();
                    let inputs = vec![scores, Tensor::from_i64s(&labels), weights];
                    let of_shares = single("-x * weight", |m, x| loss(m, &x[0], x, reduction));
                    let node = format!(r#"NegativeLogLikelihoodLoss <reduction = "{reduction}">"#);
                    report.check(&Case::new(&node, 22, inputs.clone(), true), dtype, &[of_shares]);
                    let of_scores = single("of scores", |m, x| {
                        let shares: Vec<f64> = x[0].chunks(CLASSES).flat_map(|row| log_shares(m, row)).collect();
                        loss(m, &shares, x, reduction)
                    });
                    let node = format!(r#"SoftmaxCrossEntropyLoss <reduction = "{reduction}">"#);
                    report.check(&Case::new(&node, 13, inputs, true), dtype, &[of_scores]);
                }
            }
        }
    }
    report.finish();
}
