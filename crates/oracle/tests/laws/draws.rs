//! Strategies from which the laws draw their inputs.

use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

/// Returns the configuration of a test that checks a law for this many cases.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Draws a shape of one of these ranks, without empty extents.
pub fn shape(ranks: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1usize..=4, ranks)
}

/// Draws numbers of both signs, most of them below 9 in magnitude, with whole numbers and zeros among them.
pub fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -9.0f32..9.0,
        2 => (-6i8..=6).prop_map(f32::from),
        1 => prop::sample::select(vec![0.0f32, -0.0, 1e-3, -250.5, 1234.5, -0.125]),
    ]
}

/// Draws a tensor of float of this shape.
pub fn tensors(shape: &[usize]) -> impl Strategy<Value = Tensor> + use<> {
    let shape = shape.to_vec();
    prop::collection::vec(number(), shape.iter().product::<usize>())
        .prop_map(move |values| Tensor::from_f32s(shape.clone(), &values).unwrap())
}

/// Draws a tensor of float of one of these ranks.
pub fn floats(ranks: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Tensor> {
    shape(ranks).prop_flat_map(|shape| tensors(&shape))
}

/// Draws a tensor of small whole numbers as float, whose sums and products are exact.
pub fn whole(shape: &[usize]) -> impl Strategy<Value = Tensor> + use<> {
    let shape = shape.to_vec();
    prop::collection::vec((-6i8..=6).prop_map(f32::from), shape.iter().product::<usize>())
        .prop_map(move |values| Tensor::from_f32s(shape.clone(), &values).unwrap())
}

/// Draws a tensor of this type and shape with arbitrary bits.
pub fn bits(dtype: DType, shape: &[usize]) -> impl Strategy<Value = Tensor> + use<> {
    let shape = shape.to_vec();
    let mask = if dtype == DType::Bool { 1 } else { u64::MAX };
    prop::collection::vec(any::<u64>(), shape.iter().product::<usize>())
        .prop_map(move |bits| Tensor::from_bits(dtype, shape.clone(), bits.iter().map(|b| b & mask)).unwrap())
}

/// Returns a vector of int64.
pub fn ints(values: &[i64]) -> Tensor {
    Tensor::from_i64s(values)
}

/// Returns a scalar of int64.
pub fn int(value: i64) -> Tensor {
    Tensor::from_i64(value)
}

/// Returns a tensor of float.
pub fn float(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_f32s(shape.to_vec(), values).unwrap()
}

/// Returns a vector of strings.
pub fn strings<S: AsRef<str>>(values: &[S]) -> Tensor {
    let values = values.iter().map(|s| s.as_ref().as_bytes().to_vec()).collect::<Vec<_>>();
    Tensor::from_strings(vec![values.len()], values).unwrap()
}

/// Returns a scalar of bool.
pub fn truth(value: bool) -> Tensor {
    Tensor::from_i128s(DType::Bool, vec![], &[i128::from(value)]).unwrap()
}
