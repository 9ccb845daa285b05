//! Draws one to four tensors of one type and different shapes.

use crate::families::sequence;
use crate::prelude::*;

pub fn sequence_construct(draw: &mut Draw) {
    let dtype = sequence::element_type(draw);
    for _ in 0..draw.range(1..=4) {
        let tensor = sequence::tensor(draw, dtype);
        draw.input("inputs", tensor);
    }
}
