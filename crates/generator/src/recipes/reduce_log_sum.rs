//! Draws mostly positive terms, because the logarithm of the sum has to exist.

use crate::families::reduce;
use crate::prelude::*;

pub use crate::families::reduce::axis_out_of_range as axes_in_range;

pub fn reduce_log_sum(draw: &mut Draw) {
    reduce::reduction(
        draw,
        &[Values::Between(0.0, 10.0), Values::Between(0.0, 1e-3), Values::Between(-1.0, 8.0), Values::Any],
    );
}
