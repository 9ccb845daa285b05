//! Draws values of map types.

use plumbline_spec::TypeStr;
use plumbline_tensor::{DType, MapKeys, Tensor, Value};

use super::Draw;
use crate::declarations::kind_of;
use crate::values::Values;

impl Draw<'_> {
    /// Draws a map from these keys to scalars of a type. The map keeps the order of the keys.
    pub fn map_of(&mut self, keys: &Tensor, value: &TypeStr, values: Values) -> Value {
        let count = keys.len();
        let elements = self.elements(value.leaf_dtype(), &[count], values);
        let scalar = |i: usize| match elements.dtype() {
            DType::String => Tensor::from_strings(vec![], vec![elements.strings()[i].clone()]),
            dtype => Tensor::from_bits(dtype, vec![], std::iter::once(elements.bits_at(i))),
        };
        let items =
            (0..count).map(|i| Value::Tensor(scalar(i).expect("a tensor of one element has one value"))).collect();
        let keys = match keys.dtype() {
            DType::String => MapKeys::Strings(keys.strings().to_vec()),
            dtype => MapKeys::Integers(dtype, keys.to_i128s().into_iter().map(|k| k as i64).collect()),
        };
        Value::Map { keys, element: kind_of(value), items }
    }

    /// Draws a map with up to four keys.
    pub(super) fn map(&mut self, key: DType, value: &TypeStr, values: Values) -> Value {
        let count = self.choose(&[2, 1, 4, 0]);
        let keys = self.distinct_elements(key, count);
        self.map_of(&keys, value, values)
    }

    /// Draws up to `count` elements of a type, all of them different.
    pub fn distinct_elements(&mut self, dtype: DType, count: usize) -> Tensor {
        let drawn = self.elements(dtype, &[count], Values::Any);
        let same = |i: usize, j: usize| match dtype {
            DType::String => drawn.strings()[i] == drawn.strings()[j],
            _ => drawn.bits_at(i) == drawn.bits_at(j),
        };
        let kept: Vec<usize> = (0..count).filter(|&i| !(0..i).any(|j| same(i, j))).collect();
        let tensor = match dtype {
            DType::String => {
                Tensor::from_strings(vec![kept.len()], kept.iter().map(|&i| drawn.strings()[i].clone()).collect())
            }
            _ => Tensor::from_bits(dtype, vec![kept.len()], kept.iter().map(|&i| drawn.bits_at(i))),
        };
        tensor.expect("the shape has as many elements as are kept")
    }
}
