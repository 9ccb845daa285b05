//! Recipes for element-wise operators of one tensor, and Identity.

use crate::draw::Draw;
use crate::values::Values;

/// Gives one tensor of any shape.
pub(super) fn elementwise(draw: &mut Draw, input: &str, values: Values) {
    let shape = draw.shape(0..=8);
    draw.tensor(input, &shape, values);
    draw.legacy();
}

/// Gives one tensor of any shape, with one of these numbers in place of a third of its elements. The operator bends or
/// jumps at these numbers.
pub(super) fn elementwise_at(draw: &mut Draw, input: &str, values: Values, numbers: &[f64]) {
    let (shape, dtype) = (draw.shape(0..=8), draw.input_dtype(input));
    let elements = draw.elements(dtype, &shape, values);
    let elements = draw.sprinkled(&elements, numbers);
    draw.input(input, elements);
    draw.legacy();
}

/// Gives angles: anything, or a few turns in either direction, where sines and tangents differ from element to element.
fn angles(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-10.0, 10.0), Values::Any]);
    elementwise(draw, "input", values);
}

pub fn abs(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn neg(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn reciprocal(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn sqrt(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(0.0, 20.0), Values::Mostly(0.0, 1e4), Values::Any]);
    elementwise(draw, "X", values);
}

pub fn floor(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn ceil(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn round(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn sign(draw: &mut Draw) {
    elementwise(draw, "input", Values::Any);
}

pub fn not(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn bitwise_not(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
}

pub fn is_nan(draw: &mut Draw) {
    elementwise_at(draw, "X", Values::Any, &[f64::NAN]);
}

pub fn is_inf(draw: &mut Draw) {
    elementwise(draw, "X", Values::Any);
    for name in ["detect_negative", "detect_positive"] {
        if draw.give_attribute(name) {
            let detect = draw.range(0..=1);
            draw.int_attribute(name, detect);
            draw.feature(if detect == 0 { "an infinity not detected" } else { "an infinity detected" });
        }
    }
}

pub fn exp(draw: &mut Draw) {
    // The result overflows in float from 88.8 on, and in float16 from 11.1 on.
    let values = draw.choose(&[Values::Mostly(-12.0, 12.0), Values::Mostly(-110.0, 90.0), Values::Any]);
    elementwise(draw, "input", values);
}

pub fn log(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(0.0, 4.0), Values::Mostly(0.0, 6e4), Values::Any]);
    elementwise(draw, "input", values);
}

pub fn erf(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    elementwise(draw, "input", values);
}

pub fn sin(draw: &mut Draw) {
    angles(draw);
}

pub fn cos(draw: &mut Draw) {
    angles(draw);
}

pub fn tan(draw: &mut Draw) {
    angles(draw);
}

pub fn asin(draw: &mut Draw) {
    elementwise(draw, "input", Values::Mostly(-1.0, 1.0));
}

pub fn acos(draw: &mut Draw) {
    elementwise(draw, "input", Values::Mostly(-1.0, 1.0));
}

pub fn atan(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-3.0, 3.0), Values::Any]);
    elementwise(draw, "input", values);
}

pub fn sinh(draw: &mut Draw) {
    // The result overflows in float from 89.4 on, and in float16 from 11.8 on.
    let values = draw.choose(&[Values::Mostly(-3.0, 3.0), Values::Mostly(-90.0, 90.0), Values::Any]);
    elementwise(draw, "input", values);
}

pub fn cosh(draw: &mut Draw) {
    sinh(draw);
}

/// The input has rank 1 in Tanh-1, because that version's specification says so.
pub fn tanh(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-4.0, 4.0), Values::Any]);
    let ranks = if draw.since() == 1 { 1..=1 } else { 0..=8 };
    let shape = draw.shape(ranks);
    draw.tensor("input", &shape, values);
    draw.legacy();
}

pub fn asinh(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(-3.0, 3.0), Values::Any]);
    elementwise(draw, "input", values);
}

pub fn acosh(draw: &mut Draw) {
    let values = draw.choose(&[Values::Mostly(1.0, 3.0), Values::Mostly(1.0, 6e4)]);
    elementwise(draw, "input", values);
}

pub fn atanh(draw: &mut Draw) {
    elementwise(draw, "input", Values::Mostly(-1.0, 1.0));
}

/// Gives a value of any type: a tensor, a sequence, or an optional.
pub fn identity(draw: &mut Draw) {
    let variable = draw.version().inputs[0].type_.clone();
    let type_ = draw.type_of(&variable);
    let value = draw.value_of(&type_, Values::Any);
    draw.input("input", value);
}
