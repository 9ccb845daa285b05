//! The messages of types and shapes.

/// ONNX's `TensorShapeProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorShapeProto {
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<TensorShapeProtoDimension>,
}

/// ONNX's `TensorShapeProto.Dimension`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorShapeProtoDimension {
    #[prost(oneof = "TensorShapeProtoDimensionValue", tags = "1, 2")]
    pub value: Option<TensorShapeProtoDimensionValue>,
    #[prost(string, optional, tag = "3")]
    pub denotation: Option<String>,
}

/// One of the fields of `TensorShapeProto.Dimension.value`.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum TensorShapeProtoDimensionValue {
    #[prost(int64, tag = "1")]
    DimValue(i64),
    #[prost(string, tag = "2")]
    DimParam(String),
}

/// ONNX's `TypeProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeProto {
    #[prost(oneof = "TypeProtoValue", tags = "1, 4, 5, 7, 8, 9")]
    pub value: Option<TypeProtoValue>,
    #[prost(string, optional, tag = "6")]
    pub denotation: Option<String>,
}

/// One of the fields of `TypeProto.value`.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum TypeProtoValue {
    #[prost(message, tag = "1")]
    TensorType(TypeProtoTensor),
    #[prost(message, tag = "4")]
    SequenceType(TypeProtoSequence),
    #[prost(message, tag = "5")]
    MapType(TypeProtoMap),
    #[prost(message, tag = "7")]
    OpaqueType(TypeProtoOpaque),
    #[prost(message, tag = "8")]
    SparseTensorType(TypeProtoSparseTensor),
    #[prost(message, tag = "9")]
    OptionalType(TypeProtoOptional),
}

/// ONNX's `TypeProto.Tensor`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeProtoTensor {
    #[prost(int32, optional, tag = "1")]
    pub elem_type: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
}

/// ONNX's `TypeProto.Sequence`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeProtoSequence {
    #[prost(message, optional, boxed, tag = "1")]
    pub elem_type: Option<Box<TypeProto>>,
}

/// ONNX's `TypeProto.Map`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeProtoMap {
    #[prost(int32, optional, tag = "1")]
    pub key_type: Option<i32>,
    #[prost(message, optional, boxed, tag = "2")]
    pub value_type: Option<Box<TypeProto>>,
}

/// ONNX's `TypeProto.Optional`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeProtoOptional {
    #[prost(message, optional, boxed, tag = "1")]
    pub elem_type: Option<Box<TypeProto>>,
}

/// ONNX's `TypeProto.SparseTensor`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeProtoSparseTensor {
    #[prost(int32, optional, tag = "1")]
    pub elem_type: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
}

/// ONNX's `TypeProto.Opaque`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeProtoOpaque {
    #[prost(string, optional, tag = "1")]
    pub domain: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
}
