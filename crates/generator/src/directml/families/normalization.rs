//! Normalizations and their gradients.

use plumbline_spec::directml::FeatureLevel;

use crate::directml::description::Attribute;
use crate::directml::families::axes::axes;
use crate::directml::sketch::Drawing;
use crate::values::Values;

pub(super) const SIGNED: Values = Values::Between(-2.0, 2.0);
pub(super) const POSITIVE: Values = Values::Between(0.5, 2.0);

/// Returns the sizes of a tensor that is broadcast to these sizes: those of the channels, or any sizes with some of them
/// 1.
fn broadcast(d: &mut Drawing, sizes: &[u32]) -> Vec<u32> {
    let of_channels = d.below(3) == 0;
    let keeps = |d: &mut Drawing, at: usize| if of_channels { at == 1 } else { d.flag() };
    sizes.iter().enumerate().map(|(at, &size)| if keeps(d, at) { size } else { 1 }).collect()
}

/// Before level 4_0, `Spatial` = FALSE requires that the last two dimensions of mean and variance are not broadcast.
pub(super) fn batch(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "MeanTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    d.give("Epsilon", Attribute::Float(0.125));
    d.attributes();
    let is_whole = d.level() < FeatureLevel::V4_0 && d.attribute_of("Spatial") == Some(&Attribute::Bool(false));
    d.input("InputTensor", &sizes, SIGNED);
    for (name, values) in
        [("MeanTensor", SIGNED), ("VarianceTensor", POSITIVE), ("ScaleTensor", SIGNED), ("BiasTensor", SIGNED)]
    {
        let mut of_factor = broadcast(d, &sizes);
        if is_whole && ["MeanTensor", "VarianceTensor"].contains(&name) {
            let spatial = sizes.len().saturating_sub(2);
            of_factor[spatial..].copy_from_slice(&sizes[spatial..]);
        }
        d.input(name, &of_factor, values);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// Draws the sizes of the input, and those of the factors.
fn sizes_of_batch(d: &mut Drawing) -> (Vec<u32>, Vec<u32>) {
    let counts = d.dimension_counts(&["InputTensor", "ScaleTensor"]);
    let sizes = d.sizes(counts);
    let of_factors = broadcast(d, &sizes);
    d.feature(if of_factors == sizes { "factors for each element" } else { "factors for several elements" });
    d.give("Epsilon", Attribute::Float(0.125));
    (sizes, of_factors)
}

pub(super) fn batch_training(d: &mut Drawing) -> Option<()> {
    let (sizes, of_factors) = sizes_of_batch(d);
    d.attributes();
    d.input("InputTensor", &sizes, SIGNED);
    d.input("ScaleTensor", &of_factors, SIGNED);
    d.input("BiasTensor", &of_factors, SIGNED);
    if d.has("FusedAddTensor") {
        d.input("FusedAddTensor", &sizes, SIGNED);
    }
    d.output("OutputTensor", &sizes);
    d.output("OutputMeanTensor", &of_factors);
    d.output("OutputVarianceTensor", &of_factors);
    Some(())
}

pub(super) fn batch_gradient(d: &mut Drawing) -> Option<()> {
    let (sizes, of_factors) = sizes_of_batch(d);
    d.input("InputTensor", &sizes, SIGNED);
    d.input("MeanTensor", &of_factors, SIGNED);
    gradient(d, &sizes, &of_factors);
    Some(())
}

/// The mean is that of the elements that share it.
pub(super) fn batch_training_gradient(d: &mut Drawing) -> Option<()> {
    let (sizes, of_factors) = sizes_of_batch(d);
    let groups: u32 = of_factors.iter().product();
    let means: Vec<i128> = (0..groups).map(|_| d.below(5) as i128 - 2).collect();
    let count = sizes.iter().product::<u32>() / groups;
    // Two elements of a group have the same distance from its mean, on both sides; the last one of an odd number is the mean.
    let mut seen = vec![(0, 0); means.len()];
    let mut elements = Vec::new();
    for at in 0..sizes.iter().product::<u32>() {
        let group = group_of(at, &sizes, &of_factors);
        let (before, distance) = seen[group];
        let distance = match (before % 2 == 0, before + 1 < count) {
            (true, true) => d.below(7) as i128 - 3,
            (true, false) => 0,
            (false, _) => -distance,
        };
        seen[group] = (before + 1, distance);
        elements.push(means[group] + distance);
    }
    d.input_of("InputTensor", &sizes, &elements);
    d.input_of("MeanTensor", &of_factors, &means);
    gradient(d, &sizes, &of_factors);
    Some(())
}

/// Returns the number of the factor that belongs to an element.
fn group_of(mut element: u32, sizes: &[u32], of_factors: &[u32]) -> usize {
    let (mut group, mut stride) = (0, 1);
    for (&size, &of_factor) in sizes.iter().zip(of_factors).rev() {
        group += element % size % of_factor * stride;
        stride *= of_factor;
        element /= size;
    }
    group as usize
}

/// Gives what gradients of batch normalizations have in common.
fn gradient(d: &mut Drawing, sizes: &[u32], of_factors: &[u32]) {
    d.input("InputGradientTensor", sizes, SIGNED);
    d.input("VarianceTensor", of_factors, POSITIVE);
    d.input("ScaleTensor", of_factors, SIGNED);
    d.output("OutputGradientTensor", sizes);
    d.output("OutputScaleGradientTensor", of_factors);
    d.output("OutputBiasGradientTensor", of_factors);
}

/// Before level 5_2, scale and bias are both given, or both left out. Before level 4_0, their channels are those of the
/// input.
pub(super) fn mean_variance(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "ScaleTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    if d.operator().field("Axes").is_some() {
        axes(d, sizes.len())?;
    }
    d.give("Epsilon", Attribute::Float(0.125));
    d.attributes();
    d.input("InputTensor", &sizes, SIGNED);
    let has_scale = d.has("ScaleTensor");
    let has_bias = if d.level() < FeatureLevel::V5_2 { has_scale } else { d.has("BiasTensor") };
    for (name, is_given) in [("ScaleTensor", has_scale), ("BiasTensor", has_bias)] {
        if is_given {
            let mut of_factor = broadcast(d, &sizes);
            if d.level() < FeatureLevel::V4_0 {
                match sizes.len() {
                    4 => of_factor[1] = sizes[1],
                    _ => of_factor.clone_from(&sizes),
                }
            }
            d.input(name, &of_factor, SIGNED);
        }
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// The page describes the region of an element only across channels.
pub(super) fn local_response(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor"]);
    let sizes = d.sizes(*counts.start().max(&2)..=*counts.end());
    d.give("CrossChannel", Attribute::Bool(true));
    let size = d.range(1..=5);
    d.give("LocalSize", Attribute::Int(i64::from(size)));
    for (name, values) in [("Alpha", [1.0, 0.5, 2.0]), ("Beta", [0.75, 0.5, 1.0]), ("Bias", [1.0, 2.0, 0.5])] {
        let value = d.pick(&values);
        d.give(name, Attribute::Float(value));
    }
    let operator = d.operator();
    operator.inputs().for_each(|field| d.input(&field.name, &sizes, SIGNED));
    operator.outputs().for_each(|field| d.output(&field.name, &sizes));
    Some(())
}

/// No norm is zero, so that an epsilon of 0 is enough.
pub(super) fn lp(d: &mut Drawing) -> Option<()> {
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
