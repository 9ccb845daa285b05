//! Draws numbers whose exponentials are within the range of the type, and beyond it in both directions.

use crate::families::reduce;
use crate::prelude::*;

pub use crate::families::reduce::axis_out_of_range as axes_in_range;

pub fn reduce_log_sum_exp(draw: &mut Draw) {
    let wide = if draw.dtype("T") == DType::Float16 { 20.0 } else { 200.0 };
    let ways = [
        Values::Between(-8.0, 8.0),
        Values::Integers,
        Values::Between(-wide, wide),
        Values::Between(-wide, -0.9 * wide),
    ];
    reduce::reduction(draw, &[&ways[..], &[Values::Any]].concat());
}
