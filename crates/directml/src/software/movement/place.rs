//! Operators that join, split, slice, pad, tile, upsample and reverse, and that move blocks to and from channels.

use super::super::call::{Call, Run, Stop, Written, wrong};
use super::super::memory::Raw;
use super::super::types::nearest;
use super::picked;

pub const OPERATORS: &[(&str, Run)] = &[
    ("DEPTH_TO_SPACE", |call| depth_to_space(call, false)),
    ("DEPTH_TO_SPACE1", |call| depth_to_space(call, call.uint("Order")? == 1)),
    ("JOIN", join),
    ("PADDING", padding),
    ("PADDING1", padding),
    ("SLICE", slice),
    ("SLICE1", slice1),
    ("SLICE_GRAD", slice_grad),
    ("SPACE_TO_DEPTH", |call| space_to_depth(call, false)),
    ("SPACE_TO_DEPTH1", |call| space_to_depth(call, call.uint("Order")? == 1)),
    ("SPLIT", split),
    ("TILE", tile),
    ("UPSAMPLE_2D", upsample_2d),
    ("REVERSE_SUBSEQUENCES", reverse_subsequences),
];

/// Checks that the sizes of parts along the axis add up to the size of the whole tensor. Returns the axis and the
/// sizes of the parts along it.
fn check_pieces(call: &Call, whole: &str, parts: &str) -> Result<(usize, Vec<usize>), Stop> {
    let sizes = call.sizes(whole)?;
    let axis = call.axis("Axis", sizes.len())?;
    let mut counts = Vec::new();
    for (at, part) in call.tensors(parts)?.iter().enumerate() {
        let found: Vec<usize> = part.sizes.iter().map(|&size| size as usize).collect();
        if found.iter().zip(&sizes).enumerate().any(|(d, (found, size))| d != axis && found != size) {
            return wrong(
                &format!("{parts}[{at}]"),
                format!("Sizes are {found:?}, but those of {whole} are {sizes:?}"),
            );
        }
        counts.push(found[axis]);
    }
    match counts.iter().sum::<usize>() == sizes[axis] {
        true => Ok((axis, counts)),
        false => wrong(parts, format!("have the sizes {counts:?} along Axis, but {whole} has {}", sizes[axis])),
    }
}

/// Returns, for each part, the row-major positions of its elements in the whole tensor.
fn piece_places(sizes: &[usize], axis: usize, counts: &[usize]) -> Vec<Vec<usize>> {
    let after: usize = sizes[axis + 1..].iter().product();
    let mut from = 0;
    let places = counts.iter().map(|&count| {
        let first = from;
        from += count;
        let starts = (0..sizes[..axis].iter().product()).map(|outer: usize| (outer * sizes[axis] + first) * after);
        starts.flat_map(|start| start..start + count * after).collect()
    });
    places.collect()
}

fn join(call: &Call) -> Written {
    let (axis, counts) = check_pieces(call, "OutputTensor", "InputTensors")?;
    let (sizes, size) = (call.sizes("OutputTensor")?, call.dtype("OutputTensor")?.size());
    let mut found = Raw::zeros(size, sizes.iter().product());
    for (at, places) in piece_places(&sizes, axis, &counts).iter().enumerate() {
        let part = call.raw_nth("InputTensors", at, size)?;
        places.iter().enumerate().for_each(|(n, &place)| found.set(place, part.at(n)));
    }
    Ok(vec![call.put_raw("OutputTensor", &found)?])
}

fn split(call: &Call) -> Written {
    let (axis, counts) = check_pieces(call, "InputTensor", "OutputTensors")?;
    let whole = call.raw("InputTensor")?;
    let places = piece_places(&call.sizes("InputTensor")?, axis, &counts);
    places.iter().enumerate().map(|(at, places)| call.put_raw_nth("OutputTensors", at, &whole.picked(places))).collect()
}

/// Slices. The field `Sizes` holds the sizes of the output, so it does not count the elements that `Strides` skips.
fn slice(call: &Call) -> Written {
    let sizes = call.sizes("InputTensor")?;
    let rank = sizes.len();
    let offsets = call.uints_of("Offsets", rank, 0)?;
    let (counts, strides) = (call.uints_of("Sizes", rank, 1)?, call.uints_of("Strides", rank, 1)?);
    call.expect("OutputTensor", &counts)?;
    let reach = |d: usize| (counts[d] - 1).checked_mul(strides[d])?.checked_add(offsets[d]);
    if let Some(d) = (0..rank).find(|&d| reach(d).is_none_or(|last| last >= sizes[d])) {
        return wrong(
            "Offsets",
            format!("together with Sizes and Strides, they reach beyond the {} elements of dimension {d}", sizes[d]),
        );
    }
    picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
        (0..rank).for_each(|d| from[d] = offsets[d] + strides[d] * index[d]);
    })
}

/// Returns the position of the first element and the step in each dimension of a window.
fn window(call: &Call, whole: &str, part: &str) -> Result<Vec<(i64, i64)>, Stop> {
    let (sizes, counts) = (call.sizes(whole)?, call.sizes(part)?);
    let rank = sizes.len();
    let offsets = call.uints_of("InputWindowOffsets", rank, 0)?;
    let extents = call.uints_of("InputWindowSizes", rank, 1)?;
    let strides = call.ints_of("InputWindowStrides", rank)?;
    if (0..rank).any(|d| offsets[d] + extents[d] > sizes[d]) {
        return wrong(
            "InputWindowSizes",
            format!("is {extents:?}, which at offsets {offsets:?} exceeds {whole} with Sizes {sizes:?}"),
        );
    }
    if strides.contains(&0) {
        return wrong("InputWindowStrides", format!("is {strides:?}, but no stride may be 0"));
    }
    for d in 0..rank {
        if (counts[d] as i64 - 1) * strides[d].abs() >= extents[d] as i64 {
            return wrong(part, format!("Sizes are {counts:?}, which reach beyond a window of {extents:?}"));
        }
    }
    let first = |d: usize| if strides[d] < 0 { offsets[d] + extents[d] - 1 } else { offsets[d] } as i64;
    Ok((0..rank).map(|d| (first(d), strides[d])).collect())
}

fn slice1(call: &Call) -> Written {
    let window = window(call, "InputTensor", "OutputTensor")?;
    picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
        let places = window.iter().zip(index).map(|(&(first, step), &i)| (first + step * i as i64) as usize);
        from.iter_mut().zip(places).for_each(|(from, place)| *from = place);
    })
}

/// Writes elements back to the positions that they were sliced from, and 0 elsewhere.
fn slice_grad(call: &Call) -> Written {
    let window = window(call, "OutputGradientTensor", "InputGradientTensor")?;
    let shape = call.sizes("OutputGradientTensor")?;
    let gradient = call.raw("InputGradientTensor")?;
    let mut found = Raw::zeros(gradient.size, shape.iter().product());
    let mut next = 0;
    plumbline_cpu::kernels::scatter::indices(&call.sizes("InputGradientTensor")?, |index| {
        let place = window.iter().zip(index).zip(&shape);
        let place =
            place.fold(0, |place, ((&(first, step), &i), size)| place * size + (first + step * i as i64) as usize);
        found.set(place, gradient.at(next));
        next += 1;
    });
    Ok(vec![call.put_raw("OutputGradientTensor", &found)?])
}

/// Returns the position of the input element that is at position `at` of the padded tensor, along one dimension. Both
/// positions count from the first element of the input. Returns `None` for elements that are the padding constant.
fn padded(at: i64, size: i64, mode: usize) -> Option<i64> {
    // Reflection does not repeat the outermost element, symmetric padding does.
    let turned = |period: i64, last: i64| {
        let at = at.rem_euclid(period.max(1));
        if at < size { at } else { last - at }
    };
    match mode {
        _ if (0..size).contains(&at) => Some(at),
        1 => Some(at.clamp(0, size - 1)),
        2 => Some(turned(2 * size - 2, 2 * size - 2)),
        3 => Some(turned(2 * size, 2 * size - 1)),
        4 => Some(at.rem_euclid(size)),
        _ => None,
    }
}

fn padding(call: &Call) -> Written {
    let sizes = call.sizes("InputTensor")?;
    let start = call.uints_of("StartPadding", sizes.len(), 0)?;
    let end = call.uints_of("EndPadding", sizes.len(), 0)?;
    let wanted: Vec<usize> = (0..sizes.len()).map(|d| start[d] + sizes[d] + end[d]).collect();
    call.expect("OutputTensor", &wanted)?;
    let mode = call.uint("PaddingMode")?;
    let input = call.raw("InputTensor")?;
    let value = match call.description.float("PaddingValue") {
        Some(value) => nearest(call.dtype("InputTensor")?, &[value.into()])?.bytes,
        None => call.scalar("PaddingValue")?.0[..input.size].to_vec(),
    };
    let mut bytes = Vec::with_capacity(wanted.iter().product::<usize>() * input.size);
    plumbline_cpu::kernels::scatter::indices(&wanted, |index| {
        let place = (0..sizes.len()).try_fold(0, |place, d| {
            let along = padded(index[d] as i64 - start[d] as i64, sizes[d] as i64, mode)?;
            Some(place * sizes[d] + along as usize)
        });
        bytes.extend_from_slice(place.map_or(&value, |place| input.at(place)));
    });
    Ok(vec![call.put_raw("OutputTensor", &Raw { size: input.size, bytes })?])
}

fn tile(call: &Call) -> Written {
    let sizes = call.sizes("InputTensor")?;
    let repeats = call.uints_of("Repeats", sizes.len(), 1)?;
    let wanted: Vec<usize> = sizes.iter().zip(&repeats).map(|(size, times)| size.saturating_mul(*times)).collect();
    call.expect("OutputTensor", &wanted)?;
    picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
        (0..sizes.len()).for_each(|d| from[d] = index[d] % sizes[d]);
    })
}

/// Returns the channel for a depth, and for a row and a column in a block. Of these three indices, the depth varies
/// slowest in the order COLUMN_ROW_DEPTH, and fastest in the order DEPTH_COLUMN_ROW.
fn channel(depth: usize, depths: usize, block: usize, [row, column]: [usize; 2], column_row_depth: bool) -> usize {
    match column_row_depth {
        true => (depth * block + row) * block + column,
        false => (row * block + column) * depths + depth,
    }
}

fn blocks(call: &Call, deep: &str, flat: &str) -> Result<(usize, usize), Stop> {
    let (block, sizes) = (call.uint("BlockSize")?, call.sizes(deep)?);
    let &[n, c, h, w] = sizes.as_slice() else { return wrong(deep, "must have 4 dimensions") };
    if block == 0 || !c.is_multiple_of(block.saturating_mul(block)) {
        return wrong("BlockSize", format!("is {block}, whose square does not divide the {c} channels of {deep}"));
    }
    call.expect(flat, &[n, c / block / block, h * block, w * block])?;
    Ok((block, c / block / block))
}

fn depth_to_space(call: &Call, column_row_depth: bool) -> Written {
    let (block, depths) = blocks(call, "InputTensor", "OutputTensor")?;
    picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
        let place = [index[2] % block, index[3] % block];
        let channel = channel(index[1], depths, block, place, column_row_depth);
        from.copy_from_slice(&[index[0], channel, index[2] / block, index[3] / block]);
    })
}

fn space_to_depth(call: &Call, column_row_depth: bool) -> Written {
    let (block, depths) = blocks(call, "OutputTensor", "InputTensor")?;
    picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
        let (depth, row, column) = match column_row_depth {
            true => (index[1] / block / block, index[1] / block % block, index[1] % block),
            false => (index[1] % depths, index[1] / depths / block, index[1] / depths % block),
        };
        from.copy_from_slice(&[index[0], depth, index[2] * block + row, index[3] * block + column]);
    })
}

/// Enlarges the last two dimensions by whole factors. The mode NEAREST_NEIGHBOR repeats elements; the mode LINEAR
/// interpolates with half-pixel coordinates.
fn upsample_2d(call: &Call) -> Written {
    let (sizes, [height, width]) = (call.sizes("InputTensor")?, call.size_2d("ScaleSize")?);
    let rank = sizes.len();
    if height == 0 || width == 0 {
        return wrong("ScaleSize", format!("is {height} by {width}, expected at least 1 by 1"));
    }
    let mut wanted = sizes.clone();
    let scales = [height, width];
    (0..2).for_each(|n| wanted[rank - 2 + n] = sizes[rank - 2 + n].saturating_mul(scales[n]));
    call.expect("OutputTensor", &wanted)?;
    if call.uint("InterpolationMode")? == 0 {
        return picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
            from.copy_from_slice(index);
            (0..2).for_each(|n| from[rank - 2 + n] = index[rank - 2 + n] / scales[n]);
        });
    }
    let input = call.numbers("InputTensor")?;
    let mut found = Vec::with_capacity(wanted.iter().product());
    plumbline_cpu::kernels::scatter::indices(&wanted, |index| {
        let mut sum = 0.0;
        let along = |n: usize| {
            let (size, scale) = (sizes[rank - 2 + n], scales[n]);
            let place = ((index[rank - 2 + n] as f64 + 0.5) / scale as f64 - 0.5).clamp(0.0, size as f64 - 1.0);
            let low = place.floor();
            [(low as usize, 1.0 - (place - low)), ((low as usize + 1).min(size - 1), place - low)]
        };
        for (row, row_weight) in along(0) {
            for (column, weight) in along(1) {
                let mut from = index.to_vec();
                (from[rank - 2], from[rank - 1]) = (row, column);
                sum += row_weight * weight * input.at(&from);
            }
        }
        found.push(sum);
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Reverses the first elements along the axis, as many as SequenceLengthsTensor says, and copies the others.
fn reverse_subsequences(call: &Call) -> Written {
    let sizes = call.sizes("InputTensor")?;
    call.expect("OutputTensor", &sizes)?;
    let axis = call.axis("Axis", sizes.len())?;
    let mut wanted = sizes.clone();
    wanted[axis] = 1;
    call.expect("SequenceLengthsTensor", &wanted)?;
    let lengths = call.integers("SequenceLengthsTensor")?;
    picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
        from.copy_from_slice(index);
        let place = index.iter().zip(&wanted).fold(0, |place, (&i, &size)| place * size + i.min(size - 1));
        let length = lengths[place].clamp(0, sizes[axis] as i64) as usize;
        if index[axis] < length {
            from[axis] = length - 1 - index[axis];
        }
    })
}
