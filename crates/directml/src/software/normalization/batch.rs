//! Normalization with factors for each channel, or for any other dimensions.

use super::super::call::{Call, Dense, Run, Stop, Written};
use super::{activation, each, laid_over, sums};

pub const OPERATORS: &[(&str, Run)] = &[
    ("BATCH_NORMALIZATION", batch_normalization),
    ("BATCH_NORMALIZATION_GRAD", |call| batch_normalization_grad(call, false)),
    ("BATCH_NORMALIZATION_TRAINING", batch_normalization_training),
    ("BATCH_NORMALIZATION_TRAINING_GRAD", |call| batch_normalization_grad(call, true)),
];

/// Reads the tensor of a required field.
fn factor(call: &Call, field: &str, sizes: &[usize]) -> Result<Dense, Stop> {
    call.tensor(field)?;
    laid_over(call, field, sizes)?.map_or_else(|| super::wrong(field, "is missing"), Ok)
}

/// Normalizes with the given statistics. The attribute `Spatial` is not read: the sizes of the factors already say over
/// which dimensions they are broadcast.
fn batch_normalization(call: &Call) -> Written {
    let (x, epsilon, finish) = (call.numbers("InputTensor")?, call.float("Epsilon")?, activation(call)?);
    let factor = |field: &str| factor(call, field, &x.sizes);
    let (mean, variance) = (factor("MeanTensor")?, factor("VarianceTensor")?);
    let (scale, bias) = (factor("ScaleTensor")?, factor("BiasTensor")?);
    let found = each(&x, |index, x| {
        let y = (x - mean.at(index)) / (variance.at(index) + epsilon).sqrt();
        finish(y * scale.at(index) + bias.at(index))
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Normalizes with the mean and variance of the elements that share a scale.
fn batch_normalization_training(call: &Call) -> Written {
    let (x, epsilon, finish) = (call.numbers("InputTensor")?, call.float("Epsilon")?, activation(call)?);
    let (scale, bias) = (factor(call, "ScaleTensor", &x.sizes)?, factor(call, "BiasTensor", &x.sizes)?);
    let added = call.optional_numbers("FusedAddTensor")?;
    let (mut mean, count) = sums(&x, &scale.sizes, |at| x.data[at]);
    mean.data.iter_mut().for_each(|sum| *sum /= count);
    let distances = each(&x, |index, x| x - mean.at(index));
    let (mut variance, count) = sums(&x, &scale.sizes, |at| distances[at] * distances[at]);
    variance.data.iter_mut().for_each(|sum| *sum /= count);
    let found = each(&x, |index, y| {
        let y = (y - mean.at(index)) / (variance.at(index) + epsilon).sqrt() * scale.at(index) + bias.at(index);
        finish(added.as_ref().map_or(y, |added| y + added.data[x.place(index)]))
    });
    Ok(vec![
        call.put("OutputTensor", &found)?,
        call.put("OutputMeanTensor", &mean.data)?,
        call.put("OutputVarianceTensor", &variance.data)?,
    ])
}

/// Computes the gradients of input, scale and bias. In training, mean and variance depend on the input.
fn batch_normalization_grad(call: &Call, training: bool) -> Written {
    let (x, gradient) = (call.numbers("InputTensor")?, call.numbers("InputGradientTensor")?);
    let epsilon = call.float("Epsilon")?;
    let factor = |field: &str| factor(call, field, &x.sizes);
    let (mean, variance, scale) = (factor("MeanTensor")?, factor("VarianceTensor")?, factor("ScaleTensor")?);
    let normal = each(&x, |index, x| (x - mean.at(index)) / (variance.at(index) + epsilon).sqrt());
    let (of_scale, count) = sums(&x, &scale.sizes, |at| gradient.data[at] * normal[at]);
    let (of_bias, _) = sums(&x, &scale.sizes, |at| gradient.data[at]);
    let found = each(&gradient, |index, gradient| {
        let own = match training {
            true => gradient - of_bias.at(index) / count - normal[x.place(index)] * of_scale.at(index) / count,
            false => gradient,
        };
        own * scale.at(index) / (variance.at(index) + epsilon).sqrt()
    });
    Ok(vec![
        call.put("OutputGradientTensor", &found)?,
        call.put("OutputScaleGradientTensor", &of_scale.data)?,
        call.put("OutputBiasGradientTensor", &of_bias.data)?,
    ])
}
