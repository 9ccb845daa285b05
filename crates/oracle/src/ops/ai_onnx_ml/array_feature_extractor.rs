use crate::prelude::*;
use crate::shape::around;

/// Selects elements along the last axis of `X` by the indices in `Y`.
///
/// The only version is 1. Constraints: the rank of `X` (`rank-at-least-one`) and the range of the indices
/// (`indices-in-range`). The last extent of the output is the number of indices, whatever the shape of `Y` is
/// (`output-shape`). The output shape for an `X` of rank 1 is left open: `rank-one-input`.
pub fn array_feature_extractor(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let axis = x
        .rank()
        .checked_sub(1)
        .ok_or_else(|| Refusal::violates(rule::RANK_AT_LEAST_ONE, "`X` is a scalar, expected rank 1 or more"))?;
    let (_, extent, _) = around(x.shape(), axis);
    let indices = call.ints("Y")?;
    let within = |&index: &i64| {
        let at = usize::try_from(index).ok().filter(|&at| at < extent);
        at.ok_or_else(|| Refusal::violates(rule::INDICES_IN_RANGE, format!("index {index} is outside [0, {extent})")))
    };
    let indices: Vec<usize> = indices.iter().map(within).collect::<Result<_, _>>()?;
    // For an input of rank 1, the published implementations return a matrix with one row (`rank-one-input`).
    let mut shape = if axis == 0 { vec![1] } else { x.shape()[..axis].to_vec() };
    let count = indices.len();
    shape.push(count);
    shape::affordable(&shape)?;
    one(x.rearranged(shape, |i| i / count * extent + indices[i % count])?)
}
