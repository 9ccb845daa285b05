//! Converts types of values to and from `TypeProto`.

use crate::onnx::{
    TypeProto, TypeProtoMap, TypeProtoOptional, TypeProtoSequence, TypeProtoSparseTensor, TypeProtoTensor,
    TypeProtoValue,
};
use crate::{DType, ValueKind};

impl ValueKind {
    /// Returns the message for this type, without a shape.
    pub fn to_proto(&self) -> TypeProto {
        let value = match self {
            ValueKind::Tensor(d) => {
                TypeProtoValue::TensorType(TypeProtoTensor { elem_type: Some(d.code()), shape: None })
            }
            ValueKind::SparseTensor(d) => {
                TypeProtoValue::SparseTensorType(TypeProtoSparseTensor { elem_type: Some(d.code()), shape: None })
            }
            ValueKind::Sequence(of) => {
                TypeProtoValue::SequenceType(TypeProtoSequence { elem_type: Some(Box::new(of.to_proto())) })
            }
            ValueKind::Optional(of) => {
                TypeProtoValue::OptionalType(TypeProtoOptional { elem_type: Some(Box::new(of.to_proto())) })
            }
            ValueKind::Map(key, of) => TypeProtoValue::MapType(TypeProtoMap {
                key_type: Some(key.code()),
                value_type: Some(Box::new(of.to_proto())),
            }),
        };
        TypeProto { denotation: None, value: Some(value) }
    }

    /// Returns the type that a message states, or `None` if the type is absent, incomplete or opaque, or has an element
    /// type that ONNX does not define.
    pub fn from_proto(proto: &TypeProto) -> Option<ValueKind> {
        let boxed = |p: &Option<Box<TypeProto>>| ValueKind::from_proto(p.as_deref()?).map(Box::new);
        Some(match proto.value.as_ref()? {
            TypeProtoValue::TensorType(t) => ValueKind::Tensor(DType::from_code(t.elem_type?)?),
            TypeProtoValue::SparseTensorType(t) => ValueKind::SparseTensor(DType::from_code(t.elem_type?)?),
            TypeProtoValue::SequenceType(t) => ValueKind::Sequence(boxed(&t.elem_type)?),
            TypeProtoValue::OptionalType(t) => ValueKind::Optional(boxed(&t.elem_type)?),
            TypeProtoValue::MapType(t) => ValueKind::Map(DType::from_code(t.key_type?)?, boxed(&t.value_type)?),
            TypeProtoValue::OpaqueType(_) => return None,
        })
    }
}
