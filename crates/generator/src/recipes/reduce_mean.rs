//! Draws terms of small and large magnitude, and terms whose sum overflows float, over some axes, all of them, or
//! none.

use crate::families::reduce;
use crate::prelude::*;

pub use crate::families::reduce::axis_out_of_range as axes_in_range;

pub fn reduce_mean(draw: &mut Draw) {
    reduce::reduction(draw, &[reduce::SUMS, &[Values::Between(1e38, 3e38)]].concat());
}
