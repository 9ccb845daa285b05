//! Draws numbers of which some are so large that the result overflows.

use crate::families::unary;
use crate::prelude::*;

pub fn sinh(draw: &mut Draw) {
    unary::hyperbolic(draw);
}
