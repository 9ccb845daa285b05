//! Inputs and coefficients of Adagrad, Adam and Momentum.

use crate::prelude::*;

/// Returns the values of an optimized tensor and of the tensors that come with it (the gradient and the state).
fn values_of_inputs(draw: &Draw) -> Vec<Values> {
    let (any, squares) = (Values::Around(-2.0, 2.0), Values::Between(0.0, 3.0));
    match draw.version().id.name.as_str() {
        "Adagrad" => vec![any, any, squares],
        "Adam" => vec![any, any, any, squares],
        _ => vec![any; 3],
    }
}

/// Gives the learning rate R and the count of updates T.
fn scalars(draw: &mut Draw) {
    if !draw.once_in(4) {
        let dtype = draw.dtype("T3");
        draw.bind("T1", dtype);
    }
    if draw.dtype("T1") != draw.dtype("T3") {
        draw.feature("two types");
    }
    let listed = draw.once_in(8);
    if listed {
        draw.feature("a list of one element for a scalar");
    }
    draw.tensor("R", if listed { &[1] } else { &[] }, Values::Between(0.01, 1.0));
    let count = draw.choose(&[0, 1, 2, 5, 1000]);
    draw.int_scalar("T", count);
    if count == 0 {
        draw.feature("first update");
    }
}

/// Gives the scalars, and one to three optimized tensors with the gradient and the state of each.
pub fn optimizer(draw: &mut Draw) {
    scalars(draw);
    let tensors = draw.choose(&[1, 2, 3]);
    let shapes: Vec<Vec<usize>> = (0..tensors).map(|_| draw.shape(0..=3)).collect();
    let values = values_of_inputs(draw);
    for &values in &values {
        shapes.iter().for_each(|shape| drop(draw.tensor("inputs", shape, values)));
    }
    draw.outputs(&vec![true; (values.len() - 1) * tensors]);
}

/// Gives a FLOAT attribute with one of these options, or leaves it out.
pub fn coefficient(draw: &mut Draw, name: &str, options: &[f32]) {
    if draw.give_attribute(name) {
        let value = draw.choose(options);
        draw.float_attribute(name, value);
    }
}

/// Options for `norm_coefficient` and `norm_coefficient_post`.
pub const COEFFICIENTS: &[f32] = &[0.5, 0.001, 0.0];

/// Options for the coefficients of running averages.
pub const DECAY: &[f32] = &[0.5, 0.9, 0.25];

/// Gives `inputs` for a single optimized tensor, with one tensor too few or one too many.
pub fn input_count_fits(draw: &mut Draw) {
    scalars(draw);
    let each = values_of_inputs(draw).len();
    let count = draw.way_of(&[each - 1, each + 1]);
    (0..count).for_each(|_| drop(draw.tensor("inputs", &[2], Values::Between(0.0, 1.0))));
    draw.outputs(&vec![true; each - 1]);
}

/// Gives a gradient or a state of another shape than the optimized tensor.
pub fn tensors_match_optimized(draw: &mut Draw) {
    scalars(draw);
    let each = values_of_inputs(draw).len();
    let (other, wrong) = (draw.way_of(&[3, 1]), 1 + draw.way(each - 1));
    (0..each)
        .for_each(|i| drop(draw.tensor("inputs", &[if i == wrong { other } else { 2 }], Values::Between(0.0, 1.0))));
    draw.outputs(&vec![true; each - 1]);
}

/// Gives a count of updates or a learning rate that is not a scalar.
pub fn r_and_t_scalar(draw: &mut Draw) {
    let wrong = draw.way(2) == 1;
    draw.tensor("R", if wrong { &[2] } else { &[] }, Values::Between(0.01, 1.0));
    if wrong {
        draw.int_scalar("T", 1);
    } else {
        draw.int_tensor("T", vec![2], &[1, 1]);
    }
    let each = values_of_inputs(draw).len();
    (0..each).for_each(|_| drop(draw.tensor("inputs", &[2], Values::Between(0.0, 1.0))));
    draw.outputs(&vec![true; each - 1]);
}
