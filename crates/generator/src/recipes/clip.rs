//! Draws elements of which a third are equal to a bound, if the type holds it. The version decides whether the bounds
//! are attributes or inputs. Both, one or none of them are given. The minimum may be above the maximum, and a bound
//! that is an input may be NaN.

use crate::families::unary;
use crate::prelude::*;

/// Pairs of bounds, minimum first. If a bound is an input of an integer type, it is rounded to a whole number.
const BOUNDS: &[(f64, f64)] =
    &[(-1.0, 1.0), (0.0, 6.0), (-2.5, 3.25), (-0.1, 0.1), (2.0, 5.0), (3.0, -2.0), (0.0, 0.0)];

pub fn clip(draw: &mut Draw) {
    let (min, max) = draw.choose(BOUNDS);
    unary::elementwise_at(draw, "input", Values::Any, &[min, max]);
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
        return Tensor::from_f64s(dtype, vec![], &[f64::NAN]).expect("a tensor of one element has one value");
    }
    draw.elements(dtype, &[], Values::Between(bound, bound))
}

pub fn bounds_are_scalars(draw: &mut Draw) {
    unary::elementwise(draw, "input", Values::Moderate);
    let name = draw.way_of(&["min", "max"]);
    let shape = draw.way_of(&[vec![1], vec![2], vec![1, 1]]);
    draw.tensor(name, &shape, Values::Integers);
}
