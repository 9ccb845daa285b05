//! TensorScatter, which writes an update into a cache.

use super::axes::axis;
use super::moved::on_bits;
use crate::array::Array;
use crate::element::with_bits;
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("TensorScatter", tensor_scatter)];

/// Returns, for each batch, the index along the axis at which its update begins.
fn starts(node: &Node, batches: usize, (extent, length): (usize, usize)) -> Result<Vec<usize>, Refusal> {
    let given = match node.optional(2)? {
        Some(given) if given.shape() != [batches] => {
            return Err(Refusal::invalid(format!(
                "`write_indices` has shape {:?}, expected [{batches}]",
                given.shape()
            )));
        }
        Some(given) => given.to_i64s()?,
        None => vec![0; batches],
    };
    let linear = |start: i64| usize::try_from(start).ok().filter(|start| *start <= extent - length);
    let start = |&start: &i64| match node.string("mode")? {
        "linear" => linear(start).ok_or_else(|| {
            Refusal::invalid(format!(
                "an update of {length} elements from index {start} on does not fit an extent of {extent}"
            ))
        }),
        "circular" => Ok(start.rem_euclid(extent.max(1) as i64) as usize),
        other => Err(Refusal::invalid(format!("`mode` is `{other}`, expected `linear` or `circular`"))),
    };
    given.iter().map(start).collect()
}

/// Computes TensorScatter: writes the update over a part of the cache along the axis. Each batch has its own start.
fn tensor_scatter(node: &Node) -> Outputs {
    let (cache, update) = (node.input(0)?, node.input(1)?);
    let axis = axis(node.int("axis"), cache.rank())?;
    let wrong = || {
        Refusal::invalid(format!(
            "an update of shape {:?} does not fit a cache of shape {:?}",
            update.shape(),
            cache.shape()
        ))
    };
    if axis == 0 {
        return Err(Refusal::invalid("`axis` is 0, the axis of the batches"));
    }
    if cache.rank() != update.rank() {
        return Err(wrong());
    }
    let (extent, length) = (cache.shape()[axis], update.shape()[axis]);
    let mut shape = cache.shape().to_vec();
    shape[axis] = length;
    if update.shape() != shape || length > extent {
        return Err(wrong());
    }
    let starts = starts(node, shape[0], (extent, length))?;
    let between: usize = shape[1..axis].iter().product();
    let inner: usize = shape[axis + 1..].iter().product();
    on_bits(&[cache, update], |data| {
        let (cache, update) = (&data[0], &data[1]);
        let whole = with_bits!(cache.dtype().size(), T => Array::written::<T>(cache.dtype(), cache.shape(), |out| {
            out.data.copy_from_slice(cache.slice::<T>());
            // If `inner` is 0, the update is empty and has no lines.
            for (number, line) in update.slice::<T>().chunks(inner.max(1)).enumerate() {
                let (row, at) = (number / length, number % length);
                let place = row * extent + (starts[row / between] + at) % extent;
                out.data[place * inner..][..inner].copy_from_slice(line);
            }
            Ok(())
        }))?;
        Ok(vec![whole])
    })
}
