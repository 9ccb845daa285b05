//! Recipes for Adagrad, Adam and Momentum.

use crate::draw::Draw;
use crate::values::Values;

/// Returns the values of an optimized tensor and of the tensors that come with it (the gradient and the state).
fn values(draw: &Draw) -> Vec<Values> {
    let (any, squares) = (Values::Around(-2.0, 2.0), Values::Between(0.0, 3.0));
    match draw.version().id.name.as_str() {
        "Adagrad" => vec![any, any, squares],
        "Adam" => vec![any, any, any, squares],
        _ => vec![any; 3],
    }
}

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

fn optimizer(draw: &mut Draw) {
    scalars(draw);
    let tensors = draw.choose(&[1, 2, 3]);
    let shapes: Vec<Vec<usize>> = (0..tensors).map(|_| draw.shape(0..=3)).collect();
    let values = values(draw);
    for &values in &values {
        shapes.iter().for_each(|shape| drop(draw.tensor("inputs", shape, values)));
    }
    draw.outputs(&vec![true; (values.len() - 1) * tensors]);
}

fn attribute(draw: &mut Draw, name: &str, options: &[f32]) {
    if draw.give_attribute(name) {
        let value = draw.choose(options);
        draw.float_attribute(name, value);
    }
}

const COEFFICIENTS: &[f32] = &[0.5, 0.001, 0.0];
const DECAY: &[f32] = &[0.5, 0.9, 0.25];

pub fn adagrad(draw: &mut Draw) {
    optimizer(draw);
    attribute(draw, "norm_coefficient", COEFFICIENTS);
    attribute(draw, "decay_factor", &[0.5, 0.1, 0.0]);
    attribute(draw, "epsilon", &[0.001, 1e-6]);
}

pub fn adam(draw: &mut Draw) {
    optimizer(draw);
    attribute(draw, "norm_coefficient", COEFFICIENTS);
    attribute(draw, "norm_coefficient_post", COEFFICIENTS);
    attribute(draw, "alpha", DECAY);
    attribute(draw, "beta", DECAY);
    attribute(draw, "epsilon", &[0.001, 1e-6]);
}

fn of_momentum(draw: &mut Draw, mode: &str) {
    attribute(draw, "norm_coefficient", COEFFICIENTS);
    attribute(draw, "alpha", DECAY);
    attribute(draw, "beta", &[0.5, 1.0, 0.1]);
    draw.string_attribute("mode", mode);
}

pub fn momentum(draw: &mut Draw) {
    optimizer(draw);
    let mode = draw.choose(&["standard", "nesterov"]);
    if mode == "nesterov" {
        draw.feature("nesterov");
    }
    of_momentum(draw, mode);
}

/// Gives a number of inputs that is not a multiple of what each optimized tensor needs.
fn c1(draw: &mut Draw) {
    scalars(draw);
    let each = values(draw).len();
    let count = draw.way_of(&[each - 1, each + 1]);
    (0..count).for_each(|_| drop(draw.tensor("inputs", &[2], Values::Between(0.0, 1.0))));
    draw.outputs(&vec![true; each - 1]);
}

/// Gives a gradient or a state of another shape.
fn c2(draw: &mut Draw) {
    scalars(draw);
    let each = values(draw).len();
    let (other, wrong) = (draw.way_of(&[3, 1]), 1 + draw.way(each - 1));
    (0..each)
        .for_each(|i| drop(draw.tensor("inputs", &[if i == wrong { other } else { 2 }], Values::Between(0.0, 1.0))));
    draw.outputs(&vec![true; each - 1]);
}

/// Gives a count of updates or a learning rate that is not a scalar.
fn c3(draw: &mut Draw) {
    let wrong = draw.way(2) == 1;
    draw.tensor("R", if wrong { &[2] } else { &[] }, Values::Between(0.01, 1.0));
    if wrong {
        draw.int_scalar("T", 1);
    } else {
        draw.int_tensor("T", vec![2], &[1, 1]);
    }
    let each = values(draw).len();
    (0..each).for_each(|_| drop(draw.tensor("inputs", &[2], Values::Between(0.0, 1.0))));
    draw.outputs(&vec![true; each - 1]);
}

pub fn adagrad_input_count_fits(draw: &mut Draw) {
    c1(draw);
}

pub fn adagrad_tensors_match_optimized(draw: &mut Draw) {
    c2(draw);
}

pub fn adagrad_r_and_t_scalar(draw: &mut Draw) {
    c3(draw);
}

pub fn adam_input_count_fits(draw: &mut Draw) {
    c1(draw);
}

pub fn adam_tensors_match_optimized(draw: &mut Draw) {
    c2(draw);
}

pub fn adam_r_and_t_scalar(draw: &mut Draw) {
    c3(draw);
}

pub fn momentum_input_count_fits(draw: &mut Draw) {
    c1(draw);
    of_momentum(draw, "standard");
}

pub fn momentum_tensors_match_optimized(draw: &mut Draw) {
    c2(draw);
    of_momentum(draw, "nesterov");
}

pub fn momentum_r_and_t_scalar(draw: &mut Draw) {
    c3(draw);
    of_momentum(draw, "standard");
}

pub fn momentum_mode_known(draw: &mut Draw) {
    optimizer(draw);
    let mode = draw.way_of(&["Nesterov", "", "adaptive"]);
    of_momentum(draw, mode);
}
