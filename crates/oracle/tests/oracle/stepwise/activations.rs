//! Functions of one element.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use fastrand::Rng;

use super::draw::{FLOATS, Kind, draws, tensor};
use super::machine::Machine;
use super::report::{Case, Formula, Node, Report, single};

type Unary = fn(&Machine, f64) -> f64;

/// The number of elements of a case.
const ELEMENTS: usize = 48;

/// Restricts a number to a range. NaN stays NaN.
fn clamped(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

pub fn sigmoid(m: &Machine, x: f64) -> f64 {
    m.div(1.0, m.add(1.0, m.exp(-x)))
}

/// Avoids large powers: below zero, the formula is e^x / (1 + e^x).
pub fn sigmoid_by_sign(m: &Machine, x: f64) -> f64 {
    if x >= 0.0 {
        return sigmoid(m, x);
    }
    let power = m.exp(x);
    m.div(power, m.add(1.0, power))
}

fn softplus(m: &Machine, x: f64) -> f64 {
    m.log(m.add(m.exp(x), 1.0))
}

fn softplus_of_magnitude(m: &Machine, x: f64) -> f64 {
    m.add(clamped(x, 0.0, f64::INFINITY), m.log1p(m.exp(-x.abs())))
}

/// Computes `x / 2 * (1 + share)`.
fn halved(m: &Machine, x: f64, share: f64) -> f64 {
    m.mul(m.mul(0.5, x), m.add(1.0, share))
}

fn gelu_by(m: &Machine, x: f64, inner: f64) -> f64 {
    halved(m, x, m.tanh(m.mul(m.sqrt(m.constant(FRAC_2_PI)), inner)))
}

fn cubic(m: &Machine) -> f64 {
    m.constant(0.044715)
}

fn elu(m: &Machine, x: f64, alpha: f64) -> f64 {
    if x < 0.0 { m.mul(alpha, m.sub(m.exp(x), 1.0)) } else { x }
}

fn celu_of(m: &Machine, x: f64, minus_one: fn(&Machine, f64) -> f64) -> f64 {
    let alpha = m.attribute(CELU);
    let curve = m.mul(alpha, minus_one(m, m.div(x, alpha)));
    m.add(clamped(x, 0.0, f64::INFINITY), clamped(curve, f64::NEG_INFINITY, 0.0))
}

fn selu_of(m: &Machine, x: f64, below: impl Fn(f64, f64) -> f64) -> f64 {
    let (alpha, gamma) = (m.attribute(1.673_263_2), m.attribute(1.050_701));
    if x > 0.0 { m.mul(gamma, x) } else { below(alpha, gamma) }
}

const CELU: f32 = 1.7;

/// The nodes, each with its opset and its formulas. Formulas that cancel where the text has no cancellation are not
/// among them, such as `1 - 1 / (1 + e^x)` for Sigmoid.
fn nodes() -> Vec<Node<Unary>> {
    vec![
        ("Sigmoid", 13, vec![("1 / (1 + e^-x)", sigmoid), ("by sign", sigmoid_by_sign)]),
        (
            "Swish <alpha = 1.3>",
            24,
            vec![
                ("x * sigmoid(ax)", |m, x| m.mul(x, sigmoid(m, m.mul(m.attribute(1.3), x)))),
                ("x * sigmoid(ax) by sign", |m, x| m.mul(x, sigmoid_by_sign(m, m.mul(m.attribute(1.3), x)))),
                ("x / (1 + e^-ax)", |m, x| m.div(x, m.add(1.0, m.exp(-m.mul(m.attribute(1.3), x))))),
            ],
        ),
        (
            "com.microsoft.QuickGelu <alpha = 1.702>",
            1,
            vec![
                ("x * sigmoid(ax)", |m, x| m.mul(x, sigmoid(m, m.mul(m.attribute(1.702), x)))),
                ("x * sigmoid(ax) by sign", |m, x| m.mul(x, sigmoid_by_sign(m, m.mul(m.attribute(1.702), x)))),
            ],
        ),
        (
            "com.microsoft.FastGelu",
            1,
            vec![
                ("sum of products", |m, x| {
                    let cube = m.mul(m.mul(x, x), x);
                    halved(m, x, m.tanh(m.add(m.mul(m.constant(0.797885), x), m.mul(m.constant(0.035677), cube))))
                }),
                ("x * (b + c * x^2)", |m, x| {
                    let factor = m.add(m.constant(0.797885), m.mul(m.constant(0.035677), m.mul(x, x)));
                    halved(m, x, m.tanh(m.mul(x, factor)))
                }),
            ],
        ),
        (
            "Gelu",
            20,
            vec![
                ("erf(x / sqrt(2))", |m, x| halved(m, x, m.erf(m.div(x, m.sqrt(2.0))))),
                ("erf(x * sqrt(1/2))", |m, x| halved(m, x, m.erf(m.mul(x, m.constant(FRAC_1_SQRT_2))))),
                ("erfc(-x / sqrt(2))", |m, x| m.mul(m.mul(0.5, x), m.erfc(-m.div(x, m.sqrt(2.0))))),
                ("erfc(-x * sqrt(1/2))", |m, x| m.mul(m.mul(0.5, x), m.erfc(-m.mul(x, m.constant(FRAC_1_SQRT_2))))),
                ("x * (0.5 * (1 + erf))", |m, x| {
                    m.mul(x, m.mul(0.5, m.add(1.0, m.erf(m.mul(x, m.constant(FRAC_1_SQRT_2))))))
                }),
            ],
        ),
        (
            r#"Gelu <approximate = "tanh">"#,
            20,
            vec![
                ("x^3 by pow", |m, x| {
                    let cube = m.pow(x, 3.0);
                    gelu_by(m, x, m.multiply_add(cubic(m), cube, x))
                }),
                ("x * x * x", |m, x| gelu_by(m, x, m.multiply_add(cubic(m), m.mul(m.mul(x, x), x), x))),
                ("x * (1 + c x^2)", |m, x| {
                    let factor = m.multiply_add(cubic(m), m.mul(x, x), 1.0);
                    let angle = m.mul(m.mul(m.sqrt(m.constant(FRAC_2_PI)), x), factor);
                    halved(m, x, m.tanh(angle))
                }),
            ],
        ),
        (
            "HardSigmoid <alpha = 0.3, beta = 0.4>",
            22,
            vec![("max(0, min(1, ax + b))", |m, x| {
                clamped(m.multiply_add(m.attribute(0.3), x, m.attribute(0.4)), 0.0, 1.0)
            })],
        ),
        (
            "HardSwish",
            22,
            vec![
                ("x * clamp(x / 6 + 1/2)", |m, x| m.mul(x, clamped(m.add(m.div(x, 6.0), 0.5), 0.0, 1.0))),
                ("x * clamp(x * 1/6 + 1/2)", |m, x| {
                    m.mul(x, clamped(m.multiply_add(m.constant(1.0 / 6.0), x, 0.5), 0.0, 1.0))
                }),
                ("x * (clamp(x + 3) / 6)", |m, x| m.mul(x, m.div(clamped(m.add(x, 3.0), 0.0, 6.0), 6.0))),
                ("x * (clamp(x + 3) * 1/6)", |m, x| {
                    m.mul(x, m.mul(clamped(m.add(x, 3.0), 0.0, 6.0), m.constant(1.0 / 6.0)))
                }),
                ("the function body", |m, x| {
                    m.mul(x, clamped(m.multiply_add(m.attribute(1.0 / 6.0), x, 0.5), 0.0, 1.0))
                }),
            ],
        ),
        (
            "Elu <alpha = 1.4>",
            22,
            vec![
                ("e^x - 1", |m, x| elu(m, x, m.attribute(1.4))),
                ("expm1", |m, x| if x < 0.0 { m.mul(m.attribute(1.4), m.expm1(x)) } else { x }),
            ],
        ),
        (
            "Celu <alpha = 1.7>",
            28,
            vec![
                ("e^x - 1", |m, x| celu_of(m, x, |m, z| m.sub(m.exp(z), 1.0))),
                ("expm1", |m, x| celu_of(m, x, |m, z| m.expm1(z))),
                ("the function body", |m, x| {
                    let alpha = m.attribute(CELU);
                    m.mul(alpha, elu(m, m.div(x, alpha), 1.0))
                }),
            ],
        ),
        (
            "Selu",
            22,
            vec![
                ("g (a e^x - a)", |m, x| selu_of(m, x, |a, g| m.mul(g, m.multiply_add(a, m.exp(x), -a)))),
                ("g (a (e^x - 1))", |m, x| selu_of(m, x, |a, g| m.mul(g, m.mul(a, m.sub(m.exp(x), 1.0))))),
                ("g (a expm1)", |m, x| selu_of(m, x, |a, g| m.mul(g, m.mul(a, m.expm1(x))))),
                ("(g a) (e^x - 1)", |m, x| selu_of(m, x, |a, g| m.mul(m.mul(g, a), m.sub(m.exp(x), 1.0)))),
                ("(g a) expm1", |m, x| selu_of(m, x, |a, g| m.mul(m.mul(g, a), m.expm1(x)))),
            ],
        ),
        ("LeakyRelu <alpha = 0.07>", 16, vec![("a x", |m, x| if x < 0.0 { m.mul(m.attribute(0.07), x) } else { x })]),
        ("ThresholdedRelu <alpha = 0.3>", 22, vec![("x > a", |m, x| if x > m.attribute(0.3) { x } else { 0.0 })]),
        ("Softplus", 22, vec![("ln(e^x + 1)", softplus), ("max(x, 0) + log1p(e^-|x|)", softplus_of_magnitude)]),
        (
            "Softsign",
            22,
            vec![
                ("x / (1 + |x|)", |m, x| m.div(x, m.add(1.0, x.abs()))),
                ("x * (1 / (1 + |x|))", |m, x| m.mul(x, m.reciprocal(m.add(1.0, x.abs())))),
            ],
        ),
        (
            "Mish",
            22,
            vec![
                ("x tanh(ln(1 + e^x))", |m, x| m.mul(x, m.tanh(softplus(m, x)))),
                ("x tanh(max(x, 0) + log1p)", |m, x| m.mul(x, m.tanh(softplus_of_magnitude(m, x)))),
            ],
        ),
    ]
}

#[test]
fn formulas_of_activations_are_accepted() {
    let mut report = Report::default();
    let mut rng = Rng::with_seed(1);
    for (node, opset, formulas) in nodes() {
        let each = |f: Unary| move |m: &Machine, x: &[Vec<f64>]| x[0].iter().map(|&x| f(m, x)).collect();
        let formulas: Vec<Formula> = formulas.into_iter().map(|(name, f)| single(name, each(f))).collect();
        for _ in 0..draws() {
            for kind in Kind::ALL {
                for dtype in FLOATS {
                    let x = tensor(&mut rng, dtype, kind, &[ELEMENTS]);
                    report.check(&Case::new(node, opset, vec![x], false), dtype, &formulas);
                }
            }
        }
    }
    report.finish();
}
