use plumbline_tensor::ValueKind;

use crate::families::sequence::sequence_of;
use crate::prelude::*;

/// Splits the input along an axis into a sequence of chunks.
///
/// Versions 11 and 24 have the same meaning. A scalar `split` is the length of each chunk (the last one may be
/// shorter); a list holds all lengths. Without `split`, chunks have length 1, and `keepdims` = 0 removes the axis
/// (`keepdims`).
///
/// Values of `keepdims` (without `split`) other than 0 and 1: `other-flag-values`.
pub fn split_to_sequence(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let axis = call.axis(call.int("axis")?, input.rank(), rule::AXIS_IN_RANGE)?;
    let extent = input.extent(axis);
    let lengths = lengths(call, extent)?;
    let drops_axis = !call.given("split") && !call.flag("keepdims");
    let mut start = 0;
    let mut items = Vec::new();
    for length in lengths {
        let mut shape = input.shape().to_vec();
        shape[axis] = length;
        let part = input.moved(shape.clone(), |at| {
            let mut from = at.to_vec();
            from[axis] += start;
            from
        })?;
        if drops_axis {
            shape.remove(axis);
        }
        items.push(part.reshaped(shape)?.into());
        start += length;
    }
    sequence_of(&ValueKind::Tensor(input.dtype()), items)
}

/// Returns the length of each chunk. `split` has rank 0 or 1 (`split-rank-fits`). Lengths are not negative, and a
/// scalar is not 0 either (`lengths-non-negative`). Listed lengths may be 0 (`empty-chunk`), and add up to the extent
/// (`lengths-fit-axis`). No chunks at all: `empty-axis`.
fn lengths(call: &Call, extent: usize) -> Result<Vec<usize>, Refusal> {
    let rank = call.optional_tensor("split")?.map(Expected::rank);
    let given = call.optional_ints("split")?.unwrap_or_else(|| vec![1]);
    if rank.is_some_and(|rank| rank > 1) {
        return Err(Refusal::violates(
            rule::SPLIT_RANK_FITS,
            format!("`split` has rank {}, expected 0 or 1", rank.unwrap_or(0)),
        ));
    }
    let lengths = given.iter().map(|&length| usize::try_from(length)).collect::<Result<Vec<_>, _>>();
    let lengths = lengths.map_err(|_| {
        Refusal::violates(rule::LENGTHS_NON_NEGATIVE, format!("`split` is {given:?}, which contains a negative length"))
    })?;
    match (rank, lengths.as_slice()) {
        (Some(1), lengths) => {
            let total = lengths.iter().try_fold(0usize, |sum, &length| sum.checked_add(length));
            if total != Some(extent) {
                return Err(Refusal::violates(
                    rule::LENGTHS_FIT_AXIS,
                    format!("lengths {lengths:?} do not sum to the extent {extent}"),
                ));
            }
            if lengths.is_empty() {
                return Err(Refusal::leaves_open(
                    rule::EMPTY_AXIS,
                    "the axis is empty, so that there is nothing to split",
                ));
            }
            if lengths.contains(&0) {
                call.leaves_open(rule::EMPTY_CHUNK);
            }
            Ok(lengths.to_vec())
        }
        (_, &[0]) => Err(Refusal::violates(rule::LENGTHS_NON_NEGATIVE, "`split` is 0, expected a positive length")),
        (_, &[_]) if extent == 0 => {
            Err(Refusal::leaves_open(rule::EMPTY_AXIS, "the axis is empty, so that there is nothing to split"))
        }
        (_, &[chunk]) => {
            shape::affordable(&[extent])?;
            Ok((0..extent.div_ceil(chunk)).map(|i| chunk.min(extent - i * chunk)).collect())
        }
        _ => Err(Refusal::violates(rule::SPLIT_RANK_FITS, "`split` is neither one length nor a list of lengths")),
    }
}
