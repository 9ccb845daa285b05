//! An operator with all its fields: what `DML_OPERATOR_DESC` points to.

use super::attribute::Attribute;
use super::builder::DescriptionBuilder;
use super::tensor::TensorDescription;
use plumbline_spec::directml::{Field, FieldKind, Operator};

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A null pointer: an optional tensor or attribute that is left out.
    Absent,
    /// A tensor.
    Tensor(TensorDescription),
    /// An array of tensors.
    Tensors(Vec<TensorDescription>),
    /// Anything else.
    Attribute(Attribute),
}

/// An operator and a value for each of its fields, in their order. It may be one that DirectML refuses.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorDescription {
    operator: &'static Operator,
    values: Vec<FieldValue>,
}

impl OperatorDescription {
    /// Begins the description of the operator of this name: `ELEMENT_WISE_MIN` or `DML_OPERATOR_ELEMENT_WISE_MIN`.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(operator: &str) -> DescriptionBuilder {
        DescriptionBuilder::new(operator)
    }

    /// An operator with nothing in its fields.
    pub fn empty(operator: &'static Operator) -> OperatorDescription {
        OperatorDescription { operator, values: vec![FieldValue::Absent; operator.fields.len()] }
    }

    /// The operator.
    pub fn operator(&self) -> &'static Operator {
        self.operator
    }

    /// Its name without `DML_OPERATOR_`.
    pub fn name(&self) -> &'static str {
        self.operator.short_name()
    }

    /// Its fields in order, each with its value.
    pub fn fields(&self) -> impl Iterator<Item = (&'static Field, &FieldValue)> {
        self.operator.fields.iter().zip(&self.values)
    }

    /// The value of a field; `None` if there is no such field.
    pub fn get(&self, name: &str) -> Option<&FieldValue> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }

    /// The value of a field, to change it to anything; `None` if there is no such field.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut FieldValue> {
        let at = self.operator.fields.iter().position(|field| field.name == name)?;
        self.values.get_mut(at)
    }

    /// The tensor in a field; `None` if there is none.
    pub fn tensor(&self, name: &str) -> Option<&TensorDescription> {
        match self.get(name)? {
            FieldValue::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The tensors in a field that is an array of them.
    pub fn tensors(&self, name: &str) -> &[TensorDescription] {
        match self.get(name) {
            Some(FieldValue::Tensors(tensors)) => tensors,
            Some(FieldValue::Tensor(tensor)) => std::slice::from_ref(tensor),
            _ => &[],
        }
    }

    /// The attribute in a field; `None` if there is none.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        match self.get(name)? {
            FieldValue::Attribute(attribute) => Some(attribute),
            _ => None,
        }
    }

    /// A `UINT` or the number of an enumeration's value.
    pub fn uint(&self, name: &str) -> Option<u32> {
        match self.attribute(name)? {
            Attribute::Uint(value) => Some(*value),
            Attribute::Bool(value) => Some(u32::from(*value)),
            _ => None,
        }
    }

    /// An array of `UINT`.
    pub fn uints(&self, name: &str) -> Option<&[u32]> {
        match self.attribute(name)? {
            Attribute::UintArray(values) => Some(values),
            _ => None,
        }
    }

    /// A `FLOAT`.
    pub fn float(&self, name: &str) -> Option<f32> {
        match self.attribute(name)? {
            Attribute::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// A `BOOL`.
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.attribute(name)? {
            Attribute::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// What it reads, by the index it is bound at: one for each field, as many as there are for an array; `None` for
    /// one that is left out.
    pub fn inputs(&self) -> Vec<Option<&TensorDescription>> {
        self.places(FieldKind::InputTensor).into_iter().map(|(_, tensor)| tensor).collect()
    }

    /// What it writes, by the index it is bound at.
    pub fn outputs(&self) -> Vec<Option<&TensorDescription>> {
        self.places(FieldKind::OutputTensor).into_iter().map(|(_, tensor)| tensor).collect()
    }

    /// The index that the first tensor of a field is bound at, among inputs or among outputs.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let kind = self.operator.field(name)?.kind;
        self.places(kind).into_iter().position(|(field, _)| field.name == name)
    }

    /// Each place a tensor of this kind is bound at: its field, and the tensor unless it is left out.
    pub fn places(&self, kind: FieldKind) -> Vec<(&'static Field, Option<&TensorDescription>)> {
        let mut places = Vec::new();
        for (field, value) in self.fields().filter(|(field, _)| field.is_tensor() && field.kind == kind) {
            match value {
                FieldValue::Tensor(tensor) => places.push((field, Some(tensor))),
                FieldValue::Tensors(tensors) => places.extend(tensors.iter().map(|tensor| (field, Some(tensor)))),
                FieldValue::Absent | FieldValue::Attribute(_) => places.push((field, None)),
            }
        }
        places
    }
}
