use crate::families::sequence::sequence;
use crate::prelude::*;

/// Returns the number of tensors in a sequence.
///
/// The only version is 11.
pub fn sequence_length(call: &Call) -> Answer {
    let (_, items) = sequence(call, "input_sequence")?;
    one(Tensor::from_i64s(&[items.len() as i64]).reshaped(vec![])?.into())
}
