//! Draws ordinary terms, and terms whose squares overflow or underflow float.

use crate::families::reduce;
use crate::prelude::*;

pub use crate::families::reduce::axis_out_of_range as axes_in_range;

pub fn reduce_l2(draw: &mut Draw) {
    let ordinary = [Values::Moderate, Values::Integers, Values::Between(0.0, 3.0)];
    let extreme = [Values::Between(-1e30, 1e30), Values::Between(-1e-25, 1e-25), Values::Any];
    let values = [&ordinary[..], &extreme[..]].concat();
    reduce::reduction(draw, &values);
}
