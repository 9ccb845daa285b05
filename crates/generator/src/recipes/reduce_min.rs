//! Draws any values, over some axes, all of them, or none.

use crate::families::reduce;
use crate::prelude::*;

pub fn reduce_min(draw: &mut Draw) {
    reduce::reduction(draw, reduce::EXTREMES);
}

pub fn axes_in_range(draw: &mut Draw) {
    reduce::axis_out_of_range(draw);
}
