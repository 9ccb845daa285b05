//! A node with its inputs, as operators see it: its arity, attributes and types conform to its operator version.

use plumbline_spec::{AttributeValue, OperatorVersion};
use plumbline_tensor::onnx::{AttributeProto, NodeProto};
use plumbline_tensor::tensor_from_proto;

use super::array::{Array, Held};
use super::body::Body;
use plumbline_graph::Refusal;

/// The result of an operator: one value for each output.
pub type Outputs = Result<Vec<Held>, Refusal>;

/// A function that computes an operator: it takes a checked node and returns the outputs.
pub type Operator = fn(&Node) -> Outputs;

/// Returns the array as the only output.
pub fn one(array: Array) -> Outputs {
    Ok(vec![array.into()])
}

/// A node with its inputs, which conform to the operator version in arity, attributes and types.
pub struct Node<'a> {
    /// The operator version, with its formal inputs, outputs, attributes and types.
    pub version: &'a OperatorVersion,
    proto: &'a NodeProto,
    inputs: &'a [Option<Held>],
    bodies: Vec<(&'a str, &'a dyn Body)>,
}

impl<'a> Node<'a> {
    /// Checks the node and its inputs against the operator version. Refuses a deprecated version and a wrong arity,
    /// attribute or type.
    pub fn new(
        version: &'a OperatorVersion,
        proto: &'a NodeProto,
        inputs: &'a [Option<Held>],
    ) -> Result<Node<'a>, Refusal> {
        let kinds: Vec<_> = inputs.iter().map(|held| held.as_ref().map(Held::kind)).collect();
        plumbline_graph::check(version, proto, &kinds)?;
        Ok(Node { version, proto, inputs, bodies: Vec::new() })
    }

    /// Returns the same node with the graphs of its attributes.
    pub fn with(self, bodies: Vec<(&'a str, &'a dyn Body)>) -> Node<'a> {
        Node { bodies, ..self }
    }

    /// Returns the graph of a graph attribute.
    pub fn body(&self, name: &str) -> Result<&'a dyn Body, Refusal> {
        let own = self.bodies.iter().find(|(own, _)| *own == name);
        own.map(|(_, body)| *body).ok_or_else(|| Refusal::invalid(format!("attribute `{name}` has no graph")))
    }

    /// Returns the opset that introduced this version.
    pub fn since(&self) -> u32 {
        self.version.since
    }

    /// Returns the number of outputs up to the last one that has a name.
    pub fn outputs(&self) -> usize {
        self.proto.output.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1)
    }

    /// Returns whether the node names this output.
    pub fn names_output(&self, at: usize) -> bool {
        self.proto.output.get(at).is_some_and(|name| !name.is_empty())
    }

    /// Returns the number of outputs that the node lists, including those without a name.
    pub fn output_places(&self) -> usize {
        self.proto.output.len()
    }

    /// Returns all inputs; an input that is left out is `None`.
    pub fn inputs(&self) -> &'a [Option<Held>] {
        self.inputs
    }

    /// Returns the value at this input, of any type. A missing input is an error.
    pub fn held(&self, at: usize) -> Result<&'a Held, Refusal> {
        let held = self.inputs.get(at).and_then(Option::as_ref);
        held.ok_or_else(|| Refusal::invalid(format!("input {at} is missing")))
    }

    /// Returns the tensor at this input, or `None` if the input is left out.
    pub fn optional(&self, at: usize) -> Result<Option<&'a Array>, Refusal> {
        match self.inputs.get(at) {
            Some(Some(Held::Array(array))) => Ok(Some(array)),
            Some(Some(Held::Other(value))) => Err(Refusal::unsupported(format!(
                "input {at} is {0}, but the kernels of this backend take tensors",
                value.kind()
            ))),
            _ => Ok(None),
        }
    }

    /// Returns the tensor at this input. A missing input is an error.
    pub fn input(&self, at: usize) -> Result<&'a Array, Refusal> {
        self.optional(at)?.ok_or_else(|| Refusal::invalid(format!("input {at} is missing")))
    }

    /// Returns all inputs, each of which must be a tensor.
    pub fn arrays(&self) -> Result<Vec<&'a Array>, Refusal> {
        (0..self.inputs.len()).map(|at| self.input(at)).collect()
    }

    /// Returns the attribute if the node sets it.
    pub fn given(&self, name: &str) -> Option<&'a AttributeProto> {
        self.proto.attribute.iter().find(|a| a.name.as_deref() == Some(name))
    }

    fn default(&self, name: &str) -> Option<&'a AttributeValue> {
        self.version.attribute(name)?.default.as_ref()
    }

    /// Returns an integer attribute, or else its default.
    pub fn optional_int(&self, name: &str) -> Option<i64> {
        match (self.given(name), self.default(name)) {
            (Some(attribute), _) => Some(attribute.i.unwrap_or(0)),
            (None, Some(AttributeValue::Int(value))) => Some(*value),
            _ => None,
        }
    }

    /// Returns an integer attribute, or else its default, or else 0.
    pub fn int(&self, name: &str) -> i64 {
        self.optional_int(name).unwrap_or(0)
    }

    /// Returns a float attribute, or else its default.
    pub fn optional_float(&self, name: &str) -> Option<f32> {
        match (self.given(name), self.default(name)) {
            (Some(attribute), _) => Some(attribute.f.unwrap_or(0.0)),
            (None, Some(AttributeValue::Float(value))) => Some(*value),
            _ => None,
        }
    }

    /// Returns a float attribute, or else its default, or else 0.
    pub fn float(&self, name: &str) -> f32 {
        self.optional_float(name).unwrap_or(0.0)
    }

    /// Returns an attribute of integers, or else its default.
    pub fn ints(&self, name: &str) -> Option<&'a [i64]> {
        match (self.given(name), self.default(name)) {
            (Some(attribute), _) => Some(&attribute.ints),
            (None, Some(AttributeValue::Ints(values))) => Some(values),
            _ => None,
        }
    }

    /// Returns a string attribute, or else its default, or else the empty string.
    pub fn string(&self, name: &str) -> Result<&'a str, Refusal> {
        match (self.given(name), self.default(name)) {
            (Some(attribute), _) => std::str::from_utf8(attribute.s.as_deref().unwrap_or_default())
                .map_err(|_| Refusal::invalid(format!("attribute `{name}` is not valid UTF-8"))),
            (None, Some(AttributeValue::String(value))) => Ok(value),
            _ => Ok(""),
        }
    }

    /// Returns an attribute of floats, which is empty if the node does not set it.
    pub fn floats(&self, name: &str) -> &'a [f32] {
        self.given(name).map_or(&[], |attribute| &attribute.floats)
    }

    /// Returns an attribute of strings if the node sets it.
    pub fn strings(&self, name: &str) -> Result<Option<Vec<&'a str>>, Refusal> {
        let Some(attribute) = self.given(name) else { return Ok(None) };
        let text = |s: &'a Vec<u8>| std::str::from_utf8(s);
        let texts = attribute.strings.iter().map(text).collect::<Result<Vec<_>, _>>();
        texts.map(Some).map_err(|_| Refusal::invalid(format!("attribute `{name}` is not valid UTF-8")))
    }

    /// Returns a tensor attribute if the node sets it.
    pub fn tensor(&self, name: &str) -> Result<Option<Array>, Refusal> {
        let Some(attribute) = self.given(name) else { return Ok(None) };
        let proto =
            attribute.t.as_ref().ok_or_else(|| Refusal::invalid(format!("attribute `{name}` has no tensor")))?;
        let tensor = tensor_from_proto(proto).map_err(|e| Refusal::invalid(e.to_string()))?;
        Array::from_tensor(&tensor).map(Some)
    }
}
