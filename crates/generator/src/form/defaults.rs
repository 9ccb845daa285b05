//! Attributes that a case leaves out, and for which giving the default value would mean the same.

use plumbline_spec::{AttributeValue, OperatorVersion, Spec};
use plumbline_tensor::onnx::AttributeProto;

use crate::case::Case;

/// Attributes for which leaving them out differs from giving the default: lists with a length that depends on another
/// attribute, attributes of which only one may be given, the bounds of Clip-6 (their defaults are the ends of float for
/// every type), and `direction` of GRU-1 (its default is misspelled). The entries hold for all versions.
const OWN_MEANING: [(&str, &str, &[&str]); 6] = [
    ("ai.onnx", "Clip", &["min", "max"]),
    ("ai.onnx", "GRU", &["activations", "direction"]),
    ("ai.onnx", "LSTM", &["activations"]),
    ("ai.onnx", "RNN", &["activations"]),
    ("ai.onnx.ml", "CategoryMapper", &["default_int64", "default_string"]),
    ("ai.onnx.ml", "LabelEncoder", &["default_int64", "default_string"]),
];

impl Case {
    /// Returns the attributes that have a default and are not given, with the default as their value, except those in
    /// [`OWN_MEANING`].
    pub(super) fn left_to_default(&self) -> Vec<AttributeProto> {
        let Some(version) = Spec::embedded().version(&self.version) else { return vec![] };
        let Some(node) = self.model.graph().node.last() else { return vec![] };
        let given = |name: &str| node.attribute.iter().any(|a| a.name.as_deref() == Some(name));
        let operator = (self.version.domain.as_str(), self.version.name.as_str());
        let has_own_meaning = |name: &str| {
            OWN_MEANING.iter().any(|(domain, op, names)| operator == (*domain, *op) && names.contains(&name))
        };
        let left = |name: &str| !given(name) && !has_own_meaning(name);
        defaults(version).into_iter().filter(|a| a.name.as_deref().is_some_and(left)).collect()
    }
}

/// Returns the attributes of a version that have a default, with that value.
fn defaults(version: &OperatorVersion) -> Vec<AttributeProto> {
    let attribute = |name: &str, kind: i32| AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(kind),
        ..AttributeProto::default()
    };
    let given = |a: &plumbline_spec::Attribute| {
        let default = a.default.as_ref()?;
        Some(match default {
            AttributeValue::Float(f) => AttributeProto { f: Some(*f), ..attribute(&a.name, 1) },
            AttributeValue::Int(i) => AttributeProto { i: Some(*i), ..attribute(&a.name, 2) },
            AttributeValue::String(s) => AttributeProto { s: Some(s.clone().into_bytes()), ..attribute(&a.name, 3) },
            AttributeValue::Floats(f) => AttributeProto { floats: f.clone(), ..attribute(&a.name, 6) },
            AttributeValue::Ints(i) => AttributeProto { ints: i.clone(), ..attribute(&a.name, 7) },
            AttributeValue::Strings(s) => {
                let strings = s.iter().map(|s| s.clone().into_bytes()).collect();
                AttributeProto { strings, ..attribute(&a.name, 8) }
            }
            AttributeValue::Tensor(_) => return None,
        })
    };
    version.attributes.iter().filter_map(given).collect()
}
