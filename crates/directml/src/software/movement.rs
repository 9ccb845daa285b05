//! Operators that copy elements bit for bit.

pub mod fill;
pub mod indexing;
pub mod place;
pub mod scatter;

use super::call::{Call, Stop};
use plumbline_cpu::element::with_bits;
use plumbline_cpu::kernels::pick::pick;
use plumbline_cpu::kernels::scatter::indices;
use plumbline_cpu::view::View;

/// Copies elements to an output. For each index of the output, `from` sets the index of the input.
fn picked(
    call: &Call,
    (input, output): (&str, &str),
    mut from: impl FnMut(&[usize], &mut [usize]),
) -> Result<Vec<Vec<u8>>, Stop> {
    let (sizes, shape) = (call.sizes(input)?, call.sizes(output)?);
    with_bits!(call.dtype(input)?.size(), T => {
        let elements = call.read::<T>(input)?;
        let view = elements.view()?;
        let mut places = Vec::with_capacity(shape.iter().product());
        let mut found = vec![0; sizes.len()];
        indices(&shape, |index| {
            from(index, &mut found);
            let place = found.iter().zip(&sizes).zip(view.strides());
            places.push(place.map(|((&i, &size), stride)| i.min(size - 1) as isize * stride).sum::<isize>());
        });
        let mut written = call.write::<T>(output)?;
        let still = (0..sizes.len()).fold(view, |view, d| view.standing(d, 1)).restrided(&[], &[]);
        pick(&mut written.view_mut()?, &still.expect("no size is 0"), &View::packed(&places, &shape));
        Ok(vec![written.into_bytes()])
    })
}

/// Resolves an index. Negative indices count from the end. The documentation leaves indices out of range open; they are
/// moved to the nearest valid one.
fn within(index: i64, size: usize) -> usize {
    let index = if index < 0 { index.saturating_add(size as i64) } else { index };
    index.clamp(0, size as i64 - 1) as usize
}
