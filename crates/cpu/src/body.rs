//! Graphs that belong to a node, as operators see them.

use plumbline_graph::Refusal;
use plumbline_tensor::ValueKind;
use plumbline_tensor::onnx::{
    TensorShapeProto, TensorShapeProtoDimension, TensorShapeProtoDimensionValue, TypeProtoValue, ValueInfoProto,
};

use super::array::Held;

/// An input or output of a graph, with the type and shape that the graph declares for it.
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The declared type, if there is one.
    pub kind: Option<ValueKind>,
    /// The declared extents, if all of them are numbers.
    pub shape: Option<Vec<usize>>,
}

impl Declared {
    /// Reads a declaration.
    pub fn new(info: &ValueInfoProto) -> Declared {
        let shape = match info.r#type.as_ref().and_then(|t| t.value.as_ref()) {
            Some(TypeProtoValue::TensorType(tensor)) => tensor.shape.as_ref().and_then(numbers),
            _ => None,
        };
        let kind = info.r#type.as_ref().and_then(ValueKind::from_proto);
        Declared { name: info.name.clone().unwrap_or_default(), kind, shape }
    }

    /// Refuses a value of another type than the declared one.
    pub fn takes(&self, held: &Held) -> Result<(), Refusal> {
        match &self.kind {
            Some(kind) if *kind != held.kind() => {
                Err(Refusal::invalid(format!("`{}` is {}, but the graph declares {kind}", self.name, held.kind())))
            }
            _ => Ok(()),
        }
    }
}

fn numbers(shape: &TensorShapeProto) -> Option<Vec<usize>> {
    let number = |dim: &TensorShapeProtoDimension| match dim.value {
        Some(TensorShapeProtoDimensionValue::DimValue(extent)) => usize::try_from(extent).ok(),
        _ => None,
    };
    shape.dim.iter().map(number).collect()
}

/// A graph that belongs to a node, such as a branch of If or the body of Loop.
pub trait Body {
    /// The inputs that it takes.
    fn inputs(&self) -> &[Declared];

    /// The outputs that it gives.
    fn outputs(&self) -> &[Declared];

    /// Runs it; each output has the type that the graph declares.
    fn run(&self, inputs: &[Held]) -> Result<Vec<Held>, Refusal>;
}
