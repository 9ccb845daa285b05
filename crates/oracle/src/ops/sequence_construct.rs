use plumbline_tensor::ValueKind;

use crate::families::sequence::sequence_of;
use crate::prelude::*;

/// Makes a sequence of the given tensors, in order.
///
/// The only version is 11.
pub fn sequence_construct(call: &Call) -> Answer {
    let tensors = call.tensors("inputs")?;
    let Some(first) = tensors.first() else { return Err(Refusal::invalid("no input is given")) };
    let items = tensors.iter().map(|&t| t.clone().into()).collect();
    sequence_of(&ValueKind::Tensor(first.dtype()), items)
}
