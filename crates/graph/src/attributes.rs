//! [`Attributes`]: the attributes of a node, with the defaults of its operator version.

use plumbline_spec::{AttributeValue, OperatorVersion};
use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto};
use plumbline_tensor::{Tensor, tensor_from_proto};

use crate::Refusal;

/// The attributes of a node. An attribute that the node leaves out has the default of the operator version, if the
/// version has one. The methods expect that [`check`](crate::check) accepted the node. If an attribute has the wrong
/// type all the same, [`Attributes::tensor`] returns an error, [`Attributes::graph`] returns `None`, and the methods
/// for other types return 0 or an empty value.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    version: &'a OperatorVersion,
    node: &'a NodeProto,
}

impl<'a> Attributes<'a> {
    /// Returns the attributes of `node`, which is resolved to the operator version `version`.
    pub fn new(version: &'a OperatorVersion, node: &'a NodeProto) -> Attributes<'a> {
        Attributes { version, node }
    }

    /// Returns an attribute that the node itself has; defaults are not looked up.
    pub fn given(&self, name: &str) -> Option<&'a AttributeProto> {
        self.node.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name))
    }

    fn read<T>(
        &self,
        name: &str,
        given: impl FnOnce(&'a AttributeProto) -> T,
        default: impl FnOnce(&'a AttributeValue) -> Option<T>,
    ) -> Option<T> {
        match self.given(name) {
            Some(attribute) => Some(given(attribute)),
            None => default(self.version.attribute(name)?.default.as_ref()?),
        }
    }

    /// Returns an INT attribute or its default, if there is one.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.read(
            name,
            |given| given.i.unwrap_or(0),
            |default| match default {
                AttributeValue::Int(value) => Some(*value),
                _ => None,
            },
        )
    }

    /// Returns a FLOAT attribute or its default, if there is one.
    pub fn float(&self, name: &str) -> Option<f32> {
        self.read(
            name,
            |given| given.f.unwrap_or(0.0),
            |default| match default {
                AttributeValue::Float(value) => Some(*value),
                _ => None,
            },
        )
    }

    /// Returns the bytes of a STRING attribute or its default, if there is one. [`check`](crate::check) accepts only
    /// UTF-8.
    pub fn string(&self, name: &str) -> Option<&'a [u8]> {
        self.read(
            name,
            |given| given.s.as_deref().unwrap_or_default(),
            |default| match default {
                AttributeValue::String(value) => Some(value.as_bytes()),
                _ => None,
            },
        )
    }

    /// Returns an INTS attribute or its default, if there is one.
    pub fn ints(&self, name: &str) -> Option<&'a [i64]> {
        self.read(
            name,
            |given| given.ints.as_slice(),
            |default| match default {
                AttributeValue::Ints(values) => Some(values.as_slice()),
                _ => None,
            },
        )
    }

    /// Returns a FLOATS attribute or its default, if there is one.
    pub fn floats(&self, name: &str) -> Option<&'a [f32]> {
        self.read(
            name,
            |given| given.floats.as_slice(),
            |default| match default {
                AttributeValue::Floats(values) => Some(values.as_slice()),
                _ => None,
            },
        )
    }

    /// Returns the bytes of a STRINGS attribute or its default, if there is one. [`check`](crate::check) accepts only
    /// UTF-8.
    pub fn strings(&self, name: &str) -> Option<Vec<&'a [u8]>> {
        self.read(
            name,
            |given| given.strings.iter().map(Vec::as_slice).collect(),
            |default| match default {
                AttributeValue::Strings(values) => Some(values.iter().map(String::as_bytes).collect()),
                _ => None,
            },
        )
    }

    /// Returns a TENSOR attribute if the node has it. No version has a default for such an attribute.
    ///
    /// # Errors
    /// The attribute has no tensor, or one that is invalid.
    pub fn tensor(&self, name: &str) -> Result<Option<Tensor>, Refusal> {
        let Some(attribute) = self.given(name) else { return Ok(None) };
        let proto =
            attribute.t.as_ref().ok_or_else(|| Refusal::invalid(format!("attribute `{name}` has no tensor")))?;
        tensor_from_proto(proto).map(Some).map_err(|e| Refusal::invalid(format!("attribute `{name}`: {e}")))
    }

    /// Returns the graph of a GRAPH attribute if the node has it.
    pub fn graph(&self, name: &str) -> Option<&'a GraphProto> {
        self.given(name)?.g.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use plumbline_spec::Spec;

    use super::*;

    fn attribute(name: &str, i: Option<i64>) -> AttributeProto {
        AttributeProto { name: Some(name.to_owned()), i, ..AttributeProto::default() }
    }

    #[test]
    fn the_node_has_precedence_over_the_default_of_its_version() {
        let version = |domain, name, opset| Spec::embedded().resolve(domain, name, opset).unwrap();
        let gemm = version("ai.onnx", "Gemm", 13);
        let node = NodeProto {
            attribute: vec![attribute("transA", Some(1)), attribute("transB", None)],
            ..NodeProto::default()
        };
        let read = Attributes::new(gemm, &node);
        assert_eq!((read.int("transA"), read.int("transB"), read.float("alpha")), (Some(1), Some(0), Some(1.0)));
        assert!(read.given("alpha").is_none() && read.int("alpha").is_none() && read.int("no_such").is_none());

        let node = NodeProto::default();
        assert_eq!(
            Attributes::new(version("ai.onnx", "MeanVarianceNormalization", 13), &node).ints("axes"),
            Some(&[0, 2, 3][..])
        );
        let rnn = Attributes::new(version("ai.onnx", "RNN", 14), &node);
        assert_eq!(rnn.strings("activations"), Some(vec![&b"Tanh"[..]; 2]));
        assert_eq!((rnn.string("direction"), rnn.floats("activation_alpha")), (Some(&b"forward"[..]), None));
    }
}
