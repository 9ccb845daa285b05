//! Maps: their values, and their keys as bytes that compare as the keys do.

use plumbline_tensor::MapKeys;

use crate::prelude::*;

/// Encodes an integer key as bytes that compare as the integers do. The bytes of a string key need no encoding.
pub fn key(integer: i64) -> Vec<u8> {
    (integer as u64 ^ 1 << 63).to_be_bytes().to_vec()
}

/// Decodes an integer key that [`key`] encoded.
pub fn integer(key: &[u8]) -> i64 {
    <[u8; 8]>::try_from(key).map_or(0, |bytes| (u64::from_be_bytes(bytes) ^ 1 << 63) as i64)
}

/// Returns the keys, as bytes, and the values of a map.
pub fn map(operand: &Operand) -> Result<(Vec<Vec<u8>>, &[Operand]), Refusal> {
    let Operand::Map { keys, items, .. } = operand else {
        return Err(Refusal::failed(format!("the input is {}, expected a map", operand.kind())));
    };
    let keys = match keys {
        MapKeys::Strings(keys) => keys.clone(),
        MapKeys::Integers(_, keys) => keys.iter().map(|&k| key(k)).collect(),
    };
    Ok((keys, items))
}

/// Returns the element type of a map's values.
pub fn values_of(operand: &Operand) -> DType {
    match operand {
        Operand::Map { element, .. } => element.dtype().unwrap_or(DType::Float),
        _ => DType::Float,
    }
}

/// Collects the values of a map, which are scalars of this type, in a one-dimensional tensor.
pub fn scalars(items: &[Operand], dtype: DType) -> Result<Expected, Refusal> {
    let tensors: Vec<&Expected> = items.iter().map(Operand::tensor).collect::<Result<_, _>>()?;
    if let Some(other) = tensors.iter().find(|t| t.len() != 1) {
        return Err(Refusal::invalid(format!(
            "a value of the map has shape {:?}, expected one element",
            other.shape()
        )));
    }
    let none = Expected::from(Tensor::zeros(dtype, vec![0])?);
    match tensors.is_empty() {
        true => Ok(none),
        false => Expected::assembled(vec![tensors.len()], &tensors, |i| (i, 0)),
    }
}
