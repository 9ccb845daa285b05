use crate::Allowed;
use crate::families::sliding_window::{Axis, Windows};
use crate::families::spatial::{Settings, checked};
use crate::prelude::*;
use crate::sum::sum_in_type;

/// Assembles an image from blocks, and adds up blocks where they overlap.
///
/// The only version is 18. Constraints: the rank of the input (`rank-three`), the attributes
/// (`window-attributes-valid`), `image_shape` and `block_shape` (`image-block-shapes-valid`), and the number of blocks
/// (`blocks-fit-image`). Sums of integers that overflow: `integer-overflow`; sums of types that have no addition:
/// `non-real-types`; elements that no block covers: `uncovered-elements`.
pub fn col2_im(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let &[batches, rows, columns] = input.shape() else {
        return Err(Refusal::violates(
            rule::RANK_THREE,
            format!("the input has shape {:?}, expected rank 3", input.shape()),
        ));
    };
    let (image, block) = (lengths(call, "image_shape")?, lengths(call, "block_shape")?);
    if image.len() != block.len() {
        return Err(Refusal::violates(
            rule::IMAGE_BLOCK_SHAPES_VALID,
            format!("the image {image:?} and the block {block:?} have different ranks"),
        ));
    }
    let settings = Settings::read(call, &block)?;
    let axes = image.iter().enumerate().map(|(at, &extent)| placed(settings.axis(at, extent as usize)));
    let windows = Windows { axes: axes.collect::<Result<_, _>>()? };
    let taps = windows.taps();
    if !rows.is_multiple_of(taps) || windows.count() != columns {
        let wanted = windows.count();
        return Err(Refusal::violates(
            rule::BLOCKS_FIT_IMAGE,
            format!(
                "the input has {rows} rows and {columns} columns, but the image has {wanted} blocks of {taps} elements"
            ),
        ));
    }
    let channels = rows / taps;
    let mut shape = vec![batches, channels];
    shape.extend(windows.axes.iter().map(|a| a.extent));
    shape::affordable(&shape)?;
    let plane = windows.elements();
    let reads = windows.reads()?.transposed(plane);
    // The elements of the input that are added to element `i` of the image.
    let sources = |i: usize| {
        let channel = i / plane * taps;
        reads.positions(i % plane).iter().map(move |&(tap, window)| (channel + tap) * columns + window)
    };
    let count = shape::product(&shape)?;
    let most = (0..plane).map(|p| reads.positions(p).len()).max().unwrap_or(0);
    if most <= 1 || !input.dtype().is_float() && !input.dtype().is_integer() {
        // No element of the image is a sum of several elements, or the type has no addition.
        let zero = Expected::zero(input.dtype(), rule::UNCOVERED_ELEMENTS)?;
        let moved = |i: usize| sources(i).next_back().map_or((1, 0), |source| (0, source));
        let output = Expected::assembled(shape, &[input, &zero], moved)?;
        // An implementation may add each element to a zero, which turns -0 into 0.
        let output = output.with_any_zero();
        let overlap = |i: usize| sources(i).count() > 1;
        if input.dtype() != DType::Bool {
            return one(output.undecided_where(rule::NON_REAL_TYPES, overlap));
        }
        let either = |i: usize| {
            let number = output.number(i);
            if overlap(i) { number.or(Allowed::Among(0b11), rule::NON_REAL_TYPES) } else { number }
        };
        let numbers: Vec<Number> = (0..output.len()).map(either).collect();
        return call.answer(output.shape().to_vec(), numbers);
    }
    let numbers = (0..count).map(|i| {
        let terms: Vec<Number> = sources(i).map(|source| input.number(source)).collect();
        match terms.as_slice() {
            [] => Number::constant(0.0, input.dtype()),
            [one] => one.with_any_zero(),
            _ if input.dtype().is_float() => sum_in_type(&terms),
            _ => sum(terms, input.dtype(), rule::INTEGER_OVERFLOW),
        }
    });
    call.answer(shape, numbers)
}

/// Reads the extents from an input that must hold at least two.
fn lengths(call: &Call, name: &str) -> Result<Vec<i64>, Refusal> {
    let list = call.ints(name)?;
    if call.tensor(name)?.rank() != 1 || list.len() < 2 || list.iter().any(|&x| x < 1) {
        return Err(Refusal::violates(
            rule::IMAGE_BLOCK_SHAPES_VALID,
            format!("`{name}` is {list:?}, expected rank 1 and two or more positive numbers"),
        ));
    }
    let count = list.len();
    checked(list, name, count, 1)
}

/// Sets `windows` of the axis to the number of blocks that fit into it.
fn placed(axis: Axis) -> Result<Axis, Refusal> {
    let slack = axis.extent as i64 + axis.pads.0 + axis.pads.1 - axis.reach();
    if slack < 0 {
        return Err(Refusal::violates(
            rule::BLOCKS_FIT_IMAGE,
            format!("a block of {} elements does not fit an axis of {}", axis.reach(), axis.extent),
        ));
    }
    Ok(Axis { windows: slack as usize / axis.stride + 1, ..axis })
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use plumbline_tensor::Tensor;

    #[test]
    fn overlapping_blocks_add_up() {
        let input = floats(&[1, 2, 2], &[1.0, 2.0, 10.0, 20.0]);
        let sizes = [Tensor::from_i64s(&[1, 3]), Tensor::from_i64s(&[1, 2])];
        let y = &run("Col2Im", 18, &[input, sizes[0].clone(), sizes[1].clone()], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 1, 3], &[1.0, 12.0, 20.0]));
    }
}
