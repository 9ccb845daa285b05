//! Draws matrices with zero points for the tensor, for each row, or for each column.

use crate::families::integer_matmul;
use crate::prelude::*;

pub fn mat_mul_integer(draw: &mut Draw) {
    let integer_matmul::Shapes { factors: [a, b], lanes: [of_row, of_column] } = integer_matmul::shapes(draw);
    integer_matmul::factor(draw, "A", &a);
    integer_matmul::factor(draw, "B", &b);
    if draw.give_input("a_zero_point") {
        integer_matmul::factor(draw, "a_zero_point", &of_row);
    }
    if draw.give_input("b_zero_point") {
        integer_matmul::factor(draw, "b_zero_point", &of_column);
    }
}

/// Gives factors of these shapes without zero points.
fn factors(draw: &mut Draw, [a, b]: [Vec<usize>; 2]) {
    integer_matmul::factor(draw, "A", &a);
    integer_matmul::factor(draw, "B", &b);
}

pub fn rank_at_least_one(draw: &mut Draw) {
    let shapes = integer_matmul::rank_zero(draw);
    factors(draw, shapes);
}

pub fn inner_extents_equal(draw: &mut Draw) {
    let shapes = integer_matmul::unequal_inner_extents(draw);
    factors(draw, shapes);
}

pub fn batch_shapes_broadcast(draw: &mut Draw) {
    let shapes = integer_matmul::unbroadcastable_batches(draw);
    factors(draw, shapes);
}

pub fn a_zero_point_fits(draw: &mut Draw) {
    integer_matmul::factor(draw, "A", &[2, 3]);
    integer_matmul::factor(draw, "B", &[3, 2]);
    let lanes = integer_matmul::wrong_lanes(draw);
    integer_matmul::factor(draw, "a_zero_point", &lanes);
}

pub fn b_zero_point_fits(draw: &mut Draw) {
    integer_matmul::factor(draw, "A", &[2, 3]);
    integer_matmul::factor(draw, "B", &[3, 2]);
    let lanes = draw.way_of(&[vec![3], vec![1, 3], vec![2, 2], vec![4], vec![3, 2], vec![1, 1, 2]]);
    integer_matmul::factor(draw, "b_zero_point", &lanes);
}
