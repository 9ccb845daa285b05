//! Operators that read at indices or find them: GATHER and related operators, ONE_HOT and NONZERO_COORDINATES.

use super::super::call::{Call, Run, Stop, Written, wrong};
use super::{picked, within};
use plumbline_cpu::kernels::scatter::indices as all_indices;

pub const OPERATORS: &[(&str, Run)] = &[
    ("GATHER", gather),
    ("GATHER_ELEMENTS", gather_elements),
    ("GATHER_ND", gather_nd),
    ("GATHER_ND1", gather_nd),
    ("NONZERO_COORDINATES", nonzero_coordinates),
    ("ONE_HOT", one_hot),
];

/// Returns the last sizes of a tensor, as many as the field `field` says. The sizes before them must be 1.
pub fn trailing(call: &Call, tensor: &str, field: &str) -> Result<Vec<usize>, Stop> {
    let (sizes, count) = (call.sizes(tensor)?, call.uint(field)?);
    match sizes.len().checked_sub(count) {
        Some(front) if sizes[..front].iter().all(|&size| size == 1) => Ok(sizes[front..].to_vec()),
        _ => wrong(field, format!("is {count}, which does not fit {tensor} with Sizes {sizes:?}")),
    }
}

/// Adds sizes of 1 in front until there are `rank` sizes.
fn led(sizes: &[usize], rank: usize) -> Vec<usize> {
    let more = sizes.len().saturating_sub(rank);
    // Surplus sizes of 1 in front are dropped.
    let sizes = if sizes[..more].iter().all(|&size| size == 1) { &sizes[more..] } else { sizes };
    [vec![1; rank.saturating_sub(sizes.len())], sizes.to_vec()].concat()
}

/// Writes elements of the input, selected by their row-major positions.
fn gathered(call: &Call, places: &[usize]) -> Written {
    Ok(vec![call.put_raw("OutputTensor", &call.raw("InputTensor")?.picked(places))?])
}

fn gather(call: &Call) -> Written {
    let sizes = call.sizes("InputTensor")?;
    let axis = call.axis("Axis", sizes.len())?;
    let middle = trailing(call, "IndicesTensor", "IndexDimensions")?;
    let whole = [&sizes[..axis], &middle, &sizes[axis + 1..]].concat();
    call.expect("OutputTensor", &led(&whole, sizes.len()))?;
    let indices = call.integers("IndicesTensor")?;
    let (before, after) = (sizes[..axis].iter().product::<usize>(), sizes[axis + 1..].iter().product::<usize>());
    let mut places = Vec::with_capacity(before * indices.len() * after);
    for outer in 0..before {
        for &index in &indices {
            let from = (outer * sizes[axis] + within(index, sizes[axis])) * after;
            places.extend(from..from + after);
        }
    }
    gathered(call, &places)
}

fn gather_elements(call: &Call) -> Written {
    let (sizes, shape) = (call.sizes("InputTensor")?, call.sizes("IndicesTensor")?);
    let axis = call.axis("Axis", sizes.len())?;
    if shape.iter().zip(&sizes).enumerate().any(|(d, (count, size))| d != axis && count > size) {
        return wrong(
            "IndicesTensor",
            format!("Sizes are {shape:?}, which does not fit InputTensor with Sizes {sizes:?}"),
        );
    }
    call.expect("OutputTensor", &shape)?;
    let indices = call.integers("IndicesTensor")?;
    let mut next = indices.iter();
    picked(call, ("InputTensor", "OutputTensor"), &mut |index, from| {
        from.copy_from_slice(index);
        from[axis] = within(next.next().copied().unwrap_or(0), sizes[axis]);
    })
}

/// Tuples of indices. Each tuple leads to a block of consecutive elements of the input.
pub struct Tuples {
    /// The row-major position of the first element of each block.
    pub places: Vec<usize>,
    /// The number of elements in a block.
    pub block: usize,
    /// The sizes of the tensor that all blocks form together.
    pub shape: Vec<usize>,
}

impl Tuples {
    /// Reads an operator's tuples; `batches` is the number of batch dimensions.
    pub fn read(call: &Call, batches: usize) -> Result<Tuples, Stop> {
        let sizes = trailing(call, "InputTensor", "InputDimensionCount")?;
        let shape = trailing(call, "IndicesTensor", "IndicesDimensionCount")?;
        let (&depth, outer) = match shape.split_last() {
            Some(found) if batches < shape.len() && batches < sizes.len() => found,
            _ => {
                return wrong(
                    "IndicesTensor",
                    format!("Sizes are {shape:?}, InputTensor has {sizes:?}; both need more than {batches} dimensions"),
                );
            }
        };
        if batches + depth > sizes.len() || outer[..batches] != sizes[..batches] {
            return wrong(
                "IndicesTensor",
                format!("Sizes are {shape:?}, which does not fit InputTensor with Sizes {sizes:?}"),
            );
        }
        let indices = call.integers("IndicesTensor")?;
        let (along, rest) = sizes[batches..].split_at(depth);
        let tuples_of_batch: usize = outer[batches..].iter().product();
        let places = indices.chunks(depth).enumerate().map(|(number, tuple)| {
            let place = number / tuples_of_batch;
            let place = tuple.iter().zip(along).fold(place, |place, (&i, &size)| place * size + within(i, size));
            place * rest.iter().product::<usize>()
        });
        Ok(Tuples { places: places.collect(), block: rest.iter().product(), shape: [outer, rest].concat() })
    }
}

fn gather_nd(call: &Call) -> Written {
    let batches = call.description.uint("BatchDimensionCount").unwrap_or(0) as usize;
    let tuples = Tuples::read(call, batches)?;
    call.expect("OutputTensor", &led(&tuples.shape, call.sizes("InputTensor")?.len()))?;
    let places: Vec<usize> = tuples.places.iter().flat_map(|&from| from..from + tuples.block).collect();
    gathered(call, &places)
}

/// Writes the second element of ValuesTensor at the position of each index, and the first element of ValuesTensor
/// elsewhere. Negative indices count from the end. An index out of range has no position.
fn one_hot(call: &Call) -> Written {
    let shape = call.sizes("OutputTensor")?;
    let axis = call.axis("Axis", shape.len())?;
    let mut wanted = shape.clone();
    wanted[axis] = 1;
    call.expect("IndicesTensor", &wanted)?;
    let indices = call.integers("IndicesTensor")?;
    let values = call.raw("ValuesTensor")?;
    if call.sizes("ValuesTensor")?.iter().product::<usize>() < 2 {
        return wrong("ValuesTensor", "has fewer than 2 elements");
    }
    let mut chosen = Vec::with_capacity(shape.iter().product());
    all_indices(&shape, |index| {
        let place = index.iter().zip(&wanted).fold(0, |place, (&i, &size)| place * size + i.min(size - 1));
        let given = indices[place];
        let given = if given < 0 { given + shape[axis] as i64 } else { given };
        chosen.push(usize::from(given == index[axis] as i64));
    });
    Ok(vec![call.put_raw("OutputTensor", &values.picked(&chosen))?])
}

/// Counts the elements that are not 0, and writes their coordinates to the first rows of the output. Further rows keep
/// their content.
fn nonzero_coordinates(call: &Call) -> Written {
    let (sizes, shape) = (call.sizes("InputTensor")?, call.sizes("OutputCoordinatesTensor")?);
    let &[.., most, width] = shape.as_slice() else {
        return wrong("OutputCoordinatesTensor", "must have at least 2 dimensions");
    };
    let effective = sizes.len() - sizes.iter().take_while(|&&size| size == 1).count();
    let count: usize = sizes.iter().product();
    if most != count || width < effective || width > sizes.len() || shape.iter().rev().skip(2).any(|&size| size != 1) {
        return wrong(
            "OutputCoordinatesTensor",
            format!("Sizes are {shape:?}, which does not fit InputTensor with Sizes {sizes:?}"),
        );
    }
    if call.sizes("OutputCountTensor")?.iter().any(|&size| size != 1) {
        return wrong("OutputCountTensor", "has more than one element");
    }
    let (mut data, mut found) = (call.numbers("InputTensor")?.data.into_iter(), Vec::new());
    all_indices(&sizes, |index| {
        if data.next().is_some_and(|x| x != 0.0) {
            found.extend(index[sizes.len() - width..].iter().map(|&i| i as u32));
        }
    });
    let mut written = call.before("OutputCoordinatesTensor")?;
    found.iter().enumerate().for_each(|(at, x)| written.set(at, bytemuck::bytes_of(x)));
    let rows = (found.len() / width) as u32;
    Ok(vec![call.put_elements("OutputCountTensor", &[rows])?, call.put_raw("OutputCoordinatesTensor", &written)?])
}
