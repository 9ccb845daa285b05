//! Operators along one or more dimensions.

use crate::directml::description::Attribute;
use crate::directml::families::element_wise;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// A batch of layers along the last dimension: only the last two sizes may exceed 1.
pub(super) fn layers(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let count = d.sizes(counts).len();
    let mut sizes = vec![1; count];
    let (width, batch) = (d.range(1..=9), d.range(1..=4));
    *sizes.last_mut()? = width;
    if let Some(size) = sizes.iter_mut().rev().nth(1) {
        *size = batch;
    }
    element_wise::with_sizes(d, &sizes)
}

/// Returns at least one axis, in ascending order.
pub(super) fn some_axes(d: &mut Drawing, count: usize) -> Vec<i64> {
    let first = d.below(count);
    (0..count).filter(|&axis| axis == first || d.below(3) == 2).map(|axis| axis as i64).collect()
}

/// Draws the axes of the operator.
pub(super) fn axes(d: &mut Drawing, count: usize) -> Option<Vec<i64>> {
    let axes = some_axes(d, count);
    d.feature(if axes.len() == 1 { "one axis" } else { "several axes" });
    d.give("Axes", Attribute::Ints(axes.clone()));
    Some(axes)
}

pub(super) fn several(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    axes(d, sizes.len())?;
    element_wise::with_sizes(d, &sizes)
}

pub(super) fn reduction(d: &mut Drawing) -> Option<()> {
    let function = match d.attribute_of("Function") {
        Some(Attribute::Name(name)) => name.trim_start_matches("DML_REDUCE_FUNCTION_").to_owned(),
        _ => d.operator().short_name().to_owned(),
    };
    let is_index = function.starts_with("ARG");
    if !is_index {
        let data_type = d.type_of("InputTensor");
        d.set_type("OutputTensor", data_type);
    }
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let axes = if is_index {
        // Which element is counted first along several axes follows from an example alone.
        let axis = d.below(sizes.len()) as i64;
        d.give("Axes", Attribute::Ints(vec![axis]));
        vec![axis]
    } else {
        axes(d, sizes.len())?
    };
    d.attributes();
    let reduced: Vec<u32> =
        sizes.iter().enumerate().map(|(at, &size)| if axes.contains(&(at as i64)) { 1 } else { size }).collect();
    let is_float = d.type_of("InputTensor").is_float();
    match function.as_str() {
        "ARGMAX" | "ARGMIN" | "MAX" | "MIN" => d.input("InputTensor", &sizes, Values::Moderate),
        "LOG_SUM" => d.input("InputTensor", &sizes, Values::Between(0.5, 8.0)),
        "LOG_SUM_EXP" => d.input("InputTensor", &sizes, Values::Between(-4.0, 4.0)),
        "MULTIPLY" if is_float => d.input("InputTensor", &sizes, Values::Powers),
        "MULTIPLY" => d.input("InputTensor", &sizes, Values::Between(0.0, 1.0)),
        _ if is_float => d.input("InputTensor", &sizes, Values::Between(-4.0, 4.0)),
        _ => d.input("InputTensor", &sizes, Values::Integers),
    }
    d.output("OutputTensor", &reduced);
    Some(())
}

/// Which of equal elements is the first along several axes is not said.
pub(super) fn hardmax(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    if axes(d, sizes.len())?.len() > 1 {
        distinct(d, &sizes);
    } else {
        d.input("InputTensor", &sizes, Values::Moderate);
    }
    d.output("OutputTensor", &sizes);
    Some(())
}

/// Gives an input whose elements differ.
fn distinct(d: &mut Drawing, sizes: &[u32]) {
    let count = sizes.iter().product::<u32>() as usize;
    let turn = d.below(count);
    let (step, most) = (if count.is_multiple_of(7) { 11 } else { 7 }, 100);
    let elements: Vec<i128> = (0..count).map(|at| ((at * step + turn) % count % most) as i128).collect();
    d.input_of("InputTensor", sizes, &elements);
}

pub(super) fn running(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let axis = d.below(sizes.len()) as i64;
    d.give("Axis", Attribute::Int(axis));
    d.attributes();
    let values = match (d.operator().short_name(), d.type_of("InputTensor").is_float()) {
        ("CUMULATIVE_PRODUCT", true) => Values::Powers,
        ("CUMULATIVE_PRODUCT", false) => Values::Between(0.0, 2.0),
        _ => Values::Integers,
    };
    d.input("InputTensor", &sizes, values);
    d.output("OutputTensor", &sizes);
    Some(())
}

pub(super) fn top(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputValueTensor", "OutputIndexTensor"]);
    let mut sizes = d.sizes(counts);
    let axis = d.below(sizes.len());
    // The page asks for fewer elements than there are.
    sizes[axis] = sizes[axis].max(2);
    let count = d.range(1..=sizes[axis] - 1);
    d.give("Axis", Attribute::Int(axis as i64));
    d.give("K", Attribute::Int(i64::from(count)));
    d.attributes();
    d.input("InputTensor", &sizes, Values::Moderate);
    sizes[axis] = count;
    d.output("OutputValueTensor", &sizes);
    d.output("OutputIndexTensor", &sizes);
    Some(())
}

/// A length may be larger than the axis, which means the whole axis.
pub(super) fn reversed(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "SequenceLengthsTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let axis = d.below(sizes.len());
    d.give("Axis", Attribute::Int(axis as i64));
    d.input("InputTensor", &sizes, Values::Moderate);
    let mut lengths = sizes.clone();
    lengths[axis] = 1;
    d.input("SequenceLengthsTensor", &lengths, Values::Between(0.0, f64::from(sizes[axis] + 1)));
    d.output("OutputTensor", &sizes);
    Some(())
}
