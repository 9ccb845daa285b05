//! Draws heads packed into the last axis or not, a rotation of all of a head or of a part of it, and positions that
//! select rows of the caches.

use crate::prelude::*;

/// The extents of the tensor that RotaryEmbedding rotates.
struct Rotation {
    batch: usize,
    heads: usize,
    tokens: usize,
    size: usize,
    packed: bool,
}

impl Rotation {
    fn draw(draw: &mut Draw) -> Rotation {
        // The head size has to be even, so half of it is drawn.
        let mut extents =
            [draw.choose(&[1, 2, 3]), draw.choose(&[2, 1, 3]), draw.choose(&[2, 3, 1, 4]), draw.choose(&[2, 1, 3, 4])];
        draw.enlarge(&mut extents, 2);
        let [mut batch, heads, tokens, half] = extents;
        if draw.violating().is_none() && draw.once_in(24) {
            draw.feature("no batches");
            batch = 0;
        }
        Rotation { batch, heads, tokens, size: 2 * half, packed: draw.flag() }
    }

    fn give(&self, draw: &mut Draw, values: Values) {
        let &Rotation { batch, heads, tokens, size, packed } = self;
        let shape = if packed { vec![batch, tokens, heads * size] } else { vec![batch, heads, tokens, size] };
        draw.tensor("X", &shape, values);
        if packed {
            draw.feature("packed heads of a rotation");
            draw.int_attribute("num_heads", heads as i64);
        }
    }
}

/// Gives both caches, with the same shape.
fn caches(draw: &mut Draw, shape: &[usize], values: Values) {
    draw.tensor("cos_cache", shape, values);
    draw.tensor("sin_cache", shape, values);
}

pub fn rotary_embedding(draw: &mut Draw) {
    let r = Rotation::draw(draw);
    let values = draw.choose(&[Values::Between(-3.0, 3.0), Values::Integers, Values::Moderate, Values::Any]);
    r.give(draw, values);
    let mut rotated = r.size;
    if draw.give_attribute("rotary_embedding_dim") {
        let dim = 2 * draw.range(0..=r.size as i64 / 2);
        draw.int_attribute("rotary_embedding_dim", dim);
        if dim != 0 && dim < r.size as i64 {
            draw.feature("a part is turned");
            rotated = dim as usize;
        }
    }
    if draw.give_attribute("interleaved") {
        let interleaved = draw.choose(&[1, 0]);
        draw.int_attribute("interleaved", interleaved);
    }
    let of_caches = draw.choose(&[Values::Between(-1.0, 1.0), Values::Integers]);
    if draw.give_input("position_ids") {
        let positions = draw.choose(&[3, 5, 1]);
        caches(draw, &[positions, rotated / 2], of_caches);
        let ids: Vec<i64> = (0..r.batch * r.tokens).map(|_| draw.range(0..=positions as i64 - 1)).collect();
        draw.int_tensor("position_ids", vec![r.batch, r.tokens], &ids);
    } else {
        caches(draw, &[r.batch, r.tokens, rotated / 2], of_caches);
    }
}

pub fn rank_three_or_four(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 4], vec![4], vec![1, 2, 2, 2, 4]]);
    draw.tensor("X", &shape, Values::Integers);
    caches(draw, &[2, 2, 2], Values::Integers);
}

/// Packs the heads, and either leaves their number out or gives a number that does not fit.
pub fn head_counts_divide(draw: &mut Draw) {
    draw.tensor("X", &[2, 2, 8], Values::Integers);
    caches(draw, &[2, 2, 2], Values::Integers);
    if draw.way(2) == 1 {
        let heads = draw.way_of(&[3, 0, -1, 5, i64::MAX, i64::MIN]);
        draw.int_attribute("num_heads", heads);
    }
}

pub fn cache_shapes_fit(draw: &mut Draw) {
    draw.tensor("X", &[2, 1, 3, 4], Values::Integers);
    match draw.way(4) {
        0 => caches(draw, &[2, 3, 4], Values::Integers),
        1 => caches(draw, &[5, 2], Values::Integers),
        2 => {
            caches(draw, &[2, 3, 2], Values::Integers);
            draw.int_tensor("position_ids", vec![2, 3], &[0; 6]);
        }
        _ => {
            draw.tensor("cos_cache", &[2, 3, 2], Values::Integers);
            draw.tensor("sin_cache", &[2, 3, 1], Values::Integers);
        }
    }
}

pub fn position_ids_shape_fits(draw: &mut Draw) {
    draw.tensor("X", &[2, 1, 3, 4], Values::Integers);
    caches(draw, &[5, 2], Values::Integers);
    let shape = draw.way_of(&[vec![2, 2], vec![3], vec![3, 2], vec![2, 3, 1]]);
    let count = shape.iter().product();
    draw.int_tensor("position_ids", shape, &vec![0; count]);
}

pub fn positions_in_range(draw: &mut Draw) {
    draw.tensor("X", &[1, 1, 2, 4], Values::Integers);
    caches(draw, &[5, 2], Values::Integers);
    let id = draw.beyond(0, 4);
    draw.int_tensor("position_ids", vec![1, 2], &[0, id]);
}

pub fn rotary_embedding_dim_fits(draw: &mut Draw) {
    let odd = draw.way(2) == 1;
    draw.tensor("X", &[1, 1, 2, if odd { 3 } else { 4 }], Values::Integers);
    caches(draw, &[1, 2, 1], Values::Integers);
    if !odd {
        let dim = draw.way_of(&[3, 5, 6, -2, -1, i64::MAX, i64::MIN]);
        draw.int_attribute("rotary_embedding_dim", dim);
    }
}
