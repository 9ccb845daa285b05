//! Draws diagonals inside of the matrices, just outside of them, and at the ends of int64.

use crate::prelude::*;

pub fn trilu(draw: &mut Draw) {
    let shape = draw.shape(2..=5);
    draw.tensor("input", &shape, Values::Any);
    let (rows, columns) = (shape[shape.len() - 2] as i64, shape[shape.len() - 1] as i64);
    if draw.give_input("k") {
        let k = match draw.below(8) {
            7 => {
                draw.feature("extreme diagonal");
                draw.choose(&[i64::MAX, i64::MIN])
            }
            6 => {
                draw.feature("diagonal outside");
                draw.choose(&[columns, -rows, columns + 3, -rows - 3])
            }
            _ => draw.range(-rows..=columns),
        };
        draw.int_scalar("k", k);
    }
    if draw.give_attribute("upper") {
        let upper = draw.range(0..=1);
        draw.int_attribute("upper", upper);
        if upper == 0 {
            draw.feature("lower triangle");
        }
    }
}

pub fn rank_at_least_two(draw: &mut Draw) {
    let rank = draw.way_of(&[1, 0]);
    let shape = draw.full_shape(rank..=rank);
    draw.tensor("input", &shape, Values::Any);
}

pub fn k_is_scalar(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("input", &shape, Values::Any);
    // One element in a tensor of rank 1, or two elements.
    let count = 1 + draw.way(2);
    draw.ints("k", &[0, 1][..count]);
}
