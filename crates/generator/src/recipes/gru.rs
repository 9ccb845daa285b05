//! Draws layers of one or two directions with any activations, sequences of any lengths (`sequence_lens`), and any
//! choice of outputs. The reset gate is applied before or after the multiplication by `R` (`linear_before_reset`).

use crate::families::recurrent;
use crate::prelude::*;

pub use crate::families::recurrent::{
    activations_known, bias_and_state_fit, direction_known, layer_shapes_fit, sequence_lens_in_range,
    sequence_lens_shape_fits,
};

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
