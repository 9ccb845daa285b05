//! An unfinished description, with the contents of its tensors.

use super::{Plain, all};
use plumbline_directml::{Attribute, FieldValue, OperatorDescription, Scalar, TensorDescription};
use plumbline_spec::directml::TensorDataType;
use std::collections::BTreeMap;

/// An unfinished description.
pub struct Draft {
    pub description: OperatorDescription,
    /// The contents of tensors, by field and index within the field; random where a tensor has no entry.
    pub contents: BTreeMap<(&'static str, usize), Vec<f64>>,
    /// The contents that the inputs had when the operator ran.
    pub read: BTreeMap<(&'static str, usize), Plain>,
    state: u64,
}

impl Draft {
    /// Creates a draft; the seed determines all random numbers.
    pub fn new(description: OperatorDescription, seed: &str) -> Draft {
        let mix = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let state = seed.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
        Draft { description, contents: BTreeMap::new(), read: BTreeMap::new(), state }
    }

    /// Returns a random number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    /// Returns a random boolean.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn has(&self, field: &str) -> bool {
        !self.description.tensors(field).is_empty()
    }

    pub fn data_type(&self, field: &str) -> TensorDataType {
        self.description.tensors(field)[0].data_type
    }

    pub fn is_float(&self, field: &str) -> bool {
        use TensorDataType::*;
        [Float16, Float32, Float64].contains(&self.data_type(field))
    }

    pub fn rank(&self, field: &str) -> usize {
        self.description.tensors(field)[0].sizes.len()
    }

    pub fn sizes(&self, field: &str) -> Vec<usize> {
        self.sizes_of(field, 0)
    }

    pub fn sizes_of(&self, field: &str, nth: usize) -> Vec<usize> {
        self.description.tensors(field)[nth].sizes.iter().map(|&size| size as usize).collect()
    }

    /// Changes the element type of a tensor.
    pub fn retype(&mut self, field: &str, data_type: TensorDataType) {
        let sizes = self.sizes(field);
        self.add(field, data_type, &sizes);
    }

    /// Changes the sizes of a tensor, if it is set.
    pub fn resize(&mut self, field: &str, sizes: &[usize]) {
        if self.has(field) {
            self.resize_all(field, &[sizes.to_vec()]);
        }
    }

    /// Replaces the tensors of a field by tensors with these sizes.
    pub fn resize_all(&mut self, field: &str, sizes: &[Vec<usize>]) {
        let data_type = self.data_type(field);
        let one = |sizes: &Vec<usize>| {
            let sizes: Vec<u32> = sizes.iter().map(|&size| size as u32).collect();
            TensorDescription::packed(data_type, sizes)
        };
        let mut tensors: Vec<TensorDescription> = sizes.iter().map(one).collect();
        let value = self.description.get_mut(field).unwrap();
        *value = match value {
            FieldValue::Tensors(_) => FieldValue::Tensors(tensors),
            _ => FieldValue::Tensor(tensors.remove(0)),
        };
    }

    /// Adds an optional tensor, or replaces a tensor.
    pub fn add(&mut self, field: &str, data_type: TensorDataType, sizes: &[usize]) {
        let sizes: Vec<u32> = sizes.iter().map(|&size| size as u32).collect();
        *self.description.get_mut(field).unwrap() = FieldValue::Tensor(TensorDescription::packed(data_type, sizes));
    }

    /// Returns random sizes for a tensor of this rank.
    pub fn some_sizes(&mut self, rank: usize) -> Vec<usize> {
        let many = rank > 4;
        (0..rank).map(|_| 1 + self.below(if many { 2 } else { 3 })).collect()
    }

    /// Gives every tensor the same random sizes.
    pub fn same(&mut self) {
        let names: Vec<&'static str> = self.description.operator().tensors().map(|f| f.name.as_str()).collect();
        let first = names.iter().find(|name| self.has(name)).unwrap();
        let sizes = self.some_sizes(self.rank(first));
        names.into_iter().for_each(|name| self.resize(name, &sizes));
    }

    /// Sets the contents of a tensor.
    pub fn fill(&mut self, field: &'static str, values: Vec<f64>) {
        self.contents.insert((field, 0), values);
    }

    /// Sets the contents of a tensor with a function of the index.
    pub fn fill_by(&mut self, field: &'static str, mut f: impl FnMut(&mut Draft, &[usize]) -> f64) {
        let values = all(&self.sizes(field)).iter().map(|index| f(self, index)).collect();
        self.fill(field, values);
    }

    /// Returns a random number for an element of this type.
    pub fn value(&mut self, data_type: TensorDataType) -> f64 {
        use TensorDataType::*;
        match data_type {
            Float16 | Float32 | Float64 => (self.below(33) as f64 - 16.0) / 4.0,
            Int8 | Int16 | Int32 | Int64 | Int4 => self.below(15) as f64 - 7.0,
            _ => self.below(15) as f64,
        }
    }

    pub fn set(&mut self, field: &str, value: Attribute) {
        *self.description.get_mut(field).unwrap() = FieldValue::Attribute(value);
    }

    pub fn set_uint(&mut self, field: &str, value: usize) {
        self.set(field, Attribute::Uint(value as u32));
    }

    pub fn set_uints(&mut self, field: &str, values: &[usize]) {
        self.set(field, Attribute::UintArray(values.iter().map(|&value| value as u32).collect()));
    }

    pub fn set_float(&mut self, field: &str, value: f32) {
        self.set(field, Attribute::Float(value));
    }

    pub fn set_bool(&mut self, field: &str, value: bool) {
        self.set(field, Attribute::Bool(value));
    }

    /// Sets a scalar of this type.
    pub fn set_scalar(&mut self, field: &str, data_type: TensorDataType, value: f64) {
        let bytes = super::machine::bytes(data_type, value);
        self.set(field, Attribute::Scalar(Scalar::of_bytes(&bytes).unwrap()));
    }

    pub fn scalar(&self, field: &str, data_type: TensorDataType) -> f64 {
        match self.description.attribute(field) {
            Some(Attribute::Scalar(scalar)) => super::machine::number(data_type, scalar.bytes(data_type)),
            other => panic!("{field}: {other:?}"),
        }
    }

    pub fn uint(&self, field: &str) -> usize {
        self.description.uint(field).unwrap() as usize
    }

    pub fn uints(&self, field: &str) -> Vec<usize> {
        self.description.uints(field).unwrap().iter().map(|&value| value as usize).collect()
    }

    pub fn float(&self, field: &str) -> f64 {
        self.description.float(field).unwrap().into()
    }

    pub fn input(&self, field: &'static str) -> &Plain {
        &self.read[&(field, 0)]
    }

    pub fn optional(&self, field: &'static str) -> Option<&Plain> {
        self.read.get(&(field, 0))
    }

    /// Computes each element of an output with `f`.
    pub fn output(&self, field: &str, f: impl FnMut(&[usize]) -> f64) -> Plain {
        let sizes = self.sizes(field);
        let data = all(&sizes).iter().map(|index| index.as_slice()).map(f).collect();
        Plain { sizes, data }
    }
}
