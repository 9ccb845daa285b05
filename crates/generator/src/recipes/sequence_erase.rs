//! Draws a position of a sequence, counted from either end or left out; some sequences have one element.

use crate::families::sequence;
use crate::prelude::*;

pub fn sequence_erase(draw: &mut Draw) {
    let n = draw.range(1..=4) as usize;
    sequence::sequence(draw, n);
    if n == 1 {
        draw.feature("nothing is left");
    }
    if draw.give_input("position") {
        sequence::position(draw, n, n);
    }
}

pub fn position_in_range(draw: &mut Draw) {
    let n = draw.range(0..=3) as usize;
    sequence::sequence(draw, n);
    if n > 0 || draw.way(2) == 1 {
        sequence::position_out_of_range(draw, n, n as i64 - 1);
    }
}

pub fn position_is_scalar(draw: &mut Draw) {
    sequence::sequence(draw, 2);
    sequence::position_in_list(draw);
}
