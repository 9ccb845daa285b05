//! Recipes for InstanceNormalization, LayerNormalization, GroupNormalization, RMSNormalization, LpNormalization,
//! MeanVarianceNormalization and LRN.

use plumbline_tensor::DType;

use crate::draw::Draw;
use crate::values::Values;

/// Returns values that differ from each other, values far from zero, so that moments cancel, or values that are all
/// equal.
pub(super) fn spread(draw: &mut Draw) -> Values {
    let ways = [
        Values::Between(-2.0, 2.0),
        Values::Integers,
        Values::Moderate,
        Values::Between(-2.0, 2.0),
        Values::Between(6.0, 8.0),
        Values::Between(1.5, 1.5),
        Values::Mostly(-2.0, 2.0),
    ];
    let at = draw.below(ways.len());
    if at == 4 {
        draw.feature("a mean far from zero");
        return if draw.once_in(4) { far(draw) } else { ways[at] };
    }
    if at == 5 {
        draw.feature("no variance");
    }
    ways[at]
}

/// Returns values with a mean of 10 to a million times their spread, so that moments cancel more or less. In 16-bit
/// types the mean is 5 to 10 times the spread.
fn far(draw: &mut Draw) -> Values {
    let ways = [(10.0, 1.0), (-20.0, 4.0), (52.0, 2.0), (-100.0, 1.0), (1000.0, 1.0), (-1e4, 2.0), (1e6, 1.0)];
    let count = if draw.dtype("T").size() > 2 { ways.len() } else { 2 };
    let (mean, spread) = draw.choose(&ways[..count]);
    Values::Between(mean - spread, mean + spread)
}

pub(super) fn epsilon(draw: &mut Draw) {
    if draw.give_attribute("epsilon") {
        let value = draw.choose(&[1e-3, 0.1, 1e-5, 1.0]);
        draw.float_attribute("epsilon", value);
    }
}

fn scale_and_bias(draw: &mut Draw, names: [&str; 2], count: usize) {
    names.iter().for_each(|name| drop(draw.tensor(name, &[count], Values::Between(-2.0, 2.0))));
}

/// Returns the ranks of an input that has batches and channels.
fn ranks(draw: &Draw) -> std::ops::RangeInclusive<usize> {
    if draw.version().id.name == "InstanceNormalization" && draw.since() == 1 { 4..=4 } else { 2..=5 }
}

pub fn instance_normalization(draw: &mut Draw) {
    let ranks = ranks(draw);
    let shape = draw.shape(ranks);
    let values = spread(draw);
    draw.tensor("input", &shape, values);
    scale_and_bias(draw, ["scale", "B"], shape[1]);
    epsilon(draw);
    draw.legacy();
}

pub fn instance_normalization_input_has_channels(draw: &mut Draw) {
    let shape = if draw.since() == 1 { draw.way_of(&[vec![2, 3, 4], vec![2, 3]]) } else { vec![3] };
    draw.tensor("input", &shape, Values::Moderate);
    scale_and_bias(draw, ["scale", "B"], 3);
}

pub fn instance_normalization_parameter_shapes_fit(draw: &mut Draw) {
    let ranks = ranks(draw);
    let shape = draw.full_shape(ranks);
    draw.tensor("input", &shape, Values::Moderate);
    let [scale, bias] = draw.way_of(&[[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1]]);
    let beside = |off: isize| shape[1].saturating_add_signed(off);
    draw.tensor("scale", &[beside(scale)], Values::Moderate);
    draw.tensor("B", &[beside(bias)], Values::Moderate);
}

/// Gives `axis` in some cases, and returns the first axis that is normalized, counted from the front.
fn first_axis(draw: &mut Draw, rank: usize) -> usize {
    if !draw.give_attribute("axis") {
        return rank - 1;
    }
    let axis = draw.axis(rank, true);
    draw.int_attribute("axis", axis);
    axis.rem_euclid(rank as i64) as usize
}

/// Draws a shape for a factor that broadcasts to X: that of the normalized axes, or another one.
fn factor_shape(draw: &mut Draw, x: &[usize], axis: usize) -> Vec<usize> {
    if !draw.once_in(5) {
        return x[axis..].to_vec();
    }
    draw.feature("a factor of another shape");
    match draw.below(4) {
        0 => vec![],
        1 => vec![1],
        2 => x.to_vec(),
        _ => x.iter().map(|&extent| if draw.flag() { extent } else { 1 }).collect(),
    }
}

/// Gives `stash_type` if the type is not the default, and in some cases if it is.
fn stash(draw: &mut Draw, dtype: DType) {
    let given = draw.give_attribute("stash_type");
    if given || dtype != DType::Float {
        draw.int_attribute("stash_type", i64::from(dtype.code()));
    }
}

pub fn layer_normalization(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    let values = spread(draw);
    draw.tensor("X", &shape, values);
    let axis = first_axis(draw, shape.len());
    let scale = factor_shape(draw, &shape, axis);
    draw.tensor("Scale", &scale, Values::Between(-2.0, 2.0));
    if draw.give_input("B") {
        let bias = factor_shape(draw, &shape, axis);
        draw.tensor("B", &bias, Values::Between(-2.0, 2.0));
    }
    epsilon(draw);
    let dtype = draw.dtype("U");
    stash(draw, dtype);
    let outputs = draw.choose(&[[true, true, true], [true, false, false], [true, true, false], [true, false, true]]);
    draw.outputs(&outputs);
}

pub fn layer_normalization_axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("Scale", &[1], Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn layer_normalization_scale_broadcasts(draw: &mut Draw) {
    let mut shape = draw.full_shape(1..=4);
    *shape.last_mut().expect("the rank is at least 1") += 1;
    draw.tensor("X", &shape, Values::Moderate);
    let last = shape[shape.len() - 1];
    let wrong = draw.way_of(&[vec![last + 1], vec![if last == 2 { 4 } else { last - 1 }], [&[1], &shape[..]].concat()]);
    if draw.way(2) == 1 {
        draw.tensor("Scale", &[last], Values::Moderate);
        draw.tensor("B", &wrong, Values::Moderate);
    } else {
        draw.tensor("Scale", &wrong, Values::Moderate);
    }
}

pub fn layer_normalization_stash_type_allowed(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("Scale", &[1], Values::Moderate);
    let code = draw.foreign_code_or_zero(&[DType::Int64, DType::Float16, DType::Double]);
    draw.int_attribute("stash_type", code);
    draw.outputs(&[true]);
}

/// Draws the shape of an input, and a number of groups that divides its channels.
fn grouped(draw: &mut Draw) -> (Vec<usize>, usize) {
    let mut shape = draw.shape(2..=5);
    let (groups, size) = draw.choose(&[(2, 2), (1, 3), (3, 1), (2, 3), (1, 1)]);
    shape[1] = groups * size;
    if size == 1 {
        draw.feature("a group for each channel");
    }
    (shape, groups)
}

pub fn group_normalization(draw: &mut Draw) {
    let (shape, groups) = grouped(draw);
    let values = spread(draw);
    draw.tensor("X", &shape, values);
    let parameters = if draw.since() < 21 { groups } else { shape[1] };
    scale_and_bias(draw, ["scale", "bias"], parameters);
    draw.int_attribute("num_groups", groups as i64);
    epsilon(draw);
    if draw.has_attribute("stash_type") {
        let dtype = draw.choose(&[DType::Float, DType::Float, DType::Bfloat16, DType::Double, DType::Float16]);
        stash(draw, dtype);
    }
}

pub fn group_normalization_input_has_channels(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![4], vec![]]);
    draw.tensor("X", &shape, Values::Moderate);
    scale_and_bias(draw, ["scale", "bias"], 4);
    draw.int_attribute("num_groups", 4);
}

pub fn group_normalization_groups_divide_channels(draw: &mut Draw) {
    let groups = draw.way_of(&[3, 0, 5, -1, 8, i64::MAX, i64::MIN]);
    draw.tensor("X", &[2, 4, 3], Values::Moderate);
    let parameters = if draw.since() < 21 { groups.clamp(0, 8) as usize } else { 4 };
    scale_and_bias(draw, ["scale", "bias"], parameters);
    draw.int_attribute("num_groups", groups);
}

/// Gives a parameter with one element for each group where the version has one for each channel, or the other way
/// round.
pub fn group_normalization_parameter_shapes_fit(draw: &mut Draw) {
    let (groups, channels) = draw.way_of(&[(2, 4), (1, 3)]);
    draw.tensor("X", &[2, channels, 3], Values::Moderate);
    let (right, wrong) = if draw.since() < 21 { (groups, channels) } else { (channels, groups) };
    let [scale, bias] = draw.way_of(&[[wrong, wrong], [wrong, right], [right, wrong]]);
    draw.tensor("scale", &[scale], Values::Moderate);
    draw.tensor("bias", &[bias], Values::Moderate);
    draw.int_attribute("num_groups", groups as i64);
}

pub fn group_normalization_stash_type_allowed(draw: &mut Draw) {
    draw.tensor("X", &[2, 4, 3], Values::Moderate);
    scale_and_bias(draw, ["scale", "bias"], 4);
    draw.int_attribute("num_groups", 2);
    let code = draw.foreign_code_or_zero(&[DType::Int64, DType::Uint8]);
    draw.int_attribute("stash_type", code);
}

pub fn rms_normalization(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    let values = spread(draw);
    let dtype = draw.dtype("T");
    draw.tensor("X", &shape, values);
    let axis = first_axis(draw, shape.len());
    if !draw.once_in(4) {
        draw.bind("V", dtype);
    }
    let scale = factor_shape(draw, &shape, axis);
    draw.tensor("scale", &scale, Values::Between(-2.0, 2.0));
    if draw.dtype("V") != dtype {
        draw.feature("two types");
    }
    epsilon(draw);
    let stashed = draw.choose(&[DType::Float, DType::Float, DType::Bfloat16, DType::Double, DType::Float16]);
    if stashed == DType::Double {
        draw.feature("stashed as double");
    }
    stash(draw, stashed);
}

pub fn rms_normalization_axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("scale", &[1], Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn rms_normalization_scale_broadcasts(draw: &mut Draw) {
    let mut shape = draw.full_shape(1..=4);
    *shape.last_mut().expect("the rank is at least 1") += 1;
    draw.tensor("X", &shape, Values::Moderate);
    let wrong = draw.way_of(&[vec![shape[shape.len() - 1] + 1], [&[1], &shape[..]].concat()]);
    draw.tensor("scale", &wrong, Values::Moderate);
}

pub fn rms_normalization_stash_type_allowed(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("X", &shape, Values::Moderate);
    draw.tensor("scale", &[1], Values::Moderate);
    let code = draw.foreign_code_or_zero(&[DType::Int64, DType::Uint8]);
    draw.int_attribute("stash_type", code);
}

pub fn lp_normalization(draw: &mut Draw) {
    let shape = draw.shape(1..=5);
    let values = [Values::Between(-2.0, 2.0), Values::Integers, Values::Moderate, Values::Finite, Values::Any];
    let mut values = draw.choose(&values);
    if draw.once_in(8) {
        draw.feature("only zeros");
        values = Values::Between(0.0, 0.0);
    }
    draw.tensor("input", &shape, values);
    if draw.give_attribute("axis") {
        let axis = draw.axis(shape.len(), true);
        draw.int_attribute("axis", axis);
    }
    if let Some(p) = draw.turn_attribute("p", &[1, 2, 1]) {
        draw.int_attribute("p", p);
    }
}

pub fn lp_normalization_axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Moderate);
    let axis = draw.bad_axis(shape.len(), true);
    draw.int_attribute("axis", axis);
}

pub fn lp_normalization_p_known(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Moderate);
    let p = draw.way_of(&[3, 0, -1, i64::MAX, i64::MIN]);
    draw.int_attribute("p", p);
}

pub fn mean_variance_normalization(draw: &mut Draw) {
    let given = draw.give_attribute("axes");
    // An input of rank 4 is also valid for the default axes.
    let ranks = if given { draw.turn(&[1..=5, 4..=4, 4..=5, 4..=4, 1..=5, 1..=5]) } else { 4..=5 };
    let shape = draw.shape(ranks);
    // The function body divides a rounding error by 1e-9 if all elements are equal, so that little is decided then.
    // Most cases have elements that differ.
    let values = match draw.once_in(4) {
        true => spread(draw),
        false => {
            draw.choose(&[Values::Between(-2.0, 2.0), Values::Integers, Values::Moderate, Values::Mostly(-2.0, 2.0)])
        }
    };
    draw.tensor("X", &shape, values);
    if !given {
        return;
    }
    let mut axes: Vec<i64> = (0..shape.len() as i64).filter(|_| draw.flag()).collect();
    if axes.is_empty() {
        axes.push(0);
    }
    if draw.once_in(3) {
        draw.feature("negative axes");
        axes.iter_mut().for_each(|axis| *axis -= shape.len() as i64);
    }
    draw.ints_attribute("axes", &axes);
}

pub fn mean_variance_normalization_axes_in_range(draw: &mut Draw) {
    // The default axes need a rank of 4.
    let shape = draw.full_shape(1..=3);
    draw.tensor("X", &shape, Values::Moderate);
    if draw.way(2) == 1 {
        let axis = draw.bad_axis(shape.len(), true);
        draw.ints_attribute("axes", &[axis]);
    }
}

pub fn lrn(draw: &mut Draw) {
    let shape = draw.shape(2..=5);
    let values = [Values::Between(-2.0, 2.0), Values::Integers, Values::Moderate, Values::Mostly(-2.0, 2.0)];
    let values = draw.choose(&values);
    if matches!(values, Values::Moderate | Values::Mostly(..)) {
        draw.feature("elements of any size");
    }
    draw.tensor("X", &shape, values);
    let size = draw.choose(&[3, 1, 5, 2, 4, 9, i64::MAX]);
    if size == i64::MAX {
        draw.feature("a size of all channels");
    } else if size % 2 == 0 {
        draw.feature("an even size");
    }
    draw.int_attribute("size", size);
    for (name, options) in [("alpha", [0.5, 2e-4, 1.0]), ("beta", [0.5, 1.0, 0.3]), ("bias", [2.0, 1.5, 0.5])] {
        if draw.give_attribute(name) {
            let value = draw.choose(&options);
            draw.float_attribute(name, value);
        }
    }
}

pub fn lrn_input_has_channels(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![3], vec![]]);
    draw.tensor("X", &shape, Values::Moderate);
    draw.int_attribute("size", 3);
}

pub fn lrn_size_positive(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("X", &shape, Values::Moderate);
    let size = draw.under(1);
    draw.int_attribute("size", size);
}
