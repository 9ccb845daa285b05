//! Inputs and coefficients of activations, which are element-wise operators of one tensor with a few attributes.

use plumbline_spec::AttributeValue;

use crate::families::unary;
use crate::prelude::*;

/// Gives an input with values where activations bend, values from a wider range, or any numbers of the type. In one
/// case in three, a third of the elements are zeros of both signs, where activations bend most.
pub fn input_around_zero(draw: &mut Draw, input: &str) {
    let values = draw.choose(&[Values::Mostly(-6.0, 6.0), Values::Mostly(-30.0, 30.0), Values::Any]);
    if draw.once_in(3) {
        return unary::elementwise_at(draw, input, values, &[0.0, -0.0]);
    }
    unary::elementwise(draw, input, values);
}

/// Gives a FLOAT attribute in some cases, with one of these options. Returns the attribute's value, which is the
/// default if it is not given, or 0 if there is no default.
pub fn coefficient(draw: &mut Draw, name: &str, options: &[f32]) -> f64 {
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

/// Gives `X`, and another input that does not broadcast to it: its extents differ, or it has one dimension more than `X`.
pub fn does_not_broadcast_to_x(draw: &mut Draw, other: &str) {
    let (mut x, shape) = draw.unbroadcastable();
    if draw.way(2) == 1 {
        x = shape.clone();
        x.remove(0);
    }
    draw.tensor("X", &x, Values::Moderate);
    draw.tensor(other, &shape, Values::Moderate);
}
