//! Extents and values for MatMul and Gemm.

use crate::prelude::*;

/// Returns which values to draw: mostly numbers of moderate size, so that few sums of products overflow.
pub fn values(draw: &mut Draw) -> Values {
    if draw.is_large() {
        let dtype = draw.dtype("T");
        return draw.summable(dtype);
    }
    if draw.dtype("T").is_float() {
        let ways = [Values::Moderate, Values::Integers, Values::Between(-1.0, 1.0), Values::Finite, Values::Any];
        draw.choose(&ways)
    } else {
        draw.choose(&[Values::Between(-9.0, 9.0), Values::Between(-1000.0, 2000.0), Values::Any])
    }
}

/// Draws an extent. There are enough options that the extents of a case mostly differ.
pub fn extent(draw: &mut Draw) -> usize {
    draw.choose(&[2, 3, 5, 4, 1, 7])
}

/// Draws the three extents of a large matrix product, which has at most this many products.
pub fn large_extents(draw: &mut Draw, most_products: usize) -> [usize; 3] {
    draw.note_large("product");
    // The batches of a case are at most four matrices.
    let [m, n, k] = draw.tiles([513, 513, 1025], most_products / 4);
    [m, k, n]
}

/// Draws the three extents of a matrix product; one of them is 0 now and then.
pub fn extents(draw: &mut Draw) -> [usize; 3] {
    if draw.is_large() {
        let dtype = draw.dtype("T");
        return large_extents(draw, draw.most_products(dtype));
    }
    let mut extents = [extent(draw), extent(draw), extent(draw)];
    if draw.once_in(14) {
        let at = draw.below(3);
        extents[at] = 0;
        draw.feature(if at == 1 { "empty sums" } else { "empty extent" });
    }
    draw.enlarge(&mut extents, 1);
    draw.set_cost(extents.iter().product());
    extents
}
