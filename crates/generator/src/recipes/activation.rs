//! Recipes for activations: element-wise operators of one tensor with a few attributes. Also Clip, which may have its
//! bounds as inputs.

use crate::draw::Draw;
use crate::recipes::unary::{elementwise, elementwise_at};
use crate::values::Values;
use plumbline_spec::AttributeValue;
use plumbline_tensor::Tensor;

/// Gives an input with values where activations bend, values from a wider range, or anything. In one case in three, a
/// third of the elements are zeros of both signs, where activations bend most.
fn bend(draw: &mut Draw, input: &str) {
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-30.0, 30.0), Values::Any]);
    if draw.once_in(3) {
        return elementwise_at(draw, input, values, &[0.0, -0.0]);
    }
    elementwise(draw, input, values);
}

/// Gives a FLOAT attribute in some cases, with one of these options. Returns the attribute's value, which is the
/// default if it is not given.
fn coefficient(draw: &mut Draw, name: &str, options: &[f32]) -> f64 {
    let Some(value) = draw.give_attribute(name).then(|| draw.choose(options)) else {
        let default = draw.version().attribute(name).and_then(|a| a.default.as_ref());
        return match default {
            Some(&AttributeValue::Float(value)) => f64::from(value),
            _ => 0.0,
        };
    };
    draw.float_attribute(name, value);
    if value < 0.0 {
        draw.feature("negative coefficient");
    }
    f64::from(value)
}

pub fn sigmoid(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-100.0, 100.0), Values::Any]);
    elementwise(draw, "X", values);
}

pub fn relu(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn leaky_relu(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
    coefficient(draw, "alpha", &[0.5, 0.1, 2.0, -0.3, 0.0]);
}

pub fn elu(draw: &mut Draw) {
    bend(draw, "X");
    coefficient(draw, "alpha", &[2.0, 0.1, 1.7, -0.5]);
}

pub fn celu(draw: &mut Draw) {
    bend(draw, "X");
    coefficient(draw, "alpha", &[2.0, 0.1, 3.7, 0.5, -1.5]);
}

pub fn selu(draw: &mut Draw) {
    bend(draw, "X");
    coefficient(draw, "alpha", &[2.0, 0.1, 1.7, -0.5]);
    coefficient(draw, "gamma", &[2.0, 0.3, 1.1, -1.5]);
}

pub fn hard_sigmoid(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    elementwise(draw, "X", values);
    coefficient(draw, "alpha", &[0.5, 0.1, 1.0, -0.3, 0.0]);
    coefficient(draw, "beta", &[0.25, 0.6, 0.0, -0.5, 1.5]);
}

pub fn hard_swish(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    elementwise(draw, "X", values);
}

pub fn softplus(draw: &mut Draw) {
    // In float, the power overflows from 88.8 on; in float16, from 11.1 on.
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-100.0, 100.0), Values::Any]);
    elementwise(draw, "X", values);
}

pub fn softsign(draw: &mut Draw) {
    elementwise(draw, "input", Values::Any);
}

pub fn thresholded_relu(draw: &mut Draw) {
    let alpha = coefficient(draw, "alpha", &[0.5, 0.3, 0.0, 2.0, -1.0]);
    let values = draw.choose(&[Values::Any, Values::Mostly(0.25, 0.35)]);
    elementwise_at(draw, "X", values, &[alpha]);
}

pub fn gelu(draw: &mut Draw) {
    bend(draw, "X");
    if draw.give_attribute("approximate") {
        let approximate = draw.choose(&["tanh", "none"]);
        draw.string_attribute("approximate", approximate);
        draw.feature(if approximate == "tanh" { "approximate by tanh" } else { "approximate by none" });
    }
}

pub fn gelu_approximate_known(draw: &mut Draw) {
    elementwise(draw, "X", Values::Moderate);
    let approximate = draw.way_of(&["sigmoid", "", "Tanh"]);
    draw.string_attribute("approximate", approximate);
}

pub fn mish(draw: &mut Draw) {
    bend(draw, "X");
}

pub fn swish(draw: &mut Draw) {
    bend(draw, "X");
    coefficient(draw, "alpha", &[2.0, 0.1, 1.702, -0.5, 0.0]);
}

pub fn shrink(draw: &mut Draw) {
    let lambd = coefficient(draw, "lambd", &[1.5, 0.3, 0.0, 2.0, 4.0, -1.5]);
    elementwise_at(draw, "input", Values::Any, &[lambd, -lambd]);
    coefficient(draw, "bias", &[1.5, 0.3, 2.0, 1.0, -1.0]);
}

/// Pairs of bounds, minimum first. Integer types round them to whole numbers.
const BOUNDS: &[(f64, f64)] =
    &[(-1.0, 1.0), (0.0, 6.0), (-2.5, 3.25), (-0.1, 0.1), (2.0, 5.0), (3.0, -2.0), (0.0, 0.0)];

pub fn clip(draw: &mut Draw) {
    let (min, max) = draw.choose(BOUNDS);
    elementwise_at(draw, "input", Values::Any, &[min, max]);
    let as_attributes = draw.since() < 11;
    let mut given = 0;
    for (name, bound) in [("min", min), ("max", max)] {
        if as_attributes && draw.give_attribute(name) {
            draw.float_attribute(name, bound as f32);
            given += 1;
        }
        if !as_attributes && draw.give_input(name) {
            let bound = bound_of(draw, name, bound);
            draw.input(name, bound);
            given += 1;
        }
    }
    if given == 2 && min > max {
        draw.feature("min above max");
    }
}

/// Returns a scalar of the input's type that holds this bound; now and then NaN.
fn bound_of(draw: &mut Draw, name: &str, bound: f64) -> Tensor {
    let dtype = draw.input_dtype(name);
    if dtype.is_float() && draw.once_in(12) {
        draw.feature("a bound of NaN");
        return Tensor::from_f64s(dtype, vec![], &[f64::NAN]).expect("one element");
    }
    draw.elements(dtype, &[], Values::Between(bound, bound))
}

pub fn clip_bounds_are_scalars(draw: &mut Draw) {
    elementwise(draw, "input", Values::Moderate);
    let name = draw.way_of(&["min", "max"]);
    let shape = draw.way_of(&[vec![1], vec![2], vec![1, 1]]);
    draw.tensor(name, &shape, Values::Integers);
}
