//! Draws terms of small and large magnitude, over some axes, all of them, or none.

use crate::families::reduce;
use crate::prelude::*;

pub fn reduce_l1(draw: &mut Draw) {
    reduce::reduction(draw, reduce::SUMS);
}

pub fn axes_in_range(draw: &mut Draw) {
    reduce::axis_out_of_range(draw);
}
