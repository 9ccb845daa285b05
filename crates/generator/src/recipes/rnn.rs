//! Draws layers of one or two directions with any activations, lengths that differ, and any choice of outputs.

use crate::families::recurrent;
use crate::prelude::*;

pub fn rnn(draw: &mut Draw) {
    recurrent::layer(draw, 1, 1);
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
