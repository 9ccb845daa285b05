//! Draws layers of one or two directions with any activations, the reset gate applied before or after the product,
//! lengths that differ, and any choice of outputs.

use crate::families::recurrent;
use crate::prelude::*;

pub fn gru(draw: &mut Draw) {
    recurrent::layer(draw, 3, 2);
    if draw.give_attribute("linear_before_reset") {
        let value = draw.range(0..=1);
        draw.int_attribute("linear_before_reset", value);
        if value == 1 {
            draw.feature("linear before reset");
        }
    }
    recurrent::outputs(draw, 2);
}

pub fn layer_shapes_fit(draw: &mut Draw) {
    recurrent::layer_shapes_fit(draw);
}

pub fn bias_and_state_fit(draw: &mut Draw) {
    recurrent::bias_and_state_fit(draw);
}

pub fn sequence_lens_in_range(draw: &mut Draw) {
    recurrent::sequence_lens_in_range(draw);
}

pub fn direction_known(draw: &mut Draw) {
    recurrent::direction_known(draw);
}

pub fn activations_known(draw: &mut Draw) {
    recurrent::activations_known(draw);
}
