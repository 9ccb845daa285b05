//! Draws layers of one or two directions with any activations, peepholes and coupled gates, lengths that differ, and
//! any choice of outputs.

use crate::families::recurrent;
use crate::prelude::*;

pub fn lstm(draw: &mut Draw) {
    let layer = recurrent::layer(draw, 4, 3);
    layer.optional(draw, "initial_c", &layer.state(), Values::Around(-1.0, 1.0));
    layer.optional(draw, "P", &[layer.directions, 3 * layer.hidden], recurrent::WEIGHTS);
    if draw.give_attribute("input_forget") {
        let value = draw.range(0..=1);
        draw.int_attribute("input_forget", value);
        if value == 1 {
            draw.feature("coupled gates");
        }
    }
    recurrent::outputs(draw, 3);
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
