//! Support for operators that only move elements, whatever their type: a number is moved as an integer with the same
//! bits, and a string as its index in a table.

use std::collections::HashMap;

use plumbline_tensor::DType;

use crate::array::Array;
use crate::node::Outputs;
use plumbline_graph::Refusal;

/// Replaces strings by numbers, equal strings by equal numbers, and the empty string by 0. Also returns the table that
/// turns the numbers into strings again.
pub fn interned(arrays: &[&Array]) -> Result<(Vec<Array>, Vec<Vec<u8>>), Refusal> {
    let mut table = vec![Vec::new()];
    let mut known: HashMap<Vec<u8>, u64> = HashMap::from([(Vec::new(), 0)]);
    let mut number = |string: &Vec<u8>| {
        *known.entry(string.clone()).or_insert_with(|| {
            table.push(string.clone());
            table.len() as u64 - 1
        })
    };
    let mut numbers = Vec::with_capacity(arrays.len());
    for array in arrays {
        let places: Vec<u64> = array.strings().iter().map(&mut number).collect();
        numbers.push(Array::from_elements(DType::Uint64, array.shape(), &places)?);
    }
    Ok((numbers, table))
}

/// Runs a function that moves the elements of `data`, which must all have the same type. Strings are replaced by
/// numbers for `run`, and the numbers in its outputs by strings.
pub fn on_bits(data: &[&Array], run: impl Fn(&[Array]) -> Result<Vec<Array>, Refusal>) -> Outputs {
    if data.first().is_none_or(|array| array.dtype() != DType::String) {
        let data: Vec<Array> = data.iter().map(|&array| array.clone()).collect();
        return Ok(run(&data)?.into_iter().map(Into::into).collect());
    }
    let (numbers, table) = interned(data)?;
    let back = |array: Array| {
        let strings = array.slice::<u64>().iter().map(|&n| table.get(n as usize).cloned().unwrap_or_default());
        Ok(Array::strings_of(array.shape(), strings.collect())?.into())
    };
    run(&numbers)?.into_iter().map(back).collect()
}
