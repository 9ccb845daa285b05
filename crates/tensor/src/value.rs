//! The values that flow between operators: dense and sparse tensors, sequences, optional values and maps.

use crate::{DType, SparseTensor, Tensor};

/// A value of any ONNX type except the opaque types.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A dense tensor.
    Tensor(Tensor),
    /// A sequence of elements of type `element`.
    Sequence {
        /// The type of every element.
        element: ValueKind,
        /// The elements.
        items: Vec<Value>,
    },
    /// An optional value. If it is present, it has the type `element`.
    Optional {
        /// The type of the value.
        element: ValueKind,
        /// The value, if it is present.
        item: Option<Box<Value>>,
    },
    /// A map from integers or strings to values of one type.
    Map {
        /// The keys, in their given order.
        keys: MapKeys,
        /// The type of every value.
        element: ValueKind,
        /// The values, one for each key.
        items: Vec<Value>,
    },
    /// A sparse tensor.
    SparseTensor(SparseTensor),
}

/// The keys of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapKeys {
    /// Keys of this integer type.
    Integers(DType, Vec<i64>),
    /// Keys that are strings, as bytes.
    Strings(Vec<Vec<u8>>),
}

/// The type of a value, without shapes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// A dense tensor of this element type.
    Tensor(DType),
    /// A sparse tensor of this element type.
    SparseTensor(DType),
    /// A sequence of elements of this type.
    Sequence(Box<ValueKind>),
    /// An optional value of this type.
    Optional(Box<ValueKind>),
    /// A map with keys and values of these types.
    Map(DType, Box<ValueKind>),
}

impl MapKeys {
    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match self {
            MapKeys::Integers(_, keys) => keys.len(),
            MapKeys::Strings(keys) => keys.len(),
        }
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ValueKind {
    /// Returns the element type of a tensor or sparse tensor, or `None` for other types.
    pub fn dtype(&self) -> Option<DType> {
        match self {
            ValueKind::Tensor(dtype) | ValueKind::SparseTensor(dtype) => Some(*dtype),
            _ => None,
        }
    }
}

impl Value {
    /// Returns the type of this value.
    pub fn kind(&self) -> ValueKind {
        match self {
            Value::Tensor(tensor) => ValueKind::Tensor(tensor.dtype()),
            Value::Sequence { element, .. } => ValueKind::Sequence(Box::new(element.clone())),
            Value::Optional { element, .. } => ValueKind::Optional(Box::new(element.clone())),
            Value::Map { keys, element, .. } => {
                let key = match keys {
                    MapKeys::Integers(dtype, _) => *dtype,
                    MapKeys::Strings(_) => DType::String,
                };
                ValueKind::Map(key, Box::new(element.clone()))
            }
            Value::SparseTensor(sparse) => ValueKind::SparseTensor(sparse.dtype()),
        }
    }

    /// Returns a sequence of these values, or `None` if one of them is not of type `element`.
    pub fn sequence(element: ValueKind, items: Vec<Value>) -> Option<Value> {
        items.iter().all(|item| item.kind() == element).then_some(Value::Sequence { element, items })
    }

    /// Returns a sequence of tensors, or `None` if one of them has another element type.
    pub fn tensor_sequence(dtype: DType, tensors: Vec<Tensor>) -> Option<Value> {
        Value::sequence(ValueKind::Tensor(dtype), tensors.into_iter().map(Value::Tensor).collect())
    }

    /// Returns an optional that holds this value.
    pub fn some(value: Value) -> Value {
        Value::Optional { element: value.kind(), item: Some(Box::new(value)) }
    }

    /// Returns an empty optional of this type.
    pub fn none(element: ValueKind) -> Value {
        Value::Optional { element, item: None }
    }

    /// Returns the element type of a tensor or sparse tensor, or `None` for other values.
    pub fn dtype(&self) -> Option<DType> {
        match self {
            Value::Tensor(tensor) => Some(tensor.dtype()),
            Value::SparseTensor(sparse) => Some(sparse.dtype()),
            _ => None,
        }
    }

    /// Returns the elements of a sequence, or `None` for other values.
    pub fn as_sequence(&self) -> Option<&[Value]> {
        match self {
            Value::Sequence { items, .. } => Some(items),
            _ => None,
        }
    }

    /// Returns the value of an optional: `Some(None)` for an empty optional, and `None` if this is not an optional.
    pub fn as_optional(&self) -> Option<Option<&Value>> {
        match self {
            Value::Optional { item, .. } => Some(item.as_deref()),
            _ => None,
        }
    }

    /// Returns the tensor without a copy, or `None` for other values.
    pub fn into_tensor(self) -> Option<Tensor> {
        match self {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Returns all dense tensors inside the value, in order. For a sparse tensor, these are its values without the
    /// indices. The keys of maps are left out.
    pub fn tensors(&self) -> Vec<&Tensor> {
        match self {
            Value::Tensor(tensor) => vec![tensor],
            Value::Sequence { items, .. } | Value::Map { items, .. } => items.iter().flat_map(Value::tensors).collect(),
            Value::Optional { item, .. } => item.iter().flat_map(|item| item.tensors()).collect(),
            Value::SparseTensor(sparse) => vec![sparse.values()],
        }
    }

    /// Returns the tensor, or `None` for other values.
    pub fn as_tensor(&self) -> Option<&Tensor> {
        match self {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Value {
        Value::Tensor(tensor)
    }
}
