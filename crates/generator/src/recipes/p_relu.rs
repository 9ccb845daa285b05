//! Draws slopes that broadcast; up to version 6 one slope for all elements or one for each channel.

use crate::families::activation;
use crate::prelude::*;

pub fn p_relu(draw: &mut Draw) {
    let integer = !draw.input_dtype("X").is_float();
    let values = if integer && !draw.once_in(3) { Values::Moderate } else { Values::Any };
    if draw.since() < 7 {
        let (x, slope) = match draw.below(3) {
            0 => (draw.shape(0..=6), vec![1]),
            1 => {
                draw.feature("slope of rank 0");
                (draw.shape(0..=6), vec![])
            }
            _ => {
                draw.feature("a slope for each channel");
                let x = draw.shape(2..=6);
                let channels = vec![x[1]];
                (x, channels)
            }
        };
        draw.tensor("X", &x, values);
        draw.tensor("slope", &slope, Values::Moderate);
        return draw.legacy();
    }
    let x = draw.shape(0..=8);
    let mut slope = x.clone();
    if draw.flag() {
        draw.feature("slope broadcasts");
        for extent in &mut slope {
            if draw.flag() {
                *extent = 1;
            }
        }
        while slope.first() == Some(&1) && draw.flag() {
            slope.remove(0);
        }
        if x.len() > slope.len() {
            draw.feature("slope of lower rank");
        }
    }
    draw.tensor("X", &x, values);
    draw.tensor("slope", &slope, values);
}

/// Gives a slope with a number of elements that differs from the number of channels.
pub fn slope_fits_input(draw: &mut Draw) {
    let x = draw.full_shape(2..=4);
    // The slope has neither one element nor as many as there are channels.
    let channels = if x[1] > 2 { draw.other_extent(x[1]) } else { x[1] + 1 };
    draw.tensor("X", &x, Values::Moderate);
    draw.tensor("slope", &[channels], Values::Moderate);
}

/// Gives a slope that does not broadcast to `X`.
pub fn slope_broadcasts(draw: &mut Draw) {
    activation::does_not_broadcast_to_x(draw, "slope");
}
