//! [`Operand`]: a value of any ONNX type as it flows between the nodes of a graph.

use std::sync::Arc;

use plumbline_tensor::{MapKeys, Value, ValueKind};

use super::expected::Expected;
use super::number::Allowed;
use crate::{Label, Refusal};

/// A value of any ONNX type, and what is accepted in its place. Nodes read and write operands. A tensor is an
/// [`Expected`]; sequences, optionals and maps contain operands.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A dense tensor and what is accepted in its place.
    Tensor(Arc<Expected>),
    /// A sequence of values of one type.
    Sequence {
        /// The type of every element.
        element: ValueKind,
        /// The elements.
        items: Vec<Operand>,
    },
    /// An optional value, which may be empty.
    Optional {
        /// The type of the value, even if the optional is empty.
        element: ValueKind,
        /// The value, or `None` for an empty optional.
        item: Option<Box<Operand>>,
    },
    /// A map from integers or strings to values of one type.
    Map {
        /// The keys.
        keys: MapKeys,
        /// The type of every value.
        element: ValueKind,
        /// The values, one for each key in the order of the keys.
        items: Vec<Operand>,
    },
    /// A value that operators only pass on and do not compute with: a sparse tensor.
    Other(Value),
}

impl Operand {
    /// Returns the tensor of a tensor operand, and a refusal for every other type.
    pub fn tensor(&self) -> Result<&Expected, Refusal> {
        match self {
            Operand::Tensor(tensor) => Ok(tensor),
            other => Err(Refusal::failed(format!("found {}, expected a tensor", other.kind()))),
        }
    }

    /// Calls `f` with the latitude of each element that has one. Random outputs are left out: they are judged by their
    /// distribution.
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

    /// Returns the type of the value.
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

    /// Returns the preferred answer only.
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
