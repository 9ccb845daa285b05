//! Prints attributes.

use super::super::elements::{bytes_text, float_text};
use super::super::type_names::{self, attribute_type_name, item_of};
use super::{Printer, is_set, name_text};
use crate::onnx::*;

impl Printer {
    /// Returns the text of an attribute. The text names the attribute's type only if the value does not show it. If the
    /// syntax cannot express the attribute, returns `None` and remembers that `field`, which holds the attribute, is
    /// not in the text.
    pub(super) fn attribute(&mut self, attribute: &AttributeProto, field: &'static str) -> Option<String> {
        self.lose("AttributeProto.doc_string", is_set(&attribute.doc_string));
        let name = name_text(attribute.name.as_deref().unwrap_or(""));
        let kind = attribute.r#type.filter(|&kind| attribute_type_name(kind).is_some());
        if let Some(reference) = attribute.ref_attr_name.as_ref().filter(|reference| !reference.is_empty()) {
            self.lose_fields_beside(attribute, None);
            let kind = kind.and_then(attribute_type_name).map_or(String::new(), |kind| format!(": {kind}"));
            return Some(format!("{name}{kind} = @{}", name_text(reference)));
        }
        let Some(kind) = kind.or_else(|| fields(attribute).iter().find(|(.., set)| *set).map(|&(kind, ..)| kind))
        else {
            self.lose(field, true);
            return None;
        };
        self.lose_fields_beside(attribute, Some(kind));
        let value = self.value(attribute, kind);
        self.lose(field, value.is_none());
        let value = value?;
        let shown = match kind {
            type_names::FLOATS | type_names::INTS | type_names::STRINGS => value != "[]",
            type_names::GRAPH => !value.starts_with('"'),
            _ => item_of(kind).is_none(),
        };
        let kind = attribute_type_name(kind).filter(|_| !shown).map_or(String::new(), |kind| format!(": {kind}"));
        Some(format!("{name}{kind} = {value}"))
    }

    /// Finds the fields that are set although they do not belong to the attribute's type, and remembers that they are
    /// not in the text.
    fn lose_fields_beside(&mut self, attribute: &AttributeProto, kind: Option<i32>) {
        for (field_kind, field, set) in fields(attribute) {
            self.lose(field, set && kind != Some(field_kind));
        }
    }

    fn value(&mut self, attribute: &AttributeProto, kind: i32) -> Option<String> {
        fn list<T>(items: &[T], text: impl FnMut(&T) -> Option<String>) -> Option<String> {
            Some(format!("[{}]", items.iter().map(text).collect::<Option<Vec<_>>>()?.join(", ")))
        }
        match kind {
            type_names::FLOAT => Some(float_text(attribute.f.unwrap_or(0.0))),
            type_names::INT => Some(attribute.i.unwrap_or(0).to_string()),
            type_names::STRING => Some(bytes_text(attribute.s.as_deref().unwrap_or(&[]))),
            type_names::TENSOR => self.tensor(attribute.t.as_ref()?),
            type_names::GRAPH => Some(self.graph(attribute.g.as_deref()?)),
            type_names::TYPE_PROTO => self.type_text(attribute.tp.as_deref()?),
            type_names::SPARSE_TENSOR => self.sparse_tensor(attribute.sparse_tensor.as_ref()?),
            type_names::FLOATS => list(&attribute.floats, |x| Some(float_text(*x))),
            type_names::INTS => list(&attribute.ints, |i| Some(i.to_string())),
            type_names::STRINGS => list(&attribute.strings, |s| Some(bytes_text(s))),
            type_names::TENSORS => list(&attribute.tensors, |t| self.tensor(t)),
            type_names::GRAPHS => list(&attribute.graphs, |g| Some(self.graph(g))),
            type_names::TYPE_PROTOS => list(&attribute.type_protos, |tp| self.type_text(tp)),
            _ => list(&attribute.sparse_tensors, |sparse| self.sparse_tensor(sparse)),
        }
    }
}

/// Returns, for each field that can hold a value: the attribute type that the field belongs to, the name of the field,
/// and whether the field is set.
fn fields(a: &AttributeProto) -> [(i32, &'static str, bool); 14] {
    [
        (type_names::FLOAT, "AttributeProto.f", a.f.is_some()),
        (type_names::INT, "AttributeProto.i", a.i.is_some()),
        (type_names::STRING, "AttributeProto.s", a.s.is_some()),
        (type_names::TENSOR, "AttributeProto.t", a.t.is_some()),
        (type_names::GRAPH, "AttributeProto.g", a.g.is_some()),
        (type_names::TYPE_PROTO, "AttributeProto.tp", a.tp.is_some()),
        (type_names::SPARSE_TENSOR, "AttributeProto.sparse_tensor", a.sparse_tensor.is_some()),
        (type_names::FLOATS, "AttributeProto.floats", !a.floats.is_empty()),
        (type_names::INTS, "AttributeProto.ints", !a.ints.is_empty()),
        (type_names::STRINGS, "AttributeProto.strings", !a.strings.is_empty()),
        (type_names::TENSORS, "AttributeProto.tensors", !a.tensors.is_empty()),
        (type_names::GRAPHS, "AttributeProto.graphs", !a.graphs.is_empty()),
        (type_names::TYPE_PROTOS, "AttributeProto.type_protos", !a.type_protos.is_empty()),
        (type_names::SPARSE_TENSORS, "AttributeProto.sparse_tensors", !a.sparse_tensors.is_empty()),
    ]
}
