//! Draws parts whose lengths are listed, parts of equal length, and parts whose length follows from `num_outputs`.

use crate::families::axes;
use crate::prelude::*;

/// The ways to give the lengths.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Attribute,
    Input,
    Number,
    Omitted,
}

fn give_lengths(draw: &mut Draw, way: Way, lengths: &[i64]) {
    match way {
        Way::Attribute => draw.ints_attribute("split", lengths),
        Way::Input if draw.since() >= 13 => draw.ints("split", lengths),
        Way::Input => {
            // Split-1 takes the lengths in the element type of the data.
            let dtype = draw.dtype("T");
            let values: Vec<f64> = lengths.iter().map(|&l| l as f64).collect();
            let tensor = Tensor::from_f64s(dtype, vec![values.len()], &values);
            draw.input("split", tensor.expect("there are as many values as the shape has elements"));
        }
        Way::Number => draw.int_attribute("num_outputs", lengths.len() as i64),
        Way::Omitted => {}
    }
}

fn ways(since: u32) -> &'static [Way] {
    match since {
        1 => &[Way::Omitted, Way::Attribute, Way::Input],
        2..13 => &[Way::Omitted, Way::Attribute],
        13..18 => &[Way::Omitted, Way::Input],
        _ => &[Way::Number, Way::Input],
    }
}

/// Gives the data to split, with this extent along the axis. The axis is left out in some cases, if that is valid.
fn data(draw: &mut Draw, extent: i64) {
    let given = draw.give_attribute("axis");
    // Split-1 has no default for the axis, but with a rank of 1 there is only one axis.
    let mut shape = draw.full_shape(if given || draw.since() > 1 { 1..=4 } else { 1..=1 });
    let axis = if given { draw.below(shape.len()) } else { 0 };
    shape[axis] = extent as usize;
    draw.tensor("input", &shape, Values::Any);
    if given {
        let axis = axes::from_either_end(draw, axis, shape.len());
        draw.int_attribute("axis", axis);
    }
}

pub fn split(draw: &mut Draw) {
    let way = draw.choose(ways(draw.since()));
    let count = draw.range(1..=4);
    let lengths: Vec<i64> = match way {
        Way::Attribute | Way::Input => (0..count).map(|_| draw.range(0..=4)).collect(),
        Way::Omitted => {
            let part = draw.range(0..=4);
            vec![part; count as usize]
        }
        Way::Number => {
            let part = draw.range(1..=4);
            let mut last = draw.range(0..=part);
            // If the last part is so small that parts of `part - 1` elements suffice, Split makes such parts instead.
            if part * (count - 1) + last <= count * (part - 1) {
                last = part;
            }
            if last < part {
                draw.feature("uneven parts");
            }
            if last == 0 {
                draw.feature("last part empty");
            }
            (0..count).map(|i| if i == count - 1 { last } else { part }).collect()
        }
    };
    if lengths.windows(2).any(|w| w[0] != w[1]) {
        draw.feature("parts of different length");
    }
    data(draw, lengths.iter().sum());
    give_lengths(draw, way, &lengths);
    draw.outputs(&vec![true; lengths.len()]);
}

pub fn axis_in_range(draw: &mut Draw) {
    let shape = draw.full_shape(1..=4);
    draw.tensor("input", &shape, Values::Any);
    let axis = if draw.since() >= 11 { draw.bad_axis(shape.len(), true) } else { draw.above(shape.len() as i64 - 1) };
    draw.int_attribute("axis", axis);
    let way = draw.way_of(&ways(draw.since())[..1]);
    give_lengths(draw, way, &[1]);
    draw.outputs(&[true]);
}

/// Gives more lengths than outputs, or fewer.
pub fn lengths_fit_outputs(draw: &mut Draw) {
    let lengths: Vec<i64> = (0..draw.range(2..=4)).map(|_| draw.range(1..=4)).collect();
    data(draw, lengths.iter().sum());
    let way = draw.way_of(&ways(draw.since())[1..]);
    give_lengths(draw, way, &lengths);
    let outputs = draw.way_of(&[lengths.len() - 1, lengths.len() + 1]);
    draw.outputs(&vec![true; outputs]);
}

/// Gives lengths that do not add up to the extent, or a negative length.
pub fn lengths_fit_axis(draw: &mut Draw) {
    let mut lengths: Vec<i64> = (0..draw.range(2..=4)).map(|_| draw.range(1..=4)).collect();
    data(draw, lengths.iter().sum());
    match draw.way(3) {
        0 => {
            let at = draw.way(lengths.len());
            lengths[at] += 1;
        }
        1 => {
            let at = draw.way(lengths.len());
            lengths[at] -= 1;
        }
        _ => {
            // The sum is right, but one of the lengths is negative.
            let (more, less) = draw.way_of(&[(0, 1), (1, 0)]);
            lengths[more] += lengths[less] + 1;
            lengths[less] = -1;
        }
    }
    let way = draw.way_of(&ways(draw.since())[1..]);
    give_lengths(draw, way, &lengths);
    draw.outputs(&vec![true; lengths.len()]);
}

/// Asks for a number of outputs that does not divide the extent.
pub fn outputs_divide_axis(draw: &mut Draw) {
    let (parts, each) = (draw.range(2..=4), draw.range(1..=3));
    let left = draw.way_of(&[1, parts - 1]);
    data(draw, parts * each + left);
    draw.outputs(&vec![true; parts as usize]);
}

/// Gives both `split` and `num_outputs`, or neither.
pub fn split_or_num_outputs(draw: &mut Draw) {
    let part = draw.range(1..=4);
    data(draw, 2 * part);
    if draw.way(2) == 1 {
        give_lengths(draw, Way::Input, &[part, part]);
        give_lengths(draw, Way::Number, &[part, part]);
    }
    draw.outputs(&[true, true]);
}

pub fn num_outputs_positive(draw: &mut Draw) {
    let part = draw.range(1..=4);
    data(draw, 2 * part);
    let number = draw.under(1);
    draw.int_attribute("num_outputs", number);
    draw.outputs(&[true, true]);
}
