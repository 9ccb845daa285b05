//! Draws matrices, 1-D tensors on either side, and batches that broadcast.

use crate::families::matrix_product;
use crate::prelude::*;

pub fn mat_mul(draw: &mut Draw) {
    let [m, k, n] = matrix_product::extents(draw);
    let (mut a, mut b) = (vec![m, k], vec![k, n]);
    // Lists leave one of the large extents out.
    let way = if draw.is_large() { draw.choose(&[0, 0, 3, 0, 1, 0, 2, 0]) } else { draw.below(6) };
    match way {
        0 => {}
        1 => {
            a = vec![k];
            draw.feature("a list on the left");
        }
        2 => {
            b = vec![k];
            draw.feature("a list on the right");
        }
        way => {
            // The last two dimensions are a matrix as above; the dimensions before them broadcast.
            let batches = draw.broadcastable(2, 1..=3);
            a = [&batches[0][..], &[m, k]].concat();
            b = [&batches[1][..], &[k, n]].concat();
            draw.feature("batches");
            if way == 5 {
                b = vec![k];
                draw.feature("batches and a list");
            }
        }
    }
    let values = matrix_product::values(draw);
    draw.tensor("A", &a, values);
    draw.tensor("B", &b, values);
}

pub fn rank_at_least_one(draw: &mut Draw) {
    let other = draw.full_shape(0..=2);
    let (a, b) = if draw.way(2) == 1 { (vec![], other) } else { (other, vec![]) };
    draw.tensor("A", &a, Values::Moderate);
    draw.tensor("B", &b, Values::Moderate);
}

pub fn inner_extents_equal(draw: &mut Draw) {
    let [m, k, n] = [matrix_product::extent(draw), matrix_product::extent(draw), matrix_product::extent(draw)];
    // An inner extent of 1 is wrong too, because inner extents do not broadcast.
    let other = if k == 1 { 2 } else { draw.way_of(&[k + 1, k - 1, 1]) };
    draw.tensor("A", &[m, k], Values::Moderate);
    draw.tensor("B", &[other, n], Values::Moderate);
}

pub fn batch_shapes_broadcast(draw: &mut Draw) {
    let [m, k, n] = [matrix_product::extent(draw), matrix_product::extent(draw), matrix_product::extent(draw)];
    let (a, b) = draw.unbroadcastable();
    draw.tensor("A", &[&a[..], &[m, k]].concat(), Values::Moderate);
    draw.tensor("B", &[&b[..], &[k, n]].concat(), Values::Moderate);
}
