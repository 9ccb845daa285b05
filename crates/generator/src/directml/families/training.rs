//! Normalizations and optimizers.

use crate::directml::description::Attribute;
use crate::directml::families::axes::axes;
use crate::directml::sketch::Drawing;
use crate::values::Values;

const SIGNED: Values = Values::Between(-2.0, 2.0);
const POSITIVE: Values = Values::Between(0.5, 2.0);

/// The second dimension has the channels.
pub(super) fn batch_normalization(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "MeanTensor", "OutputTensor"]);
    let sizes = d.sizes(*counts.start().max(&2)..=*counts.end());
    let mut of_channels = vec![1; sizes.len()];
    of_channels[1] = sizes[1];
    d.give("Spatial", Attribute::Bool(true));
    d.give("Epsilon", Attribute::Float(0.125));
    d.attributes();
    d.input("InputTensor", &sizes, SIGNED);
    for (name, values) in
        [("MeanTensor", SIGNED), ("VarianceTensor", POSITIVE), ("ScaleTensor", SIGNED), ("BiasTensor", SIGNED)]
    {
        d.input(name, &of_channels, values);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// Scale and bias are both given, or both left out, as every level allows it. They have the sizes of the input.
pub(super) fn mean_variance(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "ScaleTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    axes(d, sizes.len())?;
    d.give("Epsilon", Attribute::Float(0.125));
    d.attributes();
    d.input("InputTensor", &sizes, SIGNED);
    if d.has("ScaleTensor") {
        d.input("ScaleTensor", &sizes, SIGNED);
        d.input("BiasTensor", &sizes, SIGNED);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// The page describes the region of an element only across channels.
pub(super) fn local_response(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(*counts.start().max(&2)..=*counts.end());
    d.give("CrossChannel", Attribute::Bool(true));
    let size = d.range(1..=5);
    d.give("LocalSize", Attribute::Int(i64::from(size)));
    for (name, values) in [("Alpha", [1.0, 0.5, 2.0]), ("Beta", [0.75, 0.5, 1.0]), ("Bias", [1.0, 2.0, 0.5])] {
        let value = d.pick(&values);
        d.give(name, Attribute::Float(value));
    }
    d.input("InputTensor", &sizes, SIGNED);
    d.output("OutputTensor", &sizes);
    Some(())
}

/// No norm is zero, so that an epsilon of 0 is enough.
pub(super) fn lp_normalization(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let (axis, p) = (d.below(sizes.len()) as i64, d.pick(&[2, 1]));
    d.give("Axis", Attribute::Int(axis));
    d.give("P", Attribute::Int(p));
    d.give("Epsilon", Attribute::Float(0.0));
    d.input("InputTensor", &sizes, POSITIVE);
    d.output("OutputTensor", &sizes);
    Some(())
}

pub(super) fn adam(d: &mut Drawing) -> Option<()> {
    let sizes = d.sizes(4..=4);
    for (name, value) in [("LearningRate", 0.25), ("Beta1", 0.5), ("Beta2", 0.75), ("Epsilon", 0.125)] {
        d.give(name, Attribute::Float(value));
    }
    d.input("InputParametersTensor", &sizes, SIGNED);
    d.input("InputFirstMomentTensor", &sizes, SIGNED);
    d.input("InputSecondMomentTensor", &sizes, POSITIVE);
    d.input("GradientTensor", &sizes, SIGNED);
    let step = 1 + d.below(4) as i128;
    d.input_of("TrainingStepTensor", &[1, 1, 1, 1], &[step]);
    for name in ["OutputParametersTensor", "OutputFirstMomentTensor", "OutputSecondMomentTensor"] {
        d.output(name, &sizes);
    }
    Some(())
}
