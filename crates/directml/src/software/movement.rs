//! Operators that move, select, fill or convert elements. Most of them copy elements bit for bit.

pub mod fill;
pub mod indexing;
pub mod place;
pub mod scatter;

use super::call::{Call, Stop};
use plumbline_cpu::kernels::scatter::indices;

/// Copies elements to an output. For each index in the output, `from` sets the index in the input of the element
/// to copy.
pub fn picked(
    call: &Call,
    (input, output): (&str, &str),
    from: &mut dyn FnMut(&[usize], &mut [usize]),
) -> Result<Vec<Vec<u8>>, Stop> {
    let (sizes, shape, data) = (call.sizes(input)?, call.sizes(output)?, call.raw(input)?);
    let mut places = Vec::with_capacity(shape.iter().product());
    let mut found = vec![0; sizes.len()];
    indices(&shape, |index| {
        from(index, &mut found);
        places.push(found.iter().zip(&sizes).fold(0, |place, (&i, &size)| place * size + i.min(size - 1)));
    });
    Ok(vec![call.put_raw(output, &data.picked(&places))?])
}

/// Resolves an index. Negative indices count from the end. The documentation does not say what an index out of range
/// means; the nearest valid index takes its place.
fn within(index: i64, size: usize) -> usize {
    let index = if index < 0 { index.saturating_add(size as i64) } else { index };
    index.clamp(0, size as i64 - 1) as usize
}
