//! Draws rows of small and large terms, in both directions, inclusive and exclusive.

use crate::families::cumulative;
use crate::prelude::*;

pub use crate::families::cumulative::{axis_out_of_range as axis_in_range, two_axes as axis_is_scalar};

pub fn cum_sum(draw: &mut Draw) {
    draw.limit_extents(cumulative::LONGEST);
    cumulative::along_axis(
        draw,
        &[Values::Moderate, Values::Integers, Values::Between(-1e-3, 2e-3), Values::Finite, Values::Any],
    );
}
