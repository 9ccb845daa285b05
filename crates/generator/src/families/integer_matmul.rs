//! Factors, scales and zero points for MatMulInteger and QLinearMatMul.

use crate::draw::large::MOST_SINGLE_PRODUCTS;
use crate::families::matrix_product;
use crate::prelude::*;

/// The shapes of the two factors (`factors`), and of the scales and zero points that belong to them (`lanes`). A scale
/// has one element for the whole factor, or one for each row of the left factor or each column of the right factor.
pub struct Shapes {
    pub factors: [Vec<usize>; 2],
    pub lanes: [Vec<usize>; 2],
}

/// Draws an extent. There are enough options that the extents of a case mostly differ.
fn extent(draw: &mut Draw) -> usize {
    draw.choose(&[2, 3, 5, 4, 1, 7])
}

/// Draws the shapes of lists, matrices and batches that can be multiplied, and of their scales and zero points.
pub fn shapes(draw: &mut Draw) -> Shapes {
    let mut extents = [extent(draw), extent(draw), extent(draw)];
    if draw.is_large() {
        extents = matrix_product::large_extents(draw, MOST_SINGLE_PRODUCTS);
    } else if draw.once_in(14) {
        let at = draw.below(3);
        extents[at] = 0;
        draw.feature("an empty matrix");
    }
    draw.enlarge(&mut extents, 1);
    draw.set_cost(extents.iter().product());
    let [m, k, n] = extents;
    let (mut a, mut b) = (vec![m, k], vec![k, n]);
    match draw.below(6) {
        0..=2 => {}
        3 if draw.flag() => {
            a = vec![k];
            draw.feature("a list on the left");
        }
        3 => {
            b = vec![k];
            draw.feature("a list on the right");
        }
        _ => {
            let batches = draw.broadcastable(2, 1..=2);
            a = [&batches[0][..], &[m, k]].concat();
            b = [&batches[1][..], &[k, n]].concat();
            draw.feature("batches");
        }
    }
    let lane = |draw: &mut Draw, shape: &[usize], summed: usize| {
        let rank = shape.len();
        if rank < 2 || draw.below(3) == 0 {
            return if draw.once_in(3) { vec![1] } else { vec![] };
        }
        draw.feature("one a row or column");
        match rank {
            2 => vec![shape[1 - summed]],
            _ => {
                let mut lanes = shape.to_vec();
                lanes[rank - 2 + summed] = 1;
                lanes
            }
        }
    };
    let lanes = [lane(draw, &a, 1), lane(draw, &b, 0)];
    Shapes { factors: [a, b], lanes }
}

/// Draws the elements of a factor, or its zero points.
pub fn elements(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
    let values = match dtype.is_float() {
        true if draw.is_large() => draw.summable(dtype),
        true => draw.choose(&[Values::Integers, Values::Moderate]),
        false => draw.choose(&[Values::Any, Values::Integers]),
    };
    draw.elements(dtype, shape, values)
}

/// Gives a factor, or its zero points.
pub fn factor(draw: &mut Draw, input: &str, shape: &[usize]) {
    let dtype = draw.input_dtype(input);
    let tensor = elements(draw, dtype, shape);
    draw.input(input, tensor);
}

/// Draws the shapes of two factors, one of which has rank 0.
pub fn rank_zero(draw: &mut Draw) -> [Vec<usize>; 2] {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    if draw.way(2) == 1 { [vec![], vec![k, n]] } else { [vec![m, k], vec![]] }
}

/// Draws the shapes of two factors with inner extents that differ.
pub fn unequal_inner_extents(draw: &mut Draw) -> [Vec<usize>; 2] {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    [vec![m, k], vec![if k == 1 { 2 } else { draw.way_of(&[k + 1, k - 1, 1]) }, n]]
}

/// Draws the shapes of two factors with batches that do not broadcast.
pub fn unbroadcastable_batches(draw: &mut Draw) -> [Vec<usize>; 2] {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    let (a, b) = draw.unbroadcastable();
    [[&a[..], &[m, k]].concat(), [&b[..], &[k, n]].concat()]
}

/// Chooses a shape that the scale or zero point of a left factor with 2 rows and 3 columns must not have. A valid
/// shape has one element, or is `[2]` or `[2, 1]`: one element for each row.
pub fn wrong_lanes(draw: &mut Draw) -> Vec<usize> {
    draw.way_of(&[vec![3], vec![3, 1], vec![2, 2], vec![4], vec![2, 3], vec![2, 1, 1]])
}
