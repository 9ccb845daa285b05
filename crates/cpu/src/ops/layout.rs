//! Operators that rearrange, join, split, repeat or mask elements. Most of them are copies between views.

use super::axes::{axis, axis_from, extent};
use super::legacy::broadcast;
use super::moved::on_bits;
use super::shapes::{numbers, whole_numbers};
use crate::array::{Array, affordable};
use crate::element::with_bits;
use crate::kernels::copy::copy;
use crate::kernels::element_wise::map3;
use crate::kernels::pick::pick;
use crate::node::{Node, Operator, Outputs};
use crate::view::{View, packed};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Concat", concat),
    ("DepthToSpace", depth_to_space),
    ("Expand", expand),
    ("ReverseSequence", reverse_sequence),
    ("SpaceToDepth", space_to_depth),
    ("Split", split),
    ("Tile", tile),
    ("Transpose", transpose),
    ("Trilu", trilu),
];

/// Copies the elements of `data`, viewed with these sizes and strides, and reshapes the copy to `shape`.
pub fn laid_out(data: &Array, sizes: &[usize], strides: &[isize], shape: &[usize]) -> Outputs {
    affordable(sizes)?;
    on_bits(&[data], |data| {
        let data = &data[0];
        let copied = with_bits!(data.dtype().size(), T => Array::written::<T>(data.dtype(), sizes, |out| {
            let seen = data.view::<T>().restrided(sizes, strides).map_err(|e| Refusal::failed(e.to_string()))?;
            copy(out, &seen);
            Ok(())
        }))?;
        Ok(vec![copied.reshaped(shape)?])
    })
}

/// Returns the row-major strides of a shape.
pub fn strides_of(shape: &[usize]) -> Vec<isize> {
    packed(shape).into_iter().map(|s| s as isize).collect()
}

fn expand(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let wanted = numbers(node, "shape", 1, 8)?.unwrap_or_default();
    let wanted = wanted.into_iter().map(extent).collect::<Result<Vec<_>, _>>()?;
    let shape = broadcast(&[data.shape(), &wanted])?;
    let missing = shape.len() - data.rank();
    let own = strides_of(data.shape());
    let stride = |d: usize| if d < missing || data.shape()[d - missing] == 1 { 0 } else { own[d - missing] };
    let strides: Vec<isize> = (0..shape.len()).map(stride).collect();
    laid_out(data, &shape, &strides, &shape)
}

fn transpose(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let rank = data.rank();
    let axes = match node.ints("perm") {
        Some(perm) => perm.iter().map(|&a| axis_from(false, a, rank)).collect::<Result<Vec<_>, _>>()?,
        None => (0..rank).rev().collect(),
    };
    if axes.len() != rank || (0..rank).any(|a| !axes.contains(&a)) {
        return Err(Refusal::invalid(format!("`perm` {axes:?} is not a permutation of {rank} axes")));
    }
    let own = strides_of(data.shape());
    let shape: Vec<usize> = axes.iter().map(|&a| data.shape()[a]).collect();
    let strides: Vec<isize> = axes.iter().map(|&a| own[a]).collect();
    laid_out(data, &shape, &strides, &shape)
}

fn concat(node: &Node) -> Outputs {
    let arrays = node.arrays()?;
    // Concat-1 joins along axis 1 if no axis is given.
    let axis = node.optional_int("axis").unwrap_or(1);
    joined(&arrays, self::axis(axis, arrays[0].rank())?)
}

/// Concatenates arrays along an axis. There must be at least one array.
pub fn joined(arrays: &[&Array], axis: usize) -> Outputs {
    let mut shape = arrays[0].shape().to_vec();
    shape[axis] = 0;
    for array in arrays {
        let alike = |(d, (&a, &b)): (usize, (&usize, &usize))| d == axis || a == b;
        if array.rank() != shape.len() || !array.shape().iter().zip(arrays[0].shape()).enumerate().all(alike) {
            return Err(Refusal::invalid(format!(
                "shapes {:?} and {:?} differ in rank, or on an axis other than {axis}",
                arrays[0].shape(),
                array.shape()
            )));
        }
        shape[axis] += array.shape()[axis];
    }
    on_bits(arrays, |arrays| {
        let dtype = arrays[0].dtype();
        let whole = with_bits!(dtype.size(), T => Array::filled::<T>(dtype, &shape, |out| {
            let mut start = 0;
            for array in arrays {
                let count = array.shape()[axis];
                copy(&mut out.sliced(axis, start, count), &array.view::<T>());
                start += count;
            }
            Ok(())
        }))?;
        Ok(vec![whole])
    })
}

/// Returns the lengths of the parts of Split along its axis.
fn lengths(node: &Node, extent_along: usize) -> Result<Vec<usize>, Refusal> {
    let given = match (node.since(), node.optional(1)?) {
        // In Split-1 the input with the lengths has the element type of the data, which is a floating-point type.
        (1, Some(array)) => Some(whole_numbers(array)?),
        _ => numbers(node, "split", 1, 13)?,
    };
    let outputs = node.output_places();
    let parts = node.optional_int("num_outputs");
    if node.since() >= 18 && given.is_some() == parts.is_some() {
        return Err(Refusal::invalid("exactly one of `split` and `num_outputs` has to be given"));
    }
    let lengths = match (given, parts) {
        (Some(given), _) => given.into_iter().map(extent).collect::<Result<Vec<_>, _>>()?,
        (None, Some(parts)) => {
            let parts = usize::try_from(parts).ok().filter(|&p| p >= 1 && p == outputs);
            let parts = parts.ok_or_else(|| {
                Refusal::invalid(format!(
                    "`num_outputs` differs from the {outputs} outputs of the node, or is not positive"
                ))
            })?;
            let each = extent_along.div_ceil(parts);
            (0..parts).map(|part| extent_along.saturating_sub(part * each).min(each)).collect()
        }
        (None, None) if outputs > 0 && extent_along.is_multiple_of(outputs) => vec![extent_along / outputs; outputs],
        (None, None) => {
            return Err(Refusal::invalid(format!(
                "an extent of {extent_along} does not split into {outputs} equal parts"
            )));
        }
    };
    if lengths.len() != outputs || lengths.iter().try_fold(0usize, |n, &l| n.checked_add(l)) != Some(extent_along) {
        return Err(Refusal::invalid(format!(
            "lengths {lengths:?} do not split an extent of {extent_along} into {outputs} outputs"
        )));
    }
    Ok(lengths)
}

fn split(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axis = axis(node.int("axis"), data.rank())?;
    pieces(data, axis, &lengths(node, data.shape()[axis])?, 0)
}

/// Splits an array along an axis into consecutive parts of these lengths. The first part starts at index `first`.
pub fn pieces(data: &Array, axis: usize, lengths: &[usize], first: usize) -> Outputs {
    on_bits(&[data], |data| {
        let (data, mut start) = (&data[0], first);
        let part = |&count: &usize| {
            let mut shape = data.shape().to_vec();
            shape[axis] = count;
            let part = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), &shape, |out| {
                copy(out, &data.view::<T>().sliced(axis, start, 1, count));
                Ok(())
            }));
            start += count;
            part
        };
        lengths.iter().map(part).collect()
    })
}

/// Computes Tile. `repeats` has a number for each axis. Tile-1 takes a number of tiles and one axis instead, both in
/// the element type of the data.
fn tile(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let repeats = if node.since() < 6 {
        let single = |at: usize| match whole_numbers(node.input(at)?)?.as_slice() {
            [value] => Ok(*value),
            other => Err(Refusal::invalid(format!("input {at} has {} elements, expected one", other.len()))),
        };
        let mut repeats = vec![1; data.rank()];
        repeats[axis_from(false, single(2)?, data.rank())?] = single(1)?;
        repeats
    } else {
        numbers(node, "repeats", 1, 6)?.unwrap_or_default()
    };
    if repeats.len() != data.rank() {
        return Err(Refusal::invalid(format!(
            "`repeats` has {} elements, expected one for each of {} axes",
            repeats.len(),
            data.rank()
        )));
    }
    let (mut sizes, mut strides, mut shape) = (Vec::new(), Vec::new(), Vec::new());
    for ((&size, stride), repeat) in data.shape().iter().zip(strides_of(data.shape())).zip(repeats) {
        let repeat = extent(repeat)?;
        sizes.extend([repeat, size]);
        strides.extend([0, stride]);
        shape.push(repeat.saturating_mul(size));
    }
    affordable(&shape)?;
    laid_out(data, &sizes, &strides, &shape)
}

fn block_size(node: &Node, data: &Array) -> Result<(usize, bool), Refusal> {
    if data.rank() != 4 {
        return Err(Refusal::invalid(format!("the input has rank {}, expected 4", data.rank())));
    }
    let size = usize::try_from(node.int("blocksize")).ok().filter(|&b| b >= 1);
    let mode = node.string("mode")?;
    match (size, mode) {
        (Some(size), "DCR") => Ok((size, false)),
        // Versions without `mode` have only the order DCR.
        (Some(size), _) if !node.has_attribute("mode") => Ok((size, false)),
        (Some(size), "CRD") => Ok((size, true)),
        (None, _) => {
            Err(Refusal::invalid(format!("`blocksize` is {}, expected a positive number", node.int("blocksize"))))
        }
        (_, other) => Err(Refusal::invalid(format!("`mode` is `{other}`, expected `DCR` or `CRD`"))),
    }
}

/// Splits the axes of `data` into `sizes`, reorders them by `axes`, and reshapes the result to `shape`.
fn rearranged(data: &Array, sizes: &[usize], axes: &[usize], shape: &[usize]) -> Outputs {
    let own = strides_of(sizes);
    let strides: Vec<isize> = axes.iter().map(|&a| own[a]).collect();
    let sizes: Vec<usize> = axes.iter().map(|&a| sizes[a]).collect();
    laid_out(data, &sizes, &strides, shape)
}

fn depth_to_space(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let (b, crd) = block_size(node, data)?;
    let &[n, c, h, w] = data.shape() else { return Err(Refusal::invalid("the input does not have rank 4")) };
    let square = b.checked_mul(b).filter(|&square| c % square == 0);
    let depth = c / square
        .ok_or_else(|| Refusal::invalid(format!("the square of `blocksize` {b} does not divide a depth of {c}")))?;
    let shape = [n, depth, h.saturating_mul(b), w.saturating_mul(b)];
    affordable(&shape)?;
    match crd {
        false => rearranged(data, &[n, b, b, depth, h, w], &[0, 3, 4, 1, 5, 2], &shape),
        true => rearranged(data, &[n, depth, b, b, h, w], &[0, 1, 4, 2, 5, 3], &shape),
    }
}

fn space_to_depth(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let (b, crd) = block_size(node, data)?;
    let &[n, c, h, w] = data.shape() else { return Err(Refusal::invalid("the input does not have rank 4")) };
    if h % b != 0 || w % b != 0 {
        return Err(Refusal::invalid(format!("`blocksize` {b} does not divide both extents, {h} and {w}")));
    }
    let shape = [n, c.saturating_mul(b).saturating_mul(b), h / b, w / b];
    affordable(&shape)?;
    let axes = if crd { [0, 1, 3, 5, 2, 4] } else { [0, 3, 5, 1, 2, 4] };
    rearranged(data, &[n, c, h / b, b, w / b, b], &axes, &shape)
}

fn trilu(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let k = match node.optional(1)? {
        Some(k) if k.rank() != 0 => {
            return Err(Refusal::invalid(format!("`k` has shape {:?}, expected a scalar", k.shape())));
        }
        Some(k) => k.slice::<i64>()[0],
        None => 0,
    };
    let rank = data.rank();
    if rank < 2 {
        return Err(Refusal::invalid(format!("the input has rank {rank}, expected 2 or more")));
    }
    let (row_count, column_count) = (data.shape()[rank - 2], data.shape()[rank - 1]);
    let rows: Vec<i64> = (0..row_count as i64).map(|row| row.saturating_add(k)).collect();
    let columns: Vec<i64> = (0..column_count as i64).collect();
    let upper = node.int("upper") != 0;
    on_bits(&[data], |data| {
        let data = &data[0];
        let kept = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), data.shape(), |out| {
            let places = (View::packed(&rows, &[row_count, 1]), View::packed(&columns, &[column_count]));
            let zero: T = bytemuck::Zeroable::zeroed();
            map3(out, (&data.view::<T>(), &places.0, &places.1), |x, from, column| match upper {
                true if column >= from => x,
                false if column <= from => x,
                _ => zero,
            });
            Ok(())
        }))?;
        Ok(vec![kept])
    })
}

fn reverse_sequence(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let rank = data.rank();
    if rank < 2 {
        return Err(Refusal::invalid(format!("the input has rank {rank}, expected 2 or more")));
    }
    let (time, batch) = (node.int("time_axis"), node.int("batch_axis"));
    if ![(0, 1), (1, 0)].contains(&(time, batch)) {
        return Err(Refusal::invalid(format!(
            "`time_axis` is {time} and `batch_axis` {batch}, expected 0 and 1, or 1 and 0"
        )));
    }
    let (time, batch) = (axis(time, rank)?, axis(batch, rank)?);
    let (steps, sequences) = (data.shape()[time], data.shape()[batch]);
    let lengths = node.input(1)?;
    if lengths.shape() != [sequences] {
        return Err(Refusal::invalid(format!(
            "`sequence_lens` has shape {:?}, expected [{sequences}]",
            lengths.shape()
        )));
    }
    let within = |&l: &i64| usize::try_from(l).ok().filter(|&l| l <= steps);
    let lengths = lengths.slice::<i64>().iter().map(within).collect::<Option<Vec<_>>>();
    let lengths =
        lengths.ok_or_else(|| Refusal::invalid(format!("an element of `sequence_lens` is outside [0, {steps}]")))?;
    let strides = strides_of(data.shape());
    let mut places = Vec::with_capacity(steps * sequences);
    for step in 0..steps {
        for (sequence, &length) in lengths.iter().enumerate() {
            let from = if step < length { length - 1 - step } else { step };
            places.push(from as isize * strides[time] + sequence as isize * strides[batch]);
        }
    }
    on_bits(&[data], |data| {
        let data = &data[0];
        let reversed = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), data.shape(), |out| {
            let still = data.view::<T>().standing(time, steps).standing(batch, sequences);
            let order = if time == 0 { [0, 1] } else { [1, 0] };
            let mut sizes = vec![1; rank];
            let mut place_strides = vec![0; rank];
            let by_time = View::packed(&places, &[steps, sequences]).permuted(&order);
            sizes[..2].copy_from_slice(by_time.sizes());
            place_strides[..2].copy_from_slice(by_time.strides());
            let places = by_time.restrided(&sizes, &place_strides).map_err(|e| Refusal::failed(e.to_string()))?;
            pick(out, &still, &places);
            Ok(())
        }))?;
        Ok(vec![reversed])
    })
}
