//! Recipes for Add, Sub, Mul, Div, Mod and Pow.

use plumbline_tensor::{DType, Tensor};

use super::binary::{self, divisor, elements, operands, shapes, unbroadcastable, violating_legacy};
use crate::draw::Draw;
use crate::values::Values;

fn arithmetic(draw: &mut Draw) {
    operands(draw, "A", "B");
    draw.legacy();
}

pub fn add(draw: &mut Draw) {
    arithmetic(draw);
}

pub fn sub(draw: &mut Draw) {
    arithmetic(draw);
}

pub fn mul(draw: &mut Draw) {
    arithmetic(draw);
}

pub fn div(draw: &mut Draw) {
    let [a, b] = shapes(draw);
    let values = binary::values(draw, "A");
    let dividend = draw.tensor("A", &a, values);
    divisor(draw, "B", &b, values, &dividend);
    draw.legacy();
}

pub fn add_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn sub_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn mul_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn div_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "A", "B");
}

pub fn add_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn sub_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn mul_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

pub fn div_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "A", "B");
}

/// Gives `fmod`. Before version 28, floating-point types need it to be 1.
fn fmod(draw: &mut Draw) {
    let needed = draw.since() < 28 && draw.input_dtype("A").is_float();
    if needed {
        draw.int_attribute("fmod", 1);
    } else if draw.give_attribute("fmod") {
        let fmod = draw.range(0..=1);
        draw.int_attribute("fmod", fmod);
    }
}

pub fn mod_(draw: &mut Draw) {
    let [a, b] = shapes(draw);
    fmod(draw);
    let float = draw.input_dtype("A").is_float();
    let values = if float && draw.once_in(3) { Values::Integers } else { binary::values(draw, "A") };
    let dividend = draw.tensor("A", &a, values);
    divisor(draw, "B", &b, values, &dividend);
}

pub fn mod_shapes_broadcast(draw: &mut Draw) {
    fmod(draw);
    unbroadcastable(draw, "A", "B");
}

pub fn mod_fmod_set_for_floats(draw: &mut Draw) {
    if !draw.input_dtype("A").is_float() {
        return draw.decline();
    }
    if draw.way(2) == 1 {
        draw.int_attribute("fmod", 0);
    }
    draw.tensor("A", &[3], Values::Moderate);
    draw.tensor("B", &[3], Values::Between(1.0, 4.0));
}

pub fn mod_fmod_known(draw: &mut Draw) {
    let fmod = draw.way_of(&[2, -1]);
    draw.int_attribute("fmod", fmod);
    draw.tensor("A", &[3], Values::Moderate);
    draw.tensor("B", &[3], Values::Between(1.0, 4.0));
}

/// Draws whole numbers up to 6, small enough that most powers stay in range. If `negative` is set, some are negative.
fn whole(draw: &mut Draw, dtype: DType, shape: &[usize], negative: bool) -> Tensor {
    let signed = dtype.is_float() || dtype.is_signed_integer();
    let list: &[i64] = if negative && signed { &[2, 0, 1, 3, -1, -2, -3, 4, 5, 6] } else { &[2, 0, 1, 3, 4, 5, 6] };
    elements(draw, dtype, shape, list)
}

pub fn pow(draw: &mut Draw) {
    let [base, exponent] = shapes(draw);
    let (x, y) = (draw.input_dtype("X"), draw.input_dtype("Y"));
    match draw.below(4) {
        // Whole exponents. Some of the bases are negative.
        0 | 1 => {
            draw.tensor("X", &base, if x.is_float() { Values::Moderate } else { Values::Integers });
            let negative = x.is_float() || draw.once_in(4);
            let y = whole(draw, y, &exponent, negative);
            draw.input("Y", y);
        }
        // Fractions. An integer base also gets fractional exponents, if their type has them.
        2 => {
            draw.feature("fractions");
            draw.tensor(
                "X",
                &base,
                if x.is_float() { Values::Between(0.015625, 20.0) } else { Values::Between(0.0, 9.0) },
            );
            let lowest = if x.is_float() { -3.0 } else { 0.0 };
            let values = if y.is_float() || y.is_signed_integer() {
                Values::Between(lowest, 3.0)
            } else {
                Values::Between(0.0, 3.0)
            };
            draw.tensor("Y", &exponent, values);
        }
        // NaN, infinities, zeros and extremes.
        _ => {
            draw.feature("extremes");
            draw.tensor("X", &base, Values::Any);
            if draw.flag() {
                draw.tensor("Y", &exponent, Values::Any);
            } else {
                let y = whole(draw, y, &exponent, x.is_float());
                draw.input("Y", y);
            }
        }
    }
}

pub fn pow_legacy_shapes_broadcast(draw: &mut Draw) {
    violating_legacy(draw, "X", "Y");
}

pub fn pow_shapes_broadcast(draw: &mut Draw) {
    unbroadcastable(draw, "X", "Y");
}
