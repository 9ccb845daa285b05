//! What a model declares: its IR version, its opsets, and the types of inputs and outputs.

use plumbline_spec::{Domain, OperatorId, TypeStr};
use plumbline_tensor::ValueKind;
use plumbline_tensor::onnx::{
    AttributeProto, OperatorSetIdProto, TensorShapeProto, TensorShapeProtoDimension, TensorShapeProtoDimensionValue,
    TypeProtoValue, ValueInfoProto,
};

/// The first IR version in which an initializer need not also be a graph input.
pub(crate) const IR_OF_FREE_INITIALIZERS: i64 = 4;

/// Returns the short name of a type: `tensor(float16)` becomes `float16`; other types stay as they are.
pub fn short_type(type_: &str) -> String {
    match type_.strip_prefix("tensor(").and_then(|t| t.strip_suffix(')')) {
        Some(dtype) => dtype.to_owned(),
        None => type_.to_owned(),
    }
}

/// Converts a type of the specification to the type of a value.
pub fn kind_of(type_: &TypeStr) -> ValueKind {
    match type_ {
        TypeStr::Tensor(dtype) => ValueKind::Tensor(*dtype),
        TypeStr::Sequence(of) => ValueKind::Sequence(Box::new(kind_of(of))),
        TypeStr::Optional(of) => ValueKind::Optional(Box::new(kind_of(of))),
        TypeStr::Map(key, of) => ValueKind::Map(*key, Box::new(kind_of(of))),
        TypeStr::SparseTensor(dtype) => ValueKind::SparseTensor(*dtype),
    }
}

/// Returns the IR version of the oldest release that has this opset. Every reader of the opset understands this IR
/// version.
pub(crate) fn ir_version(domain: &str, since: u32) -> i64 {
    Domain::find(domain).and_then(|domain| domain.release(since)).map_or(3, |release| release.ir)
}

/// Returns the opset of `ai.onnx` in the release that has this opset of another domain.
pub(crate) fn opset_of_release(domain: &str, since: u32) -> Option<i64> {
    Domain::find(domain)?.onnx_opset(since)
}

/// Returns the import of one version of a domain, for a model.
pub(crate) fn import(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: Some(domain.to_owned()), version: Some(version) }
}

/// Returns the imports of a model. The first import is the opset of the operator. If the operator is not in `ai.onnx`,
/// the model may also need the `ai.onnx` opset of the same release, as its second import. It needs this opset if
/// `graphs` is set, that is, if the model has graphs in attributes, or nodes besides the operator's own, or if the
/// functions of the domain have nodes of `ai.onnx`.
pub(crate) fn opset_import(id: &OperatorId, graphs: bool) -> Vec<OperatorSetIdProto> {
    let own = import(id.domain_in_models(), i64::from(id.since));
    let domain = Domain::find(&id.domain).filter(|domain| graphs || domain.imports_onnx);
    let beside = domain.and_then(|domain| domain.onnx_opset(id.since));
    [own].into_iter().chain(beside.map(|version| import("", version))).collect()
}

/// Returns the declaration of a graph's input or output: its name, its type and, for a tensor, its shape if that is
/// known.
pub fn value_info(name: &str, kind: &ValueKind, shape: Option<&[usize]>) -> ValueInfoProto {
    let mut type_ = kind.to_proto();
    if let (Some(TypeProtoValue::TensorType(tensor)), Some(shape)) = (&mut type_.value, shape) {
        let dim = |&extent: &usize| TensorShapeProtoDimension {
            value: Some(TensorShapeProtoDimensionValue::DimValue(extent as i64)),
            denotation: None,
        };
        tensor.shape = Some(TensorShapeProto { dim: shape.iter().map(dim).collect() });
    }
    ValueInfoProto { name: Some(name.to_owned()), r#type: Some(type_), ..ValueInfoProto::default() }
}

/// Returns an attribute of this kind (`AttributeProto.AttributeType`) without a value.
pub(crate) fn attribute(name: &str, kind: i32) -> AttributeProto {
    AttributeProto { name: Some(name.to_owned()), r#type: Some(kind), ..AttributeProto::default() }
}
