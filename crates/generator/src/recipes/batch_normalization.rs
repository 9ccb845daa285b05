//! Draws inputs of ranks that the version allows, for inference and for training, with parameters of one or of several
//! types and with statistics of each channel or each activation.

use crate::families::normalization;
use crate::prelude::*;

fn names(draw: &Draw) -> [&'static str; 4] {
    if draw.since() < 14 { ["scale", "B", "mean", "var"] } else { ["scale", "B", "input_mean", "input_var"] }
}

fn parameters(draw: &mut Draw, shapes: [&[usize]; 4]) {
    let values = [(-2.0, 2.0), (-2.0, 2.0), (-1.0, 1.0), (0.1, 3.0)];
    for ((name, shape), (low, high)) in names(draw).into_iter().zip(shapes).zip(values) {
        draw.tensor(name, shape, Values::Between(low, high));
    }
}

/// In two cases of three, binds all type variables to the type of `T`, except those that the cell binds or that do not
/// allow this type. Otherwise leaves the variables open.
fn types(draw: &mut Draw) {
    let dtype = draw.dtype("T");
    if draw.once_in(3) {
        return;
    }
    let variables = draw.version().types.keys();
    let one: Vec<bool> = variables.map(|variable| draw.bind(variable, dtype)).collect();
    if !one.iter().all(|one| *one) {
        draw.feature("several types");
    }
}

/// Draws whether the node trains, and gives the attribute that says so if the version has one. If the default of the
/// attribute says the same, it may be left out.
fn training(draw: &mut Draw) -> bool {
    let training = draw.flag();
    match draw.since() {
        ..7 => {
            let given = draw.give_attribute("is_test");
            if given || !training {
                draw.int_attribute("is_test", i64::from(!training));
            }
        }
        7..14 => {}
        _ => {
            let given = draw.give_attribute("training_mode");
            if given || training {
                draw.int_attribute("training_mode", i64::from(training));
            }
        }
    }
    training
}

fn ranks(draw: &Draw) -> std::ops::RangeInclusive<usize> {
    match draw.since() {
        1 => 4..=4,
        ..9 => 2..=5,
        _ => 1..=5,
    }
}

pub fn batch_normalization(draw: &mut Draw) {
    types(draw);
    let training = training(draw);
    let ranks = ranks(draw);
    let shape = if training { draw.full_shape(ranks) } else { draw.shape(ranks) };
    let mut wanted = if shape.len() == 1 { vec![1] } else { vec![shape[1]] };
    if shape.len() == 1 {
        draw.feature("a list");
    }
    if draw.give_attribute("spatial") {
        // Before version 7 the parameters always belong to channels, which contradicts training with statistics of each
        // activation. Such training is not drawn.
        let spatial = training && draw.since() < 7 || !draw.flag();
        draw.int_attribute("spatial", i64::from(spatial));
        if !spatial && draw.since() >= 7 {
            draw.feature("statistics of each activation");
            wanted = shape[1..].to_vec();
        }
    }
    let values = normalization::values(draw);
    draw.tensor("X", &shape, values);
    parameters(draw, [&wanted; 4]);
    normalization::epsilon(draw);
    if draw.give_attribute("momentum") {
        let momentum = draw.choose(&[0.5, 0.9, 0.0, 1.0, 0.25]);
        draw.float_attribute("momentum", momentum);
    }
    if draw.has_attribute("consumed_inputs") {
        draw.ints_attribute("consumed_inputs", &[0, 0, 0, 1, 1]);
    }
    if !training {
        return draw.outputs(&[true]);
    }
    draw.feature("training");
    match draw.since() {
        // The first and the last output are always named; those between them may be left out.
        ..14 => {
            let [mean, variance, saved] = if draw.flag() { [true; 3] } else { [draw.flag(), draw.flag(), draw.flag()] };
            draw.outputs(&[true, mean, variance, saved, true]);
        }
        _ => {
            let outputs = draw.choose(&[[true; 3], [true; 3], [true, false, true]]);
            draw.outputs(&outputs);
        }
    }
}

/// Gives everything that a node with one output needs, with these shapes. Only the shapes may be invalid.
fn one_output(draw: &mut Draw, x: &[usize], shapes: [&[usize]; 4]) {
    types(draw);
    draw.tensor("X", x, Values::Moderate);
    parameters(draw, shapes);
    if draw.has_attribute("is_test") {
        draw.int_attribute("is_test", 1);
    }
    if draw.has_attribute("consumed_inputs") {
        draw.ints_attribute("consumed_inputs", &[0, 0, 0, 1, 1]);
    }
    draw.outputs(&[true]);
}

pub fn input_has_channels(draw: &mut Draw) {
    let shape = match draw.since() {
        1 => draw.way_of(&[vec![2, 3, 2], vec![2, 3], vec![2, 3, 2, 2, 1]]),
        ..9 => draw.way_of(&[vec![3], vec![]]),
        _ => vec![],
    };
    one_output(draw, &shape, [&[3]; 4]);
}

pub fn parameter_shapes_fit(draw: &mut Draw) {
    let ranks = ranks(draw);
    let shape = draw.full_shape(*ranks.start().max(&2)..=*ranks.end());
    let mut shapes = [[shape[1]]; 4];
    let at = draw.way(4);
    shapes[at] = [draw.other_extent(shape[1])];
    one_output(draw, &shape, [&shapes[0], &shapes[1], &shapes[2], &shapes[3]]);
}

pub fn outputs_fit_mode(draw: &mut Draw) {
    let ranks = ranks(draw);
    let shape = draw.full_shape(*ranks.start().max(&2)..=*ranks.end());
    one_output(draw, &shape, [&[shape[1]]; 4]);
    // Each of these numbers of outputs is wrong for inference, and some are wrong for training as well.
    let count = if draw.since() >= 14 {
        3
    } else if draw.since() < 7 {
        draw.way_of(&[5, 3])
    } else {
        draw.way_of(&[3, 4])
    };
    draw.outputs(&vec![true; count]);
}
