//! Draws permutations, many of which are not their own inverse.

use crate::prelude::*;

fn permutation(draw: &mut Draw, rank: usize) -> Vec<i64> {
    let mut left: Vec<i64> = (0..rank as i64).collect();
    (0..rank)
        .map(|_| {
            let at = draw.below(left.len());
            left.remove(at)
        })
        .collect()
}

pub fn transpose(draw: &mut Draw) {
    let shape = draw.shape(0..=6);
    draw.tensor("data", &shape, Values::Any);
    if draw.give_attribute("perm") {
        let perm = permutation(draw, shape.len());
        // Only a permutation that is not its own inverse exposes a backend that applies the inverse.
        if (0..perm.len()).any(|i| perm[perm[i] as usize] != i as i64) {
            draw.feature("not its own inverse");
        }
        draw.ints_attribute("perm", &perm);
    }
}

/// Gives an axis twice, an axis out of range, or one axis too few.
pub fn perm_is_permutation(draw: &mut Draw) {
    let shape = draw.full_shape(2..=4);
    draw.tensor("data", &shape, Values::Any);
    let mut perm = permutation(draw, shape.len());
    let at = draw.way(perm.len());
    match draw.way(4) {
        0 => perm[at] = perm[(at + 1) % perm.len()],
        1 => perm[at] = draw.above(shape.len() as i64 - 1),
        2 => perm[at] = draw.under(0),
        _ => {
            perm.retain(|&axis| axis != shape.len() as i64 - 1);
        }
    }
    draw.ints_attribute("perm", &perm);
}
