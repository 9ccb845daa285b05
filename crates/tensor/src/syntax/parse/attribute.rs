//! Reads attributes.

use super::super::reader::{Reader, Result};
use super::super::type_names::{self, attribute_type};
use super::types::named;
use crate::onnx::*;

impl Reader<'_> {
    pub(super) fn attributes(&mut self) -> Result<Vec<AttributeProto>> {
        let mut attributes = Vec::new();
        if self.takes(b'<') {
            self.items(b'>', |reader| {
                let name = reader.name("the name of an attribute")?;
                attributes.push(reader.attribute(name)?);
                Ok(())
            })?;
        }
        Ok(attributes)
    }

    /// Reads the type, if it is given, and the value of an attribute.
    pub(super) fn attribute(&mut self, name: String) -> Result<AttributeProto> {
        let mut attribute = AttributeProto { name: Some(name), ..AttributeProto::default() };
        if self.takes(b':') {
            let word = self.peek_identifier().unwrap_or("");
            let Some(kind) = attribute_type(word) else { return self.expected("the type of an attribute") };
            self.identifier_if_any();
            attribute.r#type = Some(kind);
        }
        self.expect(b'=')?;
        let kind = attribute.r#type;
        if self.peek() != Some(b'[') {
            self.single_value(&mut attribute, kind)?;
            return Ok(attribute);
        }
        if kind.is_some_and(|kind| type_names::item_of(kind).is_none()) {
            return self.error("found a list, but the attribute's type is not a list");
        }
        self.expect(b'[')?;
        if kind.is_none() && self.peek() == Some(b']') {
            return self.error("an empty list needs a type: `name: ints = []`");
        }
        self.items(b']', |reader| {
            let item_kind = attribute.r#type.and_then(type_names::item_of);
            let mut item = AttributeProto::default();
            let place = reader.place();
            reader.single_value(&mut item, item_kind)?;
            let Some(list) = item.r#type.and_then(type_names::list_of).filter(|_| item.ref_attr_name.is_none()) else {
                return reader.error_at(place, "a list cannot hold a reference to an attribute");
            };
            attribute.r#type = Some(list);
            attribute.ints.extend(item.i);
            attribute.floats.extend(item.f);
            attribute.strings.extend(item.s);
            attribute.tensors.extend(item.t);
            attribute.graphs.extend(item.g.map(|g| *g));
            attribute.type_protos.extend(item.tp.map(|tp| *tp));
            attribute.sparse_tensors.extend(item.sparse_tensor);
            Ok(())
        })?;
        Ok(attribute)
    }

    /// Reads a value that is not a list. `kind` is the type that it must have, if this is known.
    fn single_value(&mut self, attribute: &mut AttributeProto, kind: Option<i32>) -> Result<()> {
        let place = self.place();
        let found = if self.takes(b'@') {
            let name = self.name("the name of an attribute")?;
            if name.is_empty() {
                return self.error_at(place, "the name of the referenced attribute is empty");
            }
            attribute.ref_attr_name = Some(name);
            return Ok(());
        } else if kind == Some(type_names::GRAPH) && self.peek() == Some(b'"') {
            attribute.g = Some(Box::new(self.graph()?));
            type_names::GRAPH
        } else if self.next_is_string() {
            attribute.s = Some(self.bytes()?);
            type_names::STRING
        } else if self.next_is_type() {
            self.typed_value(attribute)?
        } else if self.next_is_number() {
            if kind == Some(type_names::FLOAT) || self.next_is_float() {
                attribute.f = Some(self.float()?);
                type_names::FLOAT
            } else {
                attribute.i = Some(self.integer()?);
                type_names::INT
            }
        } else if self.peek_identifier().is_some() {
            attribute.g = Some(Box::new(self.graph()?));
            type_names::GRAPH
        } else {
            return self.expected("a value");
        };
        attribute.r#type = Some(found);
        if kind.is_some_and(|kind| kind != found) {
            return self.error_at(place, "the value does not have the attribute's type");
        }
        Ok(())
    }

    /// Reads a value that begins with a type: a tensor, a sparse tensor, or the type itself.
    fn typed_value(&mut self, attribute: &mut AttributeProto) -> Result<i32> {
        let r#type = self.type_proto()?;
        let tensor_follows = matches!(self.peek(), Some(b'{' | b'=' | b'"')) || self.peek_identifier().is_some();
        if !tensor_follows {
            attribute.tp = Some(Box::new(r#type));
            return Ok(type_names::TYPE_PROTO);
        }
        let name = self.name_if_any()?.unwrap_or_default();
        self.takes(b'=');
        if let Some(TypeProtoValue::SparseTensorType(sparse)) = &r#type.value {
            let sparse = self.sparse_tensor(sparse)?;
            attribute.sparse_tensor = Some(if name.is_empty() { sparse } else { named(sparse, Some(name)) });
            return Ok(type_names::SPARSE_TENSOR);
        }
        attribute.t = Some(self.tensor(&r#type, Some(name))?);
        Ok(type_names::TENSOR)
    }
}
