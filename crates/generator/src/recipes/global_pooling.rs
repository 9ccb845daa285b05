//! Recipes for GlobalAveragePool, GlobalMaxPool and GlobalLpPool.

use super::pooling::exponent;
use crate::draw::Draw;
use crate::values::Values;

fn global(draw: &mut Draw, values: &[Values]) {
    let shape = draw.shape(3..=5);
    if shape[2..].contains(&0) {
        draw.feature("nothing to pool");
    }
    let values = draw.choose(values);
    draw.tensor("X", &shape, values);
}

pub fn global_average_pool(draw: &mut Draw) {
    global(draw, &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Finite, Values::Any]);
}

pub fn global_max_pool(draw: &mut Draw) {
    global(draw, &[Values::Moderate, Values::Any, Values::Finite]);
}

fn no_channels(draw: &mut Draw) {
    let shape = draw.full_shape(0..=1);
    draw.tensor("X", &shape, Values::Moderate);
}

pub fn global_average_pool_input_has_channels(draw: &mut Draw) {
    no_channels(draw);
}

pub fn global_max_pool_input_has_channels(draw: &mut Draw) {
    no_channels(draw);
}

pub fn global_lp_pool(draw: &mut Draw) {
    global(draw, &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Finite, Values::Any]);
    exponent(draw);
}

pub fn global_lp_pool_input_has_channels(draw: &mut Draw) {
    no_channels(draw);
}
