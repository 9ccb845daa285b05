//! Reads types, and the tensors that follow their types.

use super::super::elements::read_elements;
use super::super::reader::{Reader, Result};
use super::super::type_names::{begins_type, element_type};
use crate::DType;
use crate::onnx::*;

/// `TensorProto.DataLocation.EXTERNAL`.
const EXTERNAL: i32 = 1;

impl Reader<'_> {
    /// Reads what follows the type and the name of a tensor: elements in braces, or `[...]` for external data.
    pub(super) fn tensor(&mut self, r#type: &TypeProto, name: Option<String>) -> Result<TensorProto> {
        let Some(TypeProtoValue::TensorType(TypeProtoTensor { elem_type: Some(code), shape })) = &r#type.value else {
            return self.error("only a tensor can have elements");
        };
        let Some(dtype) = DType::from_code(*code) else { return self.error("unknown element type") };
        let dims = self.extents(shape.as_ref())?;
        let mut tensor = TensorProto { dims, data_type: Some(*code), name, ..TensorProto::default() };
        match self.peek() {
            Some(b'{') => {
                self.takes(b'{');
                read_elements(self, dtype, &mut tensor)?;
            }
            Some(b'[') => {
                tensor.data_location = Some(EXTERNAL);
                tensor.external_data = self.entries()?;
            }
            _ => return self.expected("`{` before elements, or `[` before external data"),
        }
        Ok(tensor)
    }

    /// Reads the values and the indices of a sparse tensor: `{float[1] {1.5}, int64[1] {7}}`.
    pub(super) fn sparse_tensor(&mut self, sparse: &TypeProtoSparseTensor) -> Result<SparseTensorProto> {
        let dims = self.extents(sparse.shape.as_ref())?;
        self.expect(b'{')?;
        let place = self.place();
        let values = self.dense_part()?;
        if values.data_type != sparse.elem_type {
            return self.error_at(place, "the values do not have the sparse tensor's element type");
        }
        self.expect(b',')?;
        let indices = self.dense_part()?;
        self.expect(b'}')?;
        Ok(SparseTensorProto { values: Some(values), indices: Some(indices), dims })
    }

    fn dense_part(&mut self) -> Result<TensorProto> {
        let r#type = self.type_proto()?;
        // An empty name is the same as an absent one: neither is printed.
        let name = self.name_if_any()?.filter(|name| !name.is_empty());
        self.takes(b'=');
        self.tensor(&r#type, name)
    }

    /// Returns the extents of a shape, or an error if the rank is unknown or an extent is not a number.
    fn extents(&mut self, shape: Option<&TensorShapeProto>) -> Result<Vec<i64>> {
        let Some(shape) = shape else { return self.error("elements need a shape") };
        let extent = |dim: &TensorShapeProtoDimension| match dim.value {
            Some(TensorShapeProtoDimensionValue::DimValue(extent)) => Ok(extent),
            _ => self.error("the extents of a tensor with elements must be numbers"),
        };
        shape.dim.iter().map(extent).collect()
    }

    /// Returns whether the next identifier begins a type.
    pub(super) fn next_is_type(&mut self) -> bool {
        self.peek_identifier().is_some_and(begins_type)
    }

    pub(in super::super) fn type_proto(&mut self) -> Result<TypeProto> {
        if !self.next_is_type() {
            return self.expected("a type");
        }
        let word = self.identifier("a type")?;
        let value = match element_type(word) {
            Some(dtype) => {
                TypeProtoValue::TensorType(TypeProtoTensor { elem_type: Some(dtype.code()), shape: self.shape()? })
            }
            None => self.nested(|reader| {
                reader.expect(b'(')?;
                let value = reader.inner_type(word)?;
                reader.expect(b')')?;
                Ok(value)
            })?,
        };
        Ok(TypeProto { value: Some(value), denotation: None })
    }

    /// Reads what stands between the parentheses of `seq(...)`, `map(...)` and so on.
    fn inner_type(&mut self, word: &str) -> Result<TypeProtoValue> {
        Ok(match word {
            "seq" => TypeProtoValue::SequenceType(TypeProtoSequence { elem_type: Some(Box::new(self.type_proto()?)) }),
            "optional" => {
                TypeProtoValue::OptionalType(TypeProtoOptional { elem_type: Some(Box::new(self.type_proto()?)) })
            }
            "map" => {
                let key_type = Some(self.element_type()?.code());
                self.expect(b',')?;
                TypeProtoValue::MapType(TypeProtoMap { key_type, value_type: Some(Box::new(self.type_proto()?)) })
            }
            "sparse_tensor" => TypeProtoValue::SparseTensorType(TypeProtoSparseTensor {
                elem_type: Some(self.element_type()?.code()),
                shape: self.shape()?,
            }),
            _ => TypeProtoValue::OpaqueType(self.opaque()?),
        })
    }

    /// Reads what stands between the parentheses of `opaque(...)`: nothing, a name, or a domain and a name. A domain,
    /// and a name without a domain, may have dots.
    fn opaque(&mut self) -> Result<TypeProtoOpaque> {
        if self.peek() == Some(b')') {
            return Ok(TypeProtoOpaque::default());
        }
        let mut first = self.name("the name of an opaque type")?;
        while self.takes(b'.') {
            first = format!("{first}.{}", self.name("the name of an opaque type")?);
        }
        let given = |name: String| Some(name).filter(|name| !name.is_empty());
        if self.takes(b',') {
            let name = self.name("the name of an opaque type")?;
            return Ok(TypeProtoOpaque { domain: given(first), name: given(name) });
        }
        Ok(TypeProtoOpaque { domain: None, name: given(first) })
    }

    fn element_type(&mut self) -> Result<DType> {
        let Some(dtype) = self.peek_identifier().and_then(element_type) else {
            return self.expected("an element type");
        };
        self.identifier_if_any();
        Ok(dtype)
    }

    /// Reads the extents after an element type: none for a scalar, `[]` for an unknown rank.
    fn shape(&mut self) -> Result<Option<TensorShapeProto>> {
        if !self.takes(b'[') {
            return Ok(Some(TensorShapeProto::default()));
        }
        if self.takes(b']') {
            return Ok(None);
        }
        let mut dim = Vec::new();
        self.items(b']', |reader| {
            let value = if reader.takes(b'?') {
                None
            } else if let Some(name) = reader.name_if_any()? {
                Some(TensorShapeProtoDimensionValue::DimParam(name))
            } else {
                Some(TensorShapeProtoDimensionValue::DimValue(reader.integer()?))
            };
            dim.push(TensorShapeProtoDimension { value, denotation: None });
            Ok(())
        })?;
        Ok(Some(TensorShapeProto { dim }))
    }
}

/// Gives a sparse tensor a name. ONNX stores it as the name of the values.
pub(super) fn named(mut sparse: SparseTensorProto, name: Option<String>) -> SparseTensorProto {
    if let Some(values) = &mut sparse.values {
        values.name = name;
    }
    sparse
}
