//! Strings that are put together from pieces.

use crate::prelude::*;

/// Draws strings of up to six pieces each.
pub fn from_pieces(draw: &mut Draw, pieces: &[&str], shape: &[usize]) -> Tensor {
    const MOST: usize = 6;
    let count: usize = shape.iter().product();
    let choices = draw.block(count * MOST, 2 * pieces.len() as u64);
    let strings = choices.chunks(MOST).map(|choices| {
        let parts = choices.iter().filter_map(|&c| pieces.get(c as usize));
        parts.copied().collect::<String>().into_bytes()
    });
    Tensor::from_strings(shape.to_vec(), strings.collect())
        .expect("there are as many strings as the shape has elements")
}
