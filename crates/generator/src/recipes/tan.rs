//! Draws angles in radians: mostly between -10 and 10, or any numbers of the type.

use crate::families::unary;
use crate::prelude::*;

pub fn tan(draw: &mut Draw) {
    unary::angles(draw);
}
