//! Draws one to three optimized tensors with their gradients and sums of squares.

use crate::families::optimizer;
use crate::prelude::*;

pub use crate::families::optimizer::{input_count_fits, r_and_t_scalar, tensors_match_optimized};

pub fn adagrad(draw: &mut Draw) {
    optimizer::optimizer(draw);
    optimizer::coefficient(draw, "norm_coefficient", optimizer::COEFFICIENTS);
    optimizer::coefficient(draw, "decay_factor", &[0.5, 0.1, 0.0]);
    optimizer::coefficient(draw, "epsilon", &[0.001, 1e-6]);
}
