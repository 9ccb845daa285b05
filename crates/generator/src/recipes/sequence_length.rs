//! Draws sequences of up to five tensors; some sequences are empty.

use crate::families::sequence;
use crate::prelude::*;

pub fn sequence_length(draw: &mut Draw) {
    let n = draw.choose(&[1, 0, 2, 3, 5]);
    if n == 0 {
        draw.feature("empty sequence");
    }
    sequence::sequence(draw, n);
}
