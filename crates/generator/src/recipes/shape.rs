//! Draws bounds within the rank, outside of it, and at the ends of int64.

use crate::prelude::*;

/// Draws a value for `start` or `end`: an axis from the front or from the back, or a number out of range on either
/// side.
fn bound(draw: &mut Draw, rank: i64) -> i64 {
    match draw.below(8) {
        7 => {
            draw.feature("extreme bound");
            draw.choose(&[i64::MAX, i64::MIN])
        }
        6 => {
            draw.feature("bound outside");
            draw.choose(&[rank + 1, -rank - 1, rank + 7, -rank - 7])
        }
        _ => draw.range(-rank..=rank),
    }
}

pub fn shape(draw: &mut Draw) {
    let shape = draw.shape(0..=8);
    draw.tensor("data", &shape, Values::Any);
    let rank = shape.len() as i64;
    let mut ends = [0, rank];
    for (name, end) in ["start", "end"].into_iter().zip(&mut ends) {
        if draw.give_attribute(name) {
            let bound = bound(draw, rank);
            draw.int_attribute(name, bound);
            *end = if bound < 0 { bound.saturating_add(rank) } else { bound }.clamp(0, rank);
        }
    }
    if ends[0] > ends[1] {
        draw.feature("start behind end");
    }
}
