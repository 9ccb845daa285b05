//! Draws terms of small and large magnitude, over some axes, all of them, or none.

use crate::families::reduce;
use crate::prelude::*;

pub use crate::families::reduce::axis_out_of_range as axes_in_range;

pub fn reduce_l1(draw: &mut Draw) {
    reduce::reduction(draw, reduce::SUMS);
}
