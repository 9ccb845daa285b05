//! Prints types, and tensors after their types.

use super::super::elements::print_elements;
use super::{Printer, entries_text, is_set, name_text};
use crate::DType;
use crate::onnx::*;

/// `TensorProto.DataLocation.EXTERNAL`.
const EXTERNAL: i32 = 1;

impl Printer {
    /// Returns a type, or an empty text if the message has none or the syntax cannot express it.
    pub(in super::super) fn type_proto(&mut self, proto: &TypeProto) -> String {
        let text = self.type_text(proto);
        self.lose("TypeProto.value", text.is_none() && proto.value.is_some());
        text.unwrap_or_default()
    }

    /// Returns a type, or `None` if it lacks a part or has an element type that ONNX does not define.
    pub(super) fn type_text(&mut self, proto: &TypeProto) -> Option<String> {
        self.lose("TypeProto.denotation", is_set(&proto.denotation));
        Some(match proto.value.as_ref()? {
            TypeProtoValue::TensorType(t) => format!("{}{}", dtype(t.elem_type)?, self.shape(t.shape.as_ref())),
            TypeProtoValue::SparseTensorType(t) => {
                format!("sparse_tensor({}{})", dtype(t.elem_type)?, self.shape(t.shape.as_ref()))
            }
            TypeProtoValue::SequenceType(t) => format!("seq({})", self.type_text(t.elem_type.as_ref()?)?),
            TypeProtoValue::OptionalType(t) => format!("optional({})", self.type_text(t.elem_type.as_ref()?)?),
            TypeProtoValue::MapType(t) => {
                format!("map({}, {})", dtype(t.key_type)?, self.type_text(t.value_type.as_ref()?)?)
            }
            TypeProtoValue::OpaqueType(t) => {
                let dotted = |name: &str| name.split('.').map(name_text).collect::<Vec<_>>().join(".");
                match (t.domain.as_deref().unwrap_or(""), t.name.as_deref().unwrap_or("")) {
                    ("", "") => "opaque()".to_owned(),
                    ("", name) => format!("opaque({})", dotted(name)),
                    (domain, name) => format!("opaque({},{})", dotted(domain), name_text(name)),
                }
            }
        })
    }

    fn shape(&mut self, shape: Option<&TensorShapeProto>) -> String {
        let Some(shape) = shape else { return "[]".to_owned() };
        let mut extent = |dim: &TensorShapeProtoDimension| {
            self.lose("TensorShapeProto.Dimension.denotation", is_set(&dim.denotation));
            match &dim.value {
                None => "?".to_owned(),
                Some(TensorShapeProtoDimensionValue::DimValue(extent)) => extent.to_string(),
                Some(TensorShapeProtoDimensionValue::DimParam(name)) => name_text(name),
            }
        };
        let extents: Vec<String> = shape.dim.iter().map(&mut extent).collect();
        if extents.is_empty() { String::new() } else { format!("[{}]", extents.join(",")) }
    }

    /// Returns a tensor as it stands in an attribute: `float[2] name {1.0, 2.0}`.
    pub(super) fn tensor(&mut self, tensor: &TensorProto) -> Option<String> {
        let name = tensor.name.as_ref().filter(|name| !name.is_empty());
        let name = name.map_or(String::new(), |name| format!("{} ", name_text(name)));
        let equals = if tensor.data_location == Some(EXTERNAL) { "= " } else { "" };
        let (r#type, data) = self.type_and_data(tensor)?;
        Some(format!("{} {name}{equals}{data}", r#type))
    }

    /// Returns a tensor as it stands among the values of a graph: `float[2] name = {1.0, 2.0}`.
    pub(super) fn initializer(&mut self, tensor: &TensorProto) -> Option<String> {
        let parts = self.type_and_data(tensor);
        self.lose("GraphProto.initializer", parts.is_none());
        let (r#type, data) = parts?;
        Some(format!("{} {} = {data}", r#type, name_text(tensor.name.as_deref().unwrap_or(""))))
    }

    /// Returns the type of a tensor, and its elements in braces or the place of its external data. Returns `None` if
    /// the element type is absent or not defined by ONNX.
    fn type_and_data(&mut self, tensor: &TensorProto) -> Option<(String, String)> {
        let dtype = DType::from_code(tensor.data_type?)?;
        self.lose("TensorProto.doc_string", is_set(&tensor.doc_string));
        self.lose("TensorProto.metadata_props", !tensor.metadata_props.is_empty());
        self.lose("TensorProto.segment", tensor.segment.is_some());
        let (elements, lost) = print_elements(tensor, dtype);
        for field in lost {
            self.lose(field, true);
        }
        let data = if tensor.data_location == Some(EXTERNAL) {
            self.lose("elements of TensorProto beside external data", !elements.is_empty());
            entries_text(&tensor.external_data)
        } else {
            self.lose("TensorProto.external_data", !tensor.external_data.is_empty());
            format!("{{{elements}}}")
        };
        Some((typed(dtype.name(), &tensor.dims), data))
    }

    /// Returns a sparse tensor as it stands in an attribute.
    pub(super) fn sparse_tensor(&mut self, sparse: &SparseTensorProto) -> Option<String> {
        let values = self.tensor(sparse.values.as_ref()?)?;
        let (r#type, indices) = self.sparse_type_and_indices(sparse)?;
        Some(format!("{} {{{values}, {indices}}}", r#type))
    }

    /// Returns a sparse tensor as it stands among the values of a graph: `sparse_tensor(float[3]) x = {...}`.
    pub(super) fn sparse_initializer(&mut self, sparse: &SparseTensorProto) -> Option<String> {
        let parts = sparse.values.as_ref().and_then(|values| self.type_and_data(values));
        let parts = parts.zip(self.sparse_type_and_indices(sparse));
        self.lose("GraphProto.sparse_initializer", parts.is_none());
        let ((values_type, values), (r#type, indices)) = parts?;
        let name = name_text(sparse.values.as_ref()?.name.as_deref().unwrap_or(""));
        Some(format!("{} {name} = {{{values_type} {values}, {indices}}}", r#type))
    }

    fn sparse_type_and_indices(&mut self, sparse: &SparseTensorProto) -> Option<(String, String)> {
        let values = dtype(sparse.values.as_ref()?.data_type)?;
        let indices = self.tensor(sparse.indices.as_ref()?)?;
        Some((format!("sparse_tensor({})", typed(values, &sparse.dims)), indices))
    }
}

fn dtype(code: Option<i32>) -> Option<&'static str> {
    DType::from_code(code?).map(DType::name)
}

fn typed(dtype: &str, dims: &[i64]) -> String {
    let extents: Vec<String> = dims.iter().map(i64::to_string).collect();
    if extents.is_empty() { dtype.to_owned() } else { format!("{dtype}[{}]", extents.join(",")) }
}
