//! LinearRegressor and the transforms of scores, computed in float64.

use plumbline_tensor::DType;

use crate::array::affordable;
use crate::node::{Node, Operator, Outputs, one};
use crate::ops::activation::logistic;
use crate::ops::attention::softmax;
use crate::ops::resize::{floats, from_floats};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("LinearRegressor", linear_regressor)];

/// Applies `post_transform` to the scores of one example.
pub fn transformed(scores: &mut [f64], transform: &str) -> Result<(), Refusal> {
    match transform {
        "NONE" => {}
        "LOGISTIC" => scores.iter_mut().for_each(|x| *x = logistic(*x)),
        "SOFTMAX" => softmax(scores),
        "SOFTMAX_ZERO" => {
            // Scores of zero are left out of the softmax and stay zero.
            let mut others: Vec<f64> = scores.iter().copied().filter(|&x| x != 0.0).collect();
            softmax(&mut others);
            scores.iter_mut().filter(|x| **x != 0.0).zip(others).for_each(|(x, share)| *x = share);
        }
        "PROBIT" => scores.iter_mut().for_each(|x| *x = probit(*x)),
        other => {
            return Err(Refusal::invalid(format!("`post_transform` is `{other}`, which is not a known transform")));
        }
    }
    Ok(())
}

/// Computes, by bisection, the number below which a standard normal variable lies with probability `p`.
fn probit(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p == 0.0 || p == 1.0 {
        return if p == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        let below = libm::erfc(-middle * std::f64::consts::FRAC_1_SQRT_2) / 2.0 < p;
        (low, high) = if below { (middle, high) } else { (low, middle) };
    }
    low
}

fn linear_regressor(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let (rows, features) = match *x.shape() {
        [features] => (1, features),
        [rows, features] => (rows, features),
        _ => return Err(Refusal::invalid(format!("`X` has shape {:?}, expected rank 1 or 2", x.shape()))),
    };
    let (coefficients, intercepts) = (node.floats("coefficients"), node.floats("intercepts"));
    let targets = usize::try_from(node.int("targets")).unwrap_or(0);
    let fits = node.given("intercepts").is_none() || intercepts.len() == targets;
    if targets == 0 || targets.checked_mul(features) != Some(coefficients.len()) || !fits {
        let counts = format!("{} coefficients and {} intercepts", coefficients.len(), intercepts.len());
        return Err(Refusal::invalid(format!(
            "there are {counts}, which do not fit {targets} targets and {features} features"
        )));
    }
    let shape = [rows, targets];
    let mut out = vec![0.0; affordable(&shape)?];
    let numbers = floats(x)?;
    for (row, out) in out.chunks_mut(targets).enumerate() {
        let own = &numbers[row * features..][..features];
        for (target, out) in out.iter_mut().enumerate() {
            let factors = &coefficients[target * features..][..features];
            let intercept = intercepts.get(target).copied().unwrap_or(0.0);
            *out =
                f64::from(intercept) + own.iter().zip(factors).map(|(x, &factor)| x * f64::from(factor)).sum::<f64>();
        }
        transformed(out, node.string("post_transform")?)?;
    }
    transformed(&mut [], node.string("post_transform")?)?;
    one(from_floats(DType::Float, &shape, &out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn softmax_zero_keeps_zeros_and_probit_gives_tabulated_quantiles() {
        let mut scores = [1.0, 0.0, 1.0];
        transformed(&mut scores, "SOFTMAX_ZERO").expect("the transform is known");
        assert_eq!(scores, [0.5, 0.0, 0.5]);
        let mut shares = [0.5, 0.975];
        transformed(&mut shares, "PROBIT").expect("the transform is known");
        assert!(shares[0].abs() < 1e-9 && (shares[1] - 1.959_963_984_540_054).abs() < 1e-9);
        let mut ends = [0.0, 1.0];
        transformed(&mut ends, "PROBIT").expect("the transform is known");
        assert_eq!(ends, [f64::NEG_INFINITY, f64::INFINITY]);
        assert!(transformed(&mut shares, "SQUARE").is_err());
    }
}
