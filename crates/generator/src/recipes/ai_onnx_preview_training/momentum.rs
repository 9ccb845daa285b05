//! Draws one to three optimized tensors with their gradients and momenta, in both modes.

use crate::families::optimizer;
use crate::prelude::*;

fn coefficients_and_mode(draw: &mut Draw, mode: &str) {
    optimizer::coefficient(draw, "norm_coefficient", optimizer::COEFFICIENTS);
    optimizer::coefficient(draw, "alpha", optimizer::DECAY);
    optimizer::coefficient(draw, "beta", &[0.5, 1.0, 0.1]);
    draw.string_attribute("mode", mode);
}

pub fn momentum(draw: &mut Draw) {
    optimizer::optimizer(draw);
    let mode = draw.choose(&["standard", "nesterov"]);
    if mode == "nesterov" {
        draw.feature("nesterov");
    }
    coefficients_and_mode(draw, mode);
}

pub fn input_count_fits(draw: &mut Draw) {
    optimizer::input_count_fits(draw);
    coefficients_and_mode(draw, "standard");
}

pub fn tensors_match_optimized(draw: &mut Draw) {
    optimizer::tensors_match_optimized(draw);
    coefficients_and_mode(draw, "nesterov");
}

pub fn r_and_t_scalar(draw: &mut Draw) {
    optimizer::r_and_t_scalar(draw);
    coefficients_and_mode(draw, "standard");
}

pub fn mode_known(draw: &mut Draw) {
    optimizer::optimizer(draw);
    let mode = draw.way_of(&["Nesterov", "", "adaptive"]);
    coefficients_and_mode(draw, mode);
}
