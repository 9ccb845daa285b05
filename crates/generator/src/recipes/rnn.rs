//! Draws layers of one or two directions with any activations, sequences of different lengths, and any choice of
//! outputs.

use crate::families::recurrent;
use crate::prelude::*;

pub use crate::families::recurrent::{
    activations_known, bias_and_state_fit, direction_known, layer_shapes_fit, sequence_lens_in_range,
    sequence_lens_shape_fits,
};

pub fn rnn(draw: &mut Draw) {
    recurrent::layer(draw, 1, 1);
    recurrent::outputs(draw, 2);
}
