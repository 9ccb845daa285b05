//! Draws factors of magnitudes below and above 1, so that products of a few dozen stay in range. In some cases draws
//! larger factors, or any values.

use crate::families::reduce;
use crate::prelude::*;

pub use crate::families::reduce::axis_out_of_range as axes_in_range;

pub fn reduce_prod(draw: &mut Draw) {
    let factors = Values::Between(-2.0, 2.0);
    reduce::reduction(draw, &[factors, Values::Integers, Values::Between(0.7, 1.4), Values::Moderate, Values::Any]);
}
