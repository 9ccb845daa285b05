//! What flows between the nodes of a graph: a value of any ONNX type with what is accepted in its place.

use std::sync::Arc;

use plumbline_tensor::{MapKeys, Value, ValueKind};

use super::expected::Expected;
use super::number::Allowed;
use crate::{Label, Refusal};

/// A value of any type with what is accepted in its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A dense tensor.
    Tensor(Arc<Expected>),
    /// A sequence.
    Sequence {
        /// Type of every element.
        element: ValueKind,
        /// The elements.
        items: Vec<Operand>,
    },
    /// An optional value.
    Optional {
        /// Type of the value.
        element: ValueKind,
        /// The value, or none.
        item: Option<Box<Operand>>,
    },
    /// A map.
    Map {
        /// The keys.
        keys: MapKeys,
        /// Type of every value.
        element: ValueKind,
        /// The values, one a key.
        items: Vec<Operand>,
    },
    /// A value that only moves: a sparse tensor.
    Other(Value),
}

impl Operand {
    /// The tensor, where it is one.
    pub fn tensor(&self) -> Result<&Expected, Refusal> {
        match self {
            Operand::Tensor(tensor) => Ok(tensor),
            other => Err(Refusal::failed(format!("a tensor is wanted, this is {}", other.kind()))),
        }
    }

    /// Calls `f` with each latitude of an element. Random outputs have none: what they are drawn from judges them.
    pub(super) fn each_latitude(&self, f: &mut impl FnMut(Label, &Allowed)) {
        match self {
            Operand::Tensor(tensor) if tensor.random.is_some() => {}
            Operand::Tensor(tensor) => tensor.latitude.iter().for_each(|(_, l)| f(l.label, &l.allowed)),
            Operand::Sequence { items, .. } | Operand::Map { items, .. } => {
                items.iter().for_each(|item| item.each_latitude(f));
            }
            Operand::Optional { item, .. } => item.iter().for_each(|item| item.each_latitude(f)),
            Operand::Other(_) => {}
        }
    }

    /// Its type.
    pub fn kind(&self) -> ValueKind {
        match self {
            Operand::Tensor(tensor) => ValueKind::Tensor(tensor.dtype()),
            Operand::Sequence { element, .. } => ValueKind::Sequence(Box::new(element.clone())),
            Operand::Optional { element, .. } => ValueKind::Optional(Box::new(element.clone())),
            Operand::Map { keys, element, .. } => {
                let key = match keys {
                    MapKeys::Integers(dtype, _) => *dtype,
                    MapKeys::Strings(_) => plumbline_tensor::DType::String,
                };
                ValueKind::Map(key, Box::new(element.clone()))
            }
            Operand::Other(value) => value.kind(),
        }
    }

    /// The preferred answer alone.
    pub fn to_value(&self) -> Value {
        match self {
            Operand::Tensor(tensor) => Value::Tensor(tensor.tensor.clone()),
            Operand::Sequence { element, items } => {
                Value::Sequence { element: element.clone(), items: items.iter().map(Operand::to_value).collect() }
            }
            Operand::Optional { element, item } => {
                Value::Optional { element: element.clone(), item: item.as_ref().map(|i| Box::new(i.to_value())) }
            }
            Operand::Map { keys, element, items } => Value::Map {
                keys: keys.clone(),
                element: element.clone(),
                items: items.iter().map(Operand::to_value).collect(),
            },
            Operand::Other(value) => value.clone(),
        }
    }
}

impl From<Expected> for Operand {
    fn from(tensor: Expected) -> Operand {
        Operand::Tensor(Arc::new(tensor))
    }
}

impl From<&Value> for Operand {
    fn from(value: &Value) -> Operand {
        match value {
            Value::Tensor(tensor) => Operand::Tensor(Arc::new(tensor.clone().into())),
            Value::Sequence { element, items } => {
                Operand::Sequence { element: element.clone(), items: items.iter().map(Operand::from).collect() }
            }
            Value::Optional { element, item } => Operand::Optional {
                element: element.clone(),
                item: item.as_ref().map(|i| Box::new(Operand::from(i.as_ref()))),
            },
            Value::Map { keys, element, items } => Operand::Map {
                keys: keys.clone(),
                element: element.clone(),
                items: items.iter().map(Operand::from).collect(),
            },
            other => Operand::Other(other.clone()),
        }
    }
}
