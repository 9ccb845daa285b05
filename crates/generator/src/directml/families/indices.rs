//! Operators with a tensor of indices.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// Returns whether indices may count from the end: from level 3_0 on, which is the first with signed types.
fn counts_from_end(d: &Drawing) -> bool {
    !d.type_of("IndicesTensor").is_unsigned()
}

/// Returns indices for a dimension of this size.
fn values_of_indices(d: &Drawing, size: u32) -> Values {
    Values::Between(if counts_from_end(d) { -f64::from(size) } else { 0.0 }, f64::from(size - 1))
}

/// Indices and output have as many dimensions as the input, with leading sizes of 1 where they need fewer.
pub(super) fn gather(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "IndicesTensor", "OutputTensor"]);
    let mut sizes = d.sizes(counts);
    let count = sizes.len();
    // The indices take the place of one dimension, so with `free` leading sizes of 1, they may have one dimension more
    // than that.
    let free = d.below(count.min(3));
    sizes[..free].fill(1);
    let of_indices = 1 + d.below(free + 1);
    let axis = free + d.below(count - free);
    let indices: Vec<u32> = (0..of_indices).map(|_| d.range(1..=3)).collect();
    let used = [&sizes[free..axis], indices.as_slice(), &sizes[axis + 1..]].concat();
    let padded = |used: &[u32]| Some([vec![1; count.checked_sub(used.len())?].as_slice(), used].concat());
    let (indices, output) = (padded(&indices)?, padded(&used)?);
    d.give("Axis", Attribute::Int(axis as i64));
    d.give("IndexDimensions", Attribute::Int(of_indices as i64));
    d.input("InputTensor", &sizes, Values::Moderate);
    let values = values_of_indices(d, sizes[axis]);
    d.input("IndicesTensor", &indices, values);
    d.output("OutputTensor", &output);
    Some(())
}

pub(super) fn gather_elements(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "IndicesTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let axis = d.below(sizes.len());
    let mut output = sizes.clone();
    output[axis] = d.range(1..=5);
    d.give("Axis", Attribute::Int(axis as i64));
    d.input("InputTensor", &sizes, Values::Moderate);
    let values = values_of_indices(d, sizes[axis]);
    d.input("IndicesTensor", &output, values);
    d.output("OutputTensor", &output);
    Some(())
}

/// No two indices of a line are equal.
pub(super) fn scatter_elements(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "IndicesTensor", "UpdatesTensor", "OutputTensor"]);
    let sizes = d.sizes(counts);
    let axis = d.below(sizes.len());
    let mut updates = sizes.clone();
    updates[axis] = d.range(1..=sizes[axis]);
    let first = d.below(sizes[axis] as usize) as u32;
    d.give("Axis", Attribute::Int(axis as i64));
    d.input("InputTensor", &sizes, Values::Moderate);
    let after: u32 = updates[axis + 1..].iter().product();
    let count: u32 = updates.iter().product();
    let from_end = counts_from_end(d) && d.flag();
    if from_end {
        d.feature("indices from the end");
    }
    let end = if from_end { sizes[axis] } else { 0 };
    let along = |at: u32| i128::from((at / after % updates[axis] + first) % sizes[axis]) - i128::from(end);
    let elements: Vec<i128> = (0..count).map(along).collect();
    d.input_of("IndicesTensor", &updates, &elements);
    d.input("UpdatesTensor", &updates, Values::Moderate);
    d.output("OutputTensor", &sizes);
    Some(())
}

/// The first element of the values is that of all places but one, and the second that of the one.
pub(super) fn one_hot(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["IndicesTensor", "ValuesTensor", "OutputTensor"]);
    let mut sizes = d.sizes(counts);
    let axis = d.below(sizes.len());
    let mut of_values = vec![1; sizes.len()];
    *of_values.last_mut()? = 2;
    let depth = d.range(1..=5);
    // From level 3_0 on, an index may count from the end.
    let from_end = counts_from_end(d);
    let least = if from_end { -f64::from(depth) } else { 0.0 };
    d.give("Axis", Attribute::Int(axis as i64));
    sizes[axis] = 1;
    d.input("IndicesTensor", &sizes, Values::Between(least, f64::from(depth - 1)));
    d.input("ValuesTensor", &of_values, Values::Moderate);
    sizes[axis] = depth;
    d.output("OutputTensor", &sizes);
    Some(())
}

/// Indices that are tuples of coordinates, and the sizes of the tensors that belong to them. All tensors have equally many
/// dimensions, with leading sizes of 1 where they need fewer.
struct Tuples {
    input: Vec<u32>,
    indices: Vec<u32>,
    /// The elements of the indices.
    coordinates: Vec<i128>,
    /// The sizes of what the tuples choose.
    chosen: Vec<u32>,
}

/// Draws tuples, of which no two are equal if `distinct`. Gives the numbers of dimensions that are used.
fn tuples(d: &mut Drawing, tensors: &[&str], distinct: bool) -> Option<Tuples> {
    let counts = d.dimension_counts(tensors);
    let mut input = d.sizes(counts);
    let count = input.len();
    let free = d.below(count.min(3));
    input[..free].fill(1);
    let used = &input[free..];
    let has_batches = d.operator().field("BatchDimensionCount").is_some();
    let batch = if has_batches { d.below(used.len().min(3)) } else { 0 };
    let by = 1 + d.below(used.len() - batch);
    let (extents, kept) = used[batch..].split_at(by);
    let most = (count - kept.len()).min(count - 1);
    let mut leading = used[..batch].to_vec();
    for _ in 0..d.below(most.checked_sub(batch)?.min(2) + 1) {
        leading.push(d.range(1..=3));
    }
    let places: u32 = extents.iter().product();
    while distinct && leading.iter().product::<u32>() > places {
        leading.pop();
    }
    let from_end = counts_from_end(d) && d.flag();
    if from_end {
        d.feature("indices from the end");
    }
    let first = d.below(places as usize) as u32;
    let mut coordinates = Vec::new();
    for at in 0..leading.iter().product() {
        let mut place = if distinct { (first + at) % places } else { d.below(places as usize) as u32 };
        let mut tuple = vec![0; by];
        for (coordinate, &extent) in tuple.iter_mut().zip(extents).rev() {
            *coordinate = i128::from(place % extent) - if from_end { i128::from(extent) } else { 0 };
            place /= extent;
        }
        coordinates.extend(tuple);
    }
    d.give("InputDimensionCount", Attribute::Int(used.len() as i64));
    d.give("IndicesDimensionCount", Attribute::Int(leading.len() as i64 + 1));
    if has_batches {
        d.give("BatchDimensionCount", Attribute::Int(batch as i64));
        d.feature(if batch == 0 { "no batches" } else { "batches" });
    }
    let padded = |used: &[u32]| Some([vec![1; count.checked_sub(used.len())?].as_slice(), used].concat());
    let chosen = padded(&[&leading[..], kept].concat())?;
    let indices = padded(&[&leading[..], &[by as u32]].concat())?;
    Some(Tuples { indices, coordinates, chosen, input })
}

pub(super) fn gather_tuples(d: &mut Drawing) -> Option<()> {
    let tuples = tuples(d, &["InputTensor", "IndicesTensor", "OutputTensor"], false)?;
    d.input("InputTensor", &tuples.input, Values::Moderate);
    d.input_of("IndicesTensor", &tuples.indices, &tuples.coordinates);
    d.output("OutputTensor", &tuples.chosen);
    Some(())
}

pub(super) fn scatter_tuples(d: &mut Drawing) -> Option<()> {
    let tuples = tuples(d, &["InputTensor", "IndicesTensor", "UpdatesTensor", "OutputTensor"], true)?;
    d.input("InputTensor", &tuples.input, Values::Moderate);
    d.input_of("IndicesTensor", &tuples.indices, &tuples.coordinates);
    d.input("UpdatesTensor", &tuples.chosen, Values::Moderate);
    d.output("OutputTensor", &tuples.input);
    Some(())
}

/// Each coordinate has at least as many numbers as the input has dimensions behind its leading sizes of 1.
pub(super) fn nonzero(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputCountTensor", "OutputCoordinatesTensor"]);
    let sizes = d.sizes(counts);
    let count = sizes.len();
    let leading = sizes.iter().take_while(|&&size| size == 1).count();
    let width = d.range((count - leading).max(1) as u32..=count as u32);
    let values = d.pick(&[Values::Between(-1.0, 1.0), Values::Integers]);
    d.input("InputTensor", &sizes, values);
    d.output("OutputCountTensor", &vec![1; count]);
    let mut coordinates = vec![1; count];
    coordinates[count - 2..].copy_from_slice(&[sizes.iter().product(), width]);
    d.output("OutputCoordinatesTensor", &coordinates);
    Some(())
}
