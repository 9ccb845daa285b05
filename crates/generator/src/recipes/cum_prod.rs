//! Draws rows whose products mostly stay in range, and rows of any values, in both directions, inclusive and exclusive.

use crate::families::cumulative;
use crate::prelude::*;

pub use crate::families::cumulative::{axis_out_of_range as axis_in_range, two_axes as axis_is_scalar};

pub fn cum_prod(draw: &mut Draw) {
    draw.limit_extents(cumulative::LONGEST);
    cumulative::along_axis(
        draw,
        &[Values::Between(-2.0, 2.0), Values::Integers, Values::Between(0.7, 1.4), Values::Moderate, Values::Any],
    );
}
