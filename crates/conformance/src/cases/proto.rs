//! Attributes as ONNX's protobuf has them.

use plumbline_spec::AttributeKind;
use plumbline_tensor::onnx::{AttributeProto, GraphProto};

/// Returns the number by which ONNX's protobuf names a type of attributes.
fn number(kind: AttributeKind) -> i32 {
    match kind {
        AttributeKind::Float => 1,
        AttributeKind::Int => 2,
        AttributeKind::String => 3,
        AttributeKind::Tensor => 4,
        AttributeKind::Graph => 5,
        AttributeKind::Floats => 6,
        AttributeKind::Ints => 7,
        AttributeKind::Strings => 8,
        AttributeKind::Tensors => 9,
        AttributeKind::Graphs => 10,
        AttributeKind::SparseTensor => 11,
        AttributeKind::SparseTensors => 12,
        AttributeKind::TypeProto => 13,
        AttributeKind::TypeProtos => 14,
    }
}

/// Returns an attribute of this type that has no value yet.
pub(crate) fn attribute(name: &str, kind: AttributeKind) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(number(kind)), ..AttributeProto::default() }
}

/// Returns an attribute with an integer.
pub(crate) fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto { i: Some(value), ..attribute(name, AttributeKind::Int) }
}

/// Returns an attribute with a list of integers.
pub(crate) fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto { ints: values.to_vec(), ..attribute(name, AttributeKind::Ints) }
}

/// Returns an attribute with a string.
pub(crate) fn string(name: &str, text: &str) -> AttributeProto {
    AttributeProto { s: Some(text.as_bytes().to_vec()), ..attribute(name, AttributeKind::String) }
}

/// Returns an attribute with a graph, which gets the name of the attribute.
pub(crate) fn graph(name: &str, graph: GraphProto) -> AttributeProto {
    let graph = GraphProto { name: Some(name.to_owned()), ..graph };
    AttributeProto { g: Some(Box::new(graph)), ..attribute(name, AttributeKind::Graph) }
}
