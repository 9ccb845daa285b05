//! An operator with the values of all its fields: the data behind a `DML_OPERATOR_DESC`.

use super::tensor::TensorDescription;
use plumbline_spec::directml::{Field, FieldKind, FieldType, Operator, TensorDataType};

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// No value; for an optional tensor or attribute, a null pointer.
    Absent,
    /// A tensor.
    Tensor(TensorDescription),
    /// An array of tensors.
    Tensors(Vec<TensorDescription>),
    /// The value of a field that is not a tensor.
    Attribute(Attribute),
}

/// An operator and a value for each of its fields, in their order. DirectML may refuse the description.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorDescription {
    operator: &'static Operator,
    values: Vec<FieldValue>,
}

impl OperatorDescription {
    /// Creates a description in which every field is absent.
    pub fn empty(operator: &'static Operator) -> OperatorDescription {
        OperatorDescription { operator, values: vec![FieldValue::Absent; operator.fields.len()] }
    }

    /// Returns the operator.
    pub fn operator(&self) -> &'static Operator {
        self.operator
    }

    /// Returns the operator's name without `DML_OPERATOR_`.
    pub fn name(&self) -> &'static str {
        self.operator.short_name()
    }

    /// Iterates over the fields and their values, in the order of declaration.
    pub fn fields(&self) -> impl Iterator<Item = (&'static Field, &FieldValue)> {
        self.operator.fields.iter().zip(&self.values)
    }

    /// Returns the value of a field; `None` if the operator has no such field.
    pub fn get(&self, name: &str) -> Option<&FieldValue> {
        self.fields().find(|(field, _)| field.name == name).map(|(_, value)| value)
    }

    /// Returns the value of a field for writing; `None` if the operator has no such field.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut FieldValue> {
        let at = self.operator.fields.iter().position(|field| field.name == name)?;
        self.values.get_mut(at)
    }

    /// Returns the tensor in a field; `None` if the field does not exist, is absent or holds something else.
    pub fn tensor(&self, name: &str) -> Option<&TensorDescription> {
        match self.get(name)? {
            FieldValue::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Returns the tensors in a field, which may hold an array of tensors or one tensor; empty for anything else.
    pub fn tensors(&self, name: &str) -> &[TensorDescription] {
        match self.get(name) {
            Some(FieldValue::Tensors(tensors)) => tensors,
            Some(FieldValue::Tensor(tensor)) => std::slice::from_ref(tensor),
            _ => &[],
        }
    }

    /// Returns the attribute in a field; `None` if the field does not exist, is absent or holds a tensor.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        match self.get(name)? {
            FieldValue::Attribute(attribute) => Some(attribute),
            _ => None,
        }
    }

    /// Returns the value of a `UINT`, the number of an enumeration's value, or a `BOOL` as 0 or 1.
    pub fn uint(&self, name: &str) -> Option<u32> {
        match self.attribute(name)? {
            Attribute::Uint(value) => Some(*value),
            Attribute::Bool(value) => Some(u32::from(*value)),
            _ => None,
        }
    }

    /// Returns the values of an array of `UINT`.
    pub fn uints(&self, name: &str) -> Option<&[u32]> {
        match self.attribute(name)? {
            Attribute::UintArray(values) => Some(values),
            _ => None,
        }
    }

    /// Returns the value of a `FLOAT`.
    pub fn float(&self, name: &str) -> Option<f32> {
        match self.attribute(name)? {
            Attribute::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the value of a `BOOL`.
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.attribute(name)? {
            Attribute::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the input tensors in the order of their binding indices. A field that is an array has one binding index
    /// for each element, any other field has one. `None` stands for a tensor that is left out.
    pub fn inputs(&self) -> Vec<Option<&TensorDescription>> {
        self.places(FieldKind::InputTensor).into_iter().map(|(_, tensor)| tensor).collect()
    }

    /// Returns the output tensors in the order of their binding indices, like [`OperatorDescription::inputs`].
    pub fn outputs(&self) -> Vec<Option<&TensorDescription>> {
        self.places(FieldKind::OutputTensor).into_iter().map(|(_, tensor)| tensor).collect()
    }

    /// Returns the binding index of the first tensor of a field, counted among the inputs or among the outputs.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let kind = self.operator.field(name)?.kind;
        self.places(kind).into_iter().position(|(field, _)| field.name == name)
    }

    /// Returns the field and the tensor at each binding index of this kind; the tensor is `None` if it is left out.
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

/// The value of an attribute, with the type of its field. An enumeration is stored as its number.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Attribute {
    Uint(u32),
    UintArray(Vec<u32>),
    Int(i32),
    IntArray(Vec<i32>),
    Float(f32),
    FloatArray(Vec<f32>),
    Bool(bool),
    ScaleBias(ScaleBias),
    Scalar(Scalar),
    Size2d(Size2d),
    Operator(Box<OperatorDescription>),
    Operators(Vec<OperatorDescription>),
}

/// `DML_SCALE_BIAS`: the element-wise operator `f` computes `f(x * scale + bias)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleBias {
    /// The factor.
    pub scale: f32,
    /// The summand.
    pub bias: f32,
}

/// `DML_SIZE_2D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Size2d {
    pub width: u32,
    pub height: u32,
}

/// `DML_SCALAR_UNION`: the bytes of one element, little-endian, padded with zeros. Another field of the operator gives
/// the element's type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scalar(pub [u8; 8]);

impl Scalar {
    /// Makes a scalar of at most 8 bytes; returns `None` if there are more.
    pub fn of_bytes(bytes: &[u8]) -> Option<Scalar> {
        let mut scalar = Scalar::default();
        scalar.0.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(scalar)
    }

    /// Returns the bytes of an element of this type; the slice is empty for 4-bit types and `UNKNOWN`.
    pub fn bytes(&self, data_type: TensorDataType) -> &[u8] {
        &self.0[..data_type.bits().map_or(0, |bits| bits as usize / 8)]
    }
}

macro_rules! scalars {
    ($($t:ty)*) => {$(
        impl From<$t> for Scalar {
            fn from(value: $t) -> Scalar {
                let mut scalar = Scalar::default();
                scalar.0[..size_of::<$t>()].copy_from_slice(&value.to_le_bytes());
                scalar
            }
        }
    )*};
}

scalars! { f32 f64 u8 u16 u32 u64 i8 i16 i32 i64 }

impl Attribute {
    /// Returns whether this value fits the type of the field.
    pub fn is_of(&self, field: &Field) -> bool {
        use FieldType::*;
        match (self, field.type_) {
            (Attribute::Bool(_), Bool | Uint) => field.is_bool(),
            (Attribute::Uint(_), Uint) => !field.is_bool(),
            (Attribute::UintArray(_), UintArray)
            | (Attribute::Int(_), Int)
            | (Attribute::IntArray(_), IntArray)
            | (Attribute::Float(_), Float)
            | (Attribute::FloatArray(_), FloatArray)
            | (Attribute::ScaleBias(_), ScaleBias)
            | (Attribute::Scalar(_), ScalarUnion)
            | (Attribute::Size2d(_), Size2d)
            | (Attribute::Operator(_), OperatorDesc)
            | (Attribute::Operators(_), OperatorDescArray) => true,
            _ => false,
        }
    }

    /// Returns the number of elements of an array; `None` for any other value.
    pub fn array_length(&self) -> Option<usize> {
        match self {
            Attribute::UintArray(values) => Some(values.len()),
            Attribute::IntArray(values) => Some(values.len()),
            Attribute::FloatArray(values) => Some(values.len()),
            Attribute::Operators(values) => Some(values.len()),
            _ => None,
        }
    }
}

/// Returns the type that a field is declared with, such as `UINT` or `UINT[DimensionCount]`.
pub(super) fn declared(field: &Field) -> String {
    let element = field.c_type.trim_start_matches("const ").trim_end_matches('*');
    match &field.array_length_field {
        Some(length) => format!("{element}[{length}]"),
        None => element.to_owned(),
    }
}
