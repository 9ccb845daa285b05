//! Draws angles: mostly a few turns in either direction, or anything.

use crate::families::unary;
use crate::prelude::*;

pub fn tan(draw: &mut Draw) {
    unary::angles(draw);
}
