//! Draws shifts in either direction. Most shift by fewer bits than the type has, some of these by all but one. One case
//! in three also shifts by all bits, by more, or, if the type is signed, by a negative number.

use crate::families::binary;
use crate::prelude::*;

fn direction(draw: &mut Draw) {
    let direction = draw.choose(&["RIGHT", "LEFT"]);
    draw.string_attribute("direction", direction);
}

pub fn bit_shift(draw: &mut Draw) {
    let [x, y] = binary::shapes(draw);
    direction(draw);
    draw.tensor("X", &x, Values::Any);
    let dtype = draw.input_dtype("Y");
    let width = i128::from(dtype.bits().unwrap_or(64));
    let outside = draw.once_in(3);
    if outside {
        draw.feature("shift outside of the type's bits");
    }
    let lowest = dtype.integer_range().map_or(0, |(low, _)| low);
    let choices = draw.block(y.iter().product(), 8 * 1024).into_iter();
    let shifts: Vec<i128> = choices
        .map(|choice| (choice % 8, i128::from(choice / 8)))
        .map(|(kind, rest)| match kind {
            6 if outside => width + rest % 3,
            7 if outside => lowest.max(-1 - rest % 9),
            5 => width - 1,
            _ => rest % width,
        })
        .collect();
    let shifts =
        Tensor::from_i128s(dtype, y.clone(), &shifts).expect("there are as many values as the shape has elements");
    draw.input("Y", shifts);
}

pub fn shapes_broadcast(draw: &mut Draw) {
    direction(draw);
    binary::unbroadcastable(draw, "X", "Y");
}

pub fn direction_known(draw: &mut Draw) {
    let direction = draw.way_of(&["UP", "", "left", "Right"]);
    draw.string_attribute("direction", direction);
    draw.tensor("X", &[3], Values::Any);
    draw.tensor("Y", &[3], Values::Between(0.0, 7.0));
}
