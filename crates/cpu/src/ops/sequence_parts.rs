//! Conversion between tensors and sequences of their parts: ConcatFromSequence and SplitToSequence.

use plumbline_tensor::ValueKind;

use super::axes::{axis, extent};
use super::control::{array, stacked};
use super::layout::{joined, pieces};
use super::sequences::{sequence, sequence_of};
use crate::array::{Array, Held};
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] =
    &[("ConcatFromSequence", concat_from_sequence), ("SplitToSequence", split_to_sequence)];

fn concat_from_sequence(node: &Node) -> Outputs {
    let (_, items) = sequence(node, 0)?;
    let held = items.iter().map(Held::from_value).collect::<Result<Vec<_>, _>>()?;
    let arrays = held.iter().map(array).collect::<Result<Vec<_>, _>>()?;
    let Some(rank) = arrays.first().map(|array| array.rank()) else {
        return Err(Refusal::unsupported("the sequence is empty, so that the shape of the result is not known"));
    };
    match node.int("new_axis") {
        0 => joined(&arrays, axis(node.int("axis"), rank)?),
        1 => stacked(&arrays, axis(node.int("axis"), rank + 1)?),
        other => Err(Refusal::unsupported(format!("`new_axis` is {other}, expected 0 or 1"))),
    }
}

/// Returns the lengths of the parts. `split` is a list of them, or one length for all parts but the last, which may be
/// shorter.
fn lengths(split: &Array, whole: usize) -> Result<Vec<usize>, Refusal> {
    let wrong =
        || Refusal::invalid(format!("`split` of shape {:?} does not split an extent of {whole}", split.shape()));
    let given = split.to_i64s()?.into_iter().map(extent).collect::<Result<Vec<_>, _>>()?;
    match (split.rank(), &given[..]) {
        (0, &[length]) if length > 0 => Ok((0..whole).step_by(length).map(|at| length.min(whole - at)).collect()),
        (1, _) if given.iter().try_fold(0usize, |sum, &n| sum.checked_add(n)) == Some(whole) => Ok(given),
        _ => Err(wrong()),
    }
}

/// Computes SplitToSequence. Without the input `split` there is a part for each index of the axis, and `keepdims` says
/// whether the parts keep the axis.
fn split_to_sequence(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axis = axis(node.int("axis"), data.rank())?;
    let whole = data.shape()[axis];
    let (lengths, keeps) = match node.optional(1)? {
        Some(split) => (lengths(split, whole)?, true),
        None => (vec![1; whole], node.int("keepdims") != 0),
    };
    if lengths.is_empty() {
        return Err(Refusal::unsupported("the axis is empty, so that there is nothing to split"));
    }
    let mut items = pieces(data, axis, &lengths, 0)?;
    if !keeps {
        let mut shape = data.shape().to_vec();
        shape.remove(axis);
        items = items.iter().map(|part| Ok(array(part)?.reshaped(&shape)?.into())).collect::<Result<_, Refusal>>()?;
    }
    sequence_of(ValueKind::Tensor(data.dtype()), &items)
}
