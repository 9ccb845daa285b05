//! Activation functions.

use crate::element::{Float, Integer, Number, Wide, with_float, with_integer, with_number};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

use super::unary::{float_functions, mapped};

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Celu", celu),
    ("Elu", elu),
    ("Gelu", gelu),
    ("HardSigmoid", hard_sigmoid),
    ("HardSwish", hard_swish),
    ("LeakyRelu", leaky_relu),
    ("Mish", mish),
    ("Relu", relu),
    ("Selu", selu),
    ("Shrink", shrink),
    ("Sigmoid", sigmoid),
    ("Softplus", softplus),
    ("Softsign", softsign),
    ("Swish", swish),
    ("ThresholdedRelu", thresholded_relu),
];

/// Computes 1 / (1 + e^-x) without a power that overflows.
pub fn logistic<W: Wide>(x: W) -> W {
    let e = x.abs().neg().exp();
    let small = e.div(W::one().add(e));
    if x < W::zero() { small } else { W::one().div(W::one().add(e)) }
}

/// Computes ln(1 + e^x) without a power that overflows.
fn soft_plus<W: Wide>(x: W) -> W {
    x.larger(W::zero()).add(x.abs().neg().exp().ln_1p())
}

float_functions! {
    celu(alpha) x => if x > 0.0 { x } else { alpha * (x / alpha).exp_m1() };
    elu(alpha) x => if x >= 0.0 { x } else { alpha * x.exp_m1() };
    gelu_of_erf() x => {
        let scaled = x * W::from_double(std::f64::consts::FRAC_1_SQRT_2);
        // If the terms of the sum 1 + erf cancel, the sum loses digits that erfc keeps.
        0.5 * x * if x < -1.0 { Wide::erfc(-scaled) } else { 1.0 + Wide::erf(scaled) }
    };
    gelu_of_tanh() x => {
        let inner = W::from_double((2.0 / std::f64::consts::PI).sqrt()) * (x + W::from_double(0.044715) * x * x * x);
        // 1 + tanh(y) is 2 / (1 + e^-2y), which keeps the digits that the sum loses if its terms cancel.
        if inner < -0.5 { x * logistic(2.0 * inner) } else { 0.5 * x * (1.0 + inner.tanh()) }
    };
    hard_sigmoid(alpha, beta) x => (alpha * x + beta).smaller(1.0).larger(0.0);
    hard_swish() x => x * (x * W::from_double(1.0 / 6.0) + 0.5).smaller(1.0).larger(0.0);
    leaky_relu(alpha) x => if x < 0.0 { alpha * x } else { x };
    mish() x => x * soft_plus(x).tanh();
    selu(alpha, gamma) x => if x > 0.0 { gamma * x } else { gamma * (alpha * x.exp_m1()) };
    shrink_of_float(lambd, bias) x => if x < -lambd { x + bias } else if x > lambd { x - bias } else { 0.0 };
    sigmoid() x => logistic(x);
    softplus() x => soft_plus(x);
    softsign() x => x / (1.0 + x.abs());
    swish(alpha) x => x * logistic(alpha * x);
    thresholded_relu(alpha) x => if x > alpha { x } else { 0.0 };
}

fn relu(node: &Node) -> Outputs {
    let a = node.input(0)?;
    one(with_number!(a.dtype(), T => mapped(a, |x: T| Number::larger(x, T::zero())))?)
}

fn gelu(node: &Node) -> Outputs {
    match node.string("approximate")? {
        "none" => gelu_of_erf(node),
        "tanh" => gelu_of_tanh(node),
        other => Err(Refusal::invalid(format!("`approximate` is `{other}`, expected `none` or `tanh`"))),
    }
}

fn shrink(node: &Node) -> Outputs {
    let a = node.input(0)?;
    if a.dtype().is_float() {
        return shrink_of_float(node);
    }
    let (lambd, bias) = (f64::from(node.float("lambd")), f64::from(node.float("bias")));
    // An integer is above a number exactly if it is above the floor of that number.
    let (limit, whole) = (lambd.floor() as i128, bias.trunc() as i128);
    let moved = move |x: i128, whole: i128, fraction: f64| match x.saturating_add(whole) {
        sum if sum.unsigned_abs() < 1 << 52 => (sum as f64 + fraction) as i128,
        sum => sum,
    };
    one(with_integer!(a.dtype(), T => mapped(a, |x: T| {
        let n = x.to_i128();
        T::wrap(match n {
            _ if n < limit.saturating_neg() => moved(n, whole, bias.fract()),
            _ if n > limit => moved(n, -whole, -bias.fract()),
            _ => 0,
        })
    }))?)
}
