//! Draws whole exponents, fractional exponents of bases that are not negative, and edge values of bases and exponents.

use crate::families::binary;
use crate::prelude::*;

/// Draws whole numbers up to 6, small enough that most powers stay in range. If `negative` is set, some are negative,
/// unless the type is unsigned.
fn whole_numbers(draw: &mut Draw, dtype: DType, shape: &[usize], negative: bool) -> Tensor {
    let signed = dtype.is_float() || dtype.is_signed_integer();
    let list: &[i64] = if negative && signed { &[2, 0, 1, 3, -1, -2, -3, 4, 5, 6] } else { &[2, 0, 1, 3, 4, 5, 6] };
    binary::elements_from(draw, dtype, shape, list)
}

pub fn pow(draw: &mut Draw) {
    let [base, exponent] = binary::shapes(draw);
    let (x, y) = (draw.input_dtype("X"), draw.input_dtype("Y"));
    match draw.below(4) {
        // Whole exponents. Some of the bases are negative.
        0 | 1 => {
            draw.tensor("X", &base, if x.is_float() { Values::Moderate } else { Values::Integers });
            let negative = x.is_float() || draw.once_in(4);
            let y = whole_numbers(draw, y, &exponent, negative);
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
                let y = whole_numbers(draw, y, &exponent, x.is_float());
                draw.input("Y", y);
            }
        }
    }
}

pub fn legacy_shapes_broadcast(draw: &mut Draw) {
    binary::legacy_unbroadcastable(draw, "X", "Y");
}

pub fn shapes_broadcast(draw: &mut Draw) {
    binary::unbroadcastable(draw, "X", "Y");
}
