//! What flows between operators: tensors, sequences, optional values and maps.

use crate::{DType, SparseTensor, Tensor};

/// A value of any ONNX type.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A dense tensor.
    Tensor(Tensor),
    /// A sequence; its elements have the type `element`.
    Sequence {
        /// Type of every element.
        element: ValueKind,
        /// The elements.
        items: Vec<Value>,
    },
    /// An optional value; `element` is the type it has when there is one.
    Optional {
        /// Type of the value.
        element: ValueKind,
        /// The value, or none.
        item: Option<Box<Value>>,
    },
    /// A map from integers or strings to values of one type.
    Map {
        /// The keys, in the order they were given.
        keys: MapKeys,
        /// The type of every value.
        element: ValueKind,
        /// The values, one a key.
        items: Vec<Value>,
    },
    /// A sparse tensor.
    SparseTensor(SparseTensor),
}

/// Keys of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapKeys {
    /// Integers of an integer type.
    Integers(DType, Vec<i64>),
    /// Strings.
    Strings(Vec<Vec<u8>>),
}

/// Type of a value, without shapes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// A dense tensor of this element type.
    Tensor(DType),
    /// A sparse tensor of this element type.
    SparseTensor(DType),
    /// A sequence of this.
    Sequence(Box<ValueKind>),
    /// An optional of this.
    Optional(Box<ValueKind>),
    /// A map with keys of this type.
    Map(DType, Box<ValueKind>),
}

impl MapKeys {
    /// Number of keys.
    pub fn len(&self) -> usize {
        match self {
            MapKeys::Integers(_, keys) => keys.len(),
            MapKeys::Strings(keys) => keys.len(),
        }
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ValueKind {
    /// The element type of a tensor or sparse tensor.
    pub fn dtype(&self) -> Option<DType> {
        match self {
            ValueKind::Tensor(dtype) | ValueKind::SparseTensor(dtype) => Some(*dtype),
            _ => None,
        }
    }
}

impl Value {
    /// The type of this value.
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

    /// A sequence of these values; `None` where they are not all of type `element`.
    pub fn sequence(element: ValueKind, items: Vec<Value>) -> Option<Value> {
        items.iter().all(|item| item.kind() == element).then_some(Value::Sequence { element, items })
    }

    /// A sequence of tensors of one element type; `None` where there are others.
    pub fn tensor_sequence(dtype: DType, tensors: Vec<Tensor>) -> Option<Value> {
        Value::sequence(ValueKind::Tensor(dtype), tensors.into_iter().map(Value::Tensor).collect())
    }

    /// An optional that holds this value.
    pub fn some(value: Value) -> Value {
        Value::Optional { element: value.kind(), item: Some(Box::new(value)) }
    }

    /// An empty optional of this type.
    pub fn none(element: ValueKind) -> Value {
        Value::Optional { element, item: None }
    }

    /// The element type of a tensor or sparse tensor.
    pub fn dtype(&self) -> Option<DType> {
        match self {
            Value::Tensor(tensor) => Some(tensor.dtype()),
            Value::SparseTensor(sparse) => Some(sparse.dtype()),
            _ => None,
        }
    }

    /// The elements of a sequence.
    pub fn as_sequence(&self) -> Option<&[Value]> {
        match self {
            Value::Sequence { items, .. } => Some(items),
            _ => None,
        }
    }

    /// What an optional holds: `None` where this is no optional, `Some(None)` where it is empty.
    pub fn as_optional(&self) -> Option<Option<&Value>> {
        match self {
            Value::Optional { item, .. } => Some(item.as_deref()),
            _ => None,
        }
    }

    /// The tensor, where it is one, without a copy.
    pub fn into_tensor(self) -> Option<Tensor> {
        match self {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Every tensor inside, in order.
    pub fn tensors(&self) -> Vec<&Tensor> {
        match self {
            Value::Tensor(tensor) => vec![tensor],
            Value::Sequence { items, .. } | Value::Map { items, .. } => items.iter().flat_map(Value::tensors).collect(),
            Value::Optional { item, .. } => item.iter().flat_map(|item| item.tensors()).collect(),
            Value::SparseTensor(sparse) => vec![sparse.values()],
        }
    }

    /// The tensor, where it is one.
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
