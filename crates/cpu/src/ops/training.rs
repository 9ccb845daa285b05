//! Steps of the optimizers Adagrad, Adam and Momentum, computed in float64.

use super::normalization::{narrowed, wide};
use super::resize::floats;
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Adagrad", adagrad), ("Adam", adam), ("Momentum", momentum)];

/// Returns the learning rate and the update count.
fn schedule(node: &Node) -> Result<(f64, i64), Refusal> {
    let (rate, count) = (node.input(0)?, node.input(1)?);
    match (&floats(rate)?[..], &count.to_i64s()?[..]) {
        (&[one], &[number]) if rate.rank() <= 1 && count.rank() <= 1 => Ok((one, number)),
        _ => Err(Refusal::invalid(format!(
            "`R` and `T` have shapes {:?} and {:?}, expected [] or [1] for each",
            rate.shape(),
            count.shape()
        ))),
    }
}

/// Applies an optimizer step to each element. `step` takes an element of the optimized tensor, of its gradient and of
/// its states (`N` numbers), and returns the new element and states (`M` numbers). The inputs list all optimized
/// tensors first, then all gradients, then all states of each kind; the outputs have the same order without the
/// gradients.
fn stepped<const N: usize, const M: usize>(node: &Node, step: &dyn Fn([f64; N]) -> [f64; M]) -> Outputs {
    let arrays = (2..node.inputs().len()).map(|at| node.input(at)).collect::<Result<Vec<_>, _>>()?;
    let each = arrays.len() / N;
    if each == 0 || !arrays.len().is_multiple_of(N) {
        return Err(Refusal::invalid(format!(
            "there are {} tensors, which is not a positive multiple of {N}",
            arrays.len()
        )));
    }
    let mut outputs = vec![Vec::with_capacity(each); M];
    for at in 0..each {
        let x = arrays[at];
        let own: [_; N] = std::array::from_fn(|part| arrays[part * each + at]);
        if own.iter().any(|other| other.shape() != x.shape() || other.dtype() != x.dtype()) {
            return Err(Refusal::invalid(format!(
                "a gradient or state of a tensor of shape {:?} has another shape or type",
                x.shape()
            )));
        }
        let numbers = own.iter().map(|array| wide(array)).collect::<Result<Vec<_>, _>>()?;
        let stepped: Vec<[f64; M]> = (0..x.len()).map(|i| step(std::array::from_fn(|part| numbers[part][i]))).collect();
        for (part, outputs) in outputs.iter_mut().enumerate() {
            let numbers: Vec<f64> = stepped.iter().map(|found| found[part]).collect();
            outputs.push(narrowed(x.dtype(), x.shape(), &numbers)?.into());
        }
    }
    Ok(outputs.concat())
}

fn attribute(node: &Node, name: &str) -> f64 {
    f64::from(node.float(name))
}

fn adagrad(node: &Node) -> Outputs {
    let (rate, count) = schedule(node)?;
    let rate = rate / (1.0 + count as f64 * attribute(node, "decay_factor"));
    let (norm, epsilon) = (attribute(node, "norm_coefficient"), attribute(node, "epsilon"));
    stepped(node, &|[x, g, h]| {
        let g = norm * x + g;
        let h = h + g * g;
        [x - rate * g / (h.sqrt() + epsilon), h]
    })
}

fn adam(node: &Node) -> Outputs {
    let (rate, count) = schedule(node)?;
    let (alpha, beta) = (attribute(node, "alpha"), attribute(node, "beta"));
    let power = |base: f64| base.powf(count as f64);
    let rate = if count > 0 { rate * (1.0 - power(beta)).sqrt() / (1.0 - power(alpha)) } else { rate };
    let (norm, epsilon) = (attribute(node, "norm_coefficient"), attribute(node, "epsilon"));
    let post = attribute(node, "norm_coefficient_post");
    stepped(node, &|[x, g, v, h]| {
        let g = norm * x + g;
        let (v, h) = (alpha * v + (1.0 - alpha) * g, beta * h + (1.0 - beta) * g * g);
        [(1.0 - post) * (x - rate * v / (h.sqrt() + epsilon)), v, h]
    })
}

fn momentum(node: &Node) -> Outputs {
    let nesterov = match node.string("mode")? {
        "nesterov" => true,
        "standard" => false,
        other => return Err(Refusal::invalid(format!("`mode` is `{other}`, expected `nesterov` or `standard`"))),
    };
    let (rate, count) = schedule(node)?;
    let (alpha, norm) = (attribute(node, "alpha"), attribute(node, "norm_coefficient"));
    let beta = if count > 0 { attribute(node, "beta") } else { 1.0 };
    stepped(node, &|[x, g, v]| {
        let g = norm * x + g;
        let v = alpha * v + beta * g;
        [x - rate * if nesterov { g + alpha * v } else { v }, v]
    })
}
