//! Draws one to three optimized tensors with their gradients and both moments, before and after the first update.

use crate::families::optimizer;
use crate::prelude::*;

pub use crate::families::optimizer::{input_count_fits, r_and_t_scalar, tensors_match_optimized};

pub fn adam(draw: &mut Draw) {
    optimizer::optimizer(draw);
    optimizer::coefficient(draw, "norm_coefficient", optimizer::COEFFICIENTS);
    optimizer::coefficient(draw, "norm_coefficient_post", optimizer::COEFFICIENTS);
    optimizer::coefficient(draw, "alpha", optimizer::DECAY);
    optimizer::coefficient(draw, "beta", optimizer::DECAY);
    optimizer::coefficient(draw, "epsilon", &[0.001, 1e-6]);
}
