//! Lowers NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: GATHER_ELEMENTS picks the elements that the labels
//! select, ELEMENT_WISE_IF replaces ignored labels and their losses by 0, and REDUCE computes the sum or the mean.

use super::context::{Lowering, scalar, stretched};
use super::element_wise::negated;
use super::error::LoweringError;
use super::reduction::{reduced, softmax_of};
use super::view::View;
use super::{Rule, Views};
use crate::Scalar;
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType::{Int32, Uint8};

pub const OPERATORS: &[(&str, Rule)] =
    &[("NegativeLogLikelihoodLoss", negative_log_likelihood), ("SoftmaxCrossEntropyLoss", softmax_cross_entropy)];

fn negative_log_likelihood(lower: &mut Lowering) -> Views {
    let logarithms = lower.input(0)?;
    Ok(vec![loss(lower, &logarithms)?])
}

fn softmax_cross_entropy(lower: &mut Lowering) -> Views {
    let scores = lower.input(0)?;
    if scores.rank() < 2 {
        return Err(Refusal::invalid("`scores` must have at least 2 dimensions: samples and classes").into());
    }
    let logarithms = softmax_of(lower, scores, &[1], ["ACTIVATION_LOG_SOFTMAX", "ACTIVATION_LOG_SOFTMAX1"])?;
    let logarithms = lower.packed(logarithms)?;
    Ok(vec![loss(lower, &logarithms)?, logarithms])
}

/// The labels, and a mask of those that are ignored. Both have a class dimension of size 1.
struct Labels {
    labels: View,
    ignored: Option<View>,
}

impl Labels {
    /// Reads the labels. An ignored label may be out of range and is replaced by 0.
    fn read(lower: &mut Lowering, sizes: &[u32]) -> Result<Labels, LoweringError> {
        let labels = lower.input(1)?.reshaped(sizes);
        let Some(index) = lower.node.optional_int("ignore_index") else { return Ok(Labels { labels, ignored: None }) };
        let index = match labels.data_type {
            Int32 => i32::try_from(index).map(Scalar::from).ok(),
            _ => Some(Scalar::from(index)),
        };
        // No label of this type can have the ignored value.
        let Some(index) = index else { return Ok(Labels { labels, ignored: None }) };
        let index = lower.constant("ignore_index", labels.data_type, index);
        let ignored = lower.binary("ELEMENT_WISE_LOGICAL_EQUALS", [&labels, &index], Uint8)?;
        let all = Labels { labels, ignored: Some(ignored) };
        Ok(Labels { labels: all.unless_ignored(lower, &all.labels)?, ..all })
    }

    /// Returns `view` with 0 in place of each element whose label is ignored.
    fn unless_ignored(&self, lower: &mut Lowering, view: &View) -> Result<View, LoweringError> {
        let Some(ignored) = &self.ignored else { return Ok(view.clone()) };
        let zero = lower.constant("0", view.data_type, scalar(view.data_type, 0.0));
        lower.either(ignored, [&zero, view])
    }

    /// Picks the element that each label selects.
    fn pick(&self, lower: &mut Lowering, of: &View) -> Result<View, LoweringError> {
        let call = lower.call("GATHER_ELEMENTS").read("InputTensor", of).read("IndicesTensor", &self.labels);
        call.write("OutputTensor", of.data_type, &self.labels.sizes).axis("Axis", 1).one()
    }
}

/// Reduces all elements to one.
fn whole(lower: &mut Lowering, view: &View, function: &str) -> Result<View, LoweringError> {
    let axes: Vec<usize> = (0..view.rank()).collect();
    Ok(reduced(lower, view, function, &axes)?.reshaped(&[]))
}

/// Computes the loss. The mean is the sum of the losses divided by the sum of the weights, which are 1 by default.
fn loss(lower: &mut Lowering, logarithms: &View) -> Result<View, LoweringError> {
    let [samples, classes, inner @ ..] = logarithms.sizes.as_slice() else {
        return Err(Refusal::invalid("the input must have at least 2 dimensions: samples and classes").into());
    };
    let shape = [&[*samples], inner].concat();
    if lower.input(1)?.sizes != shape {
        return Err(Refusal::invalid(format!("the labels do not have the shape {shape:?}")).into());
    }
    let weights = lower.optional(2)?;
    if let Some(weights) = weights.as_ref().filter(|weights| weights.sizes != [*classes]) {
        return Err(
            Refusal::invalid(format!("the weights have shape {:?}, expected [{classes}]", weights.sizes)).into()
        );
    }
    let labels = Labels::read(lower, &[&[*samples, 1], inner].concat())?;
    let picked = labels.pick(lower, logarithms)?;
    let mut losses = negated(lower, &picked)?;
    let weights = match weights {
        Some(weights) => {
            let weights = stretched(&weights.placed(1, logarithms.rank()), &logarithms.sizes)?;
            let weights = labels.pick(lower, &weights)?;
            losses = lower.binary("ELEMENT_WISE_MULTIPLY", [&losses, &weights], losses.data_type)?;
            Some(weights)
        }
        None if labels.ignored.is_some() => Some(lower.constant("1", losses.data_type, scalar(losses.data_type, 1.0))),
        None => None,
    };
    // An ignored label gives a loss of 0, even if the picked element is NaN or infinite.
    let losses = labels.unless_ignored(lower, &losses)?;
    match (lower.node.string("reduction")?, weights) {
        ("none", _) => Ok(losses.reshaped(&shape)),
        ("sum", _) => whole(lower, &losses, "SUM"),
        ("mean", None) => whole(lower, &losses, "AVERAGE"),
        ("mean", Some(weights)) => {
            let weights = labels.unless_ignored(lower, &weights)?;
            let sums = [whole(lower, &losses, "SUM")?, whole(lower, &weights, "SUM")?];
            lower.binary("ELEMENT_WISE_DIVIDE", [&sums[0], &sums[1]], losses.data_type)
        }
        (other, _) => {
            Err(Refusal::invalid(format!("`reduction` is `{other}`, expected `none`, `sum` or `mean`")).into())
        }
    }
}
