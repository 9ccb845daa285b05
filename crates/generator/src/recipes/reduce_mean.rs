//! Draws terms of small and large magnitude, and terms whose sum overflows float, over some axes, all of them, or
//! none.

use crate::families::reduce;
use crate::prelude::*;

pub fn reduce_mean(draw: &mut Draw) {
    reduce::reduction(draw, &[reduce::SUMS, &[Values::Between(1e38, 3e38)]].concat());
}

pub fn axes_in_range(draw: &mut Draw) {
    reduce::axis_out_of_range(draw);
}
