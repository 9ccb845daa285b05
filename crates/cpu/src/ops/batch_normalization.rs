//! BatchNormalization, which uses the given statistics, or the statistics of the batch in training mode.

use plumbline_tensor::DType;

use super::normalization::{moments, narrowed, wide};
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("BatchNormalization", batch_normalization)];

/// Returns whether the node is in training mode. Before version 14 a node trains if it names an output behind the first
/// one. From version 14 on `training_mode` decides.
fn trains(node: &Node) -> Result<bool, Refusal> {
    let (since, places) = (node.since(), node.output_places());
    let wrong =
        || Err(Refusal::invalid(format!("the node has {places} outputs, which do not fit its mode (training or not)")));
    if since >= 14 {
        let trains = node.int("training_mode") != 0;
        return if trains == (places > 1) && matches!(places, 1 | 3) { Ok(trains) } else { wrong() };
    }
    match places {
        1 => Ok(false),
        5 if since < 7 && node.int("is_test") != 0 => wrong(),
        5 => Ok(node.outputs() > 1),
        _ => wrong(),
    }
}

fn batch_normalization(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let shape = data.shape();
    let training = trains(node)?;
    let ranked = match node.since() {
        ..6 => shape.len() == 4,
        6..9 => shape.len() >= 2,
        _ => !shape.is_empty(),
    };
    if !ranked {
        return Err(Refusal::invalid(format!("`X` has shape {shape:?}, whose rank this version does not take")));
    }
    let channels = shape.get(1).copied().unwrap_or(1);
    let plane: usize = shape.iter().skip(2).product();
    // In version 7 with `spatial` = 0, each element of an instance has its own parameters.
    let of_channels = node.since() != 7 || node.int("spatial") != 0;
    if node.since() < 7 && node.int("spatial") == 0 && training {
        return Err(Refusal::unsupported("training with `spatial` = 0 is not implemented"));
    }
    let own = if of_channels { vec![channels] } else { shape[1..].to_vec() };
    let parameter = |at: usize| match node.input(at)? {
        parameter if parameter.shape() == own => wide(parameter),
        other => Err(Refusal::invalid(format!("input {at} has shape {:?}, expected {own:?}", other.shape()))),
    };
    let (scale, shift) = (parameter(1)?, parameter(2)?);
    let (given_mean, given_variance) = (parameter(3)?, parameter(4)?);
    let numbers = wide(data)?;
    let place = |at: usize| if of_channels { at / plane % channels } else { at % (channels * plane) };

    let all_double = node.arrays()?.iter().all(|array| array.dtype() == DType::Double);
    let most = if all_double { f64::MAX } else { f64::from(f32::MAX) };
    let (mut mean, mut variance) = (given_mean.clone(), given_variance.clone());
    if training {
        let mut parts = vec![Vec::new(); mean.len()];
        numbers.iter().enumerate().for_each(|(at, &x)| parts[place(at)].push(x));
        for (at, part) in parts.iter().enumerate() {
            (mean[at], variance[at]) = moments(part.iter().copied(), part.len());
            // In the specification's equations the variance is a tensor. Its type is float64 if all inputs are float64,
            // and else float32. A variance beyond the range of that type is infinite.
            if variance[at] > most {
                variance[at] = f64::INFINITY;
            }
        }
    }
    let epsilon = f64::from(node.float("epsilon"));
    let normalized = |(at, x): (usize, &f64)| {
        let p = place(at);
        (x - mean[p]) / (variance[p] + epsilon).sqrt() * scale[p] + shift[p]
    };
    let normalized: Vec<f64> = numbers.iter().enumerate().map(normalized).collect();
    let mut outputs = vec![narrowed(data.dtype(), shape, &normalized)?.into()];
    if training {
        let momentum = f64::from(node.float("momentum"));
        let running = |given: &[f64], now: &[f64]| -> Vec<f64> {
            given.iter().zip(now).map(|(given, now)| given * momentum + now * (1.0 - momentum)).collect()
        };
        let dtype = node.input(3)?.dtype();
        let kept = |numbers: &[f64]| narrowed(dtype, &own, numbers);
        outputs.push(kept(&running(&given_mean, &mean))?.into());
        outputs.push(kept(&running(&given_variance, &variance))?.into());
        if node.since() < 14 {
            outputs.push(kept(&mean)?.into());
            outputs.push(kept(&variance)?.into());
        }
    }
    Ok(outputs)
}
