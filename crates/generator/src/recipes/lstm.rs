//! Draws layers of one or two directions with any activations, peepholes and coupled gates, sequences of different
//! lengths, and any choice of outputs.

use crate::families::recurrent;
use crate::prelude::*;

pub use crate::families::recurrent::{
    activations_known, bias_and_state_fit, direction_known, layer_shapes_fit, sequence_lens_in_range,
    sequence_lens_shape_fits,
};

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
