//! A node with its inputs, as operators see it: its arity, attributes and types conform to its operator version.

use plumbline_spec::OperatorVersion;
use plumbline_tensor::onnx::{AttributeProto, NodeProto};

use super::array::{Array, Held};
use super::body::Body;
use plumbline_graph::{Attributes, Refusal};

/// The result of an operator: one value for each output.
pub type Outputs = Result<Vec<Held>, Refusal>;

/// A function that computes an operator: it takes a checked node and returns the outputs.
pub type Operator = fn(&Node) -> Outputs;

/// Returns the array as the only output.
pub fn one(array: Array) -> Outputs {
    Ok(vec![array.into()])
}

/// A node with its inputs. Its arity, attributes and types conform to its operator version.
pub struct Node<'a> {
    /// The operator version, with its formal inputs, outputs, attributes and types.
    pub version: &'a OperatorVersion,
    proto: &'a NodeProto,
    attributes: Attributes<'a>,
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
        Ok(Node { version, proto, attributes: Attributes::new(version, proto), inputs, bodies: Vec::new() })
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
                "input {at} is {0}, but this kernel takes only tensors there",
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
        self.attributes.given(name)
    }

    /// Returns an integer attribute, or else its default.
    pub fn optional_int(&self, name: &str) -> Option<i64> {
        self.attributes.int(name)
    }

    /// Returns an integer attribute, or else its default, or else 0.
    pub fn int(&self, name: &str) -> i64 {
        self.optional_int(name).unwrap_or(0)
    }

    /// Returns a float attribute, or else its default.
    pub fn optional_float(&self, name: &str) -> Option<f32> {
        self.attributes.float(name)
    }

    /// Returns a float attribute, or else its default, or else 0.
    pub fn float(&self, name: &str) -> f32 {
        self.optional_float(name).unwrap_or(0.0)
    }

    /// Returns an attribute of integers, or else its default.
    pub fn ints(&self, name: &str) -> Option<&'a [i64]> {
        self.attributes.ints(name)
    }

    /// Returns a string attribute, or else its default, or else the empty string.
    pub fn string(&self, name: &str) -> Result<&'a str, Refusal> {
        text(name, self.attributes.string(name).unwrap_or_default())
    }

    /// Returns whether this version has an attribute of this name.
    pub fn has_attribute(&self, name: &str) -> bool {
        self.version.attribute(name).is_some()
    }

    /// Returns an attribute of floats, or else its default, or else nothing.
    pub fn floats(&self, name: &str) -> &'a [f32] {
        self.attributes.floats(name).unwrap_or_default()
    }

    /// Returns an attribute of strings if the node sets it, and never a default. The only such attribute with a default
    /// is `activations` of RNN, whose default has two names and so does not fit a node with one direction.
    pub fn strings(&self, name: &str) -> Result<Option<Vec<&'a str>>, Refusal> {
        let Some(attribute) = self.given(name) else { return Ok(None) };
        attribute.strings.iter().map(|bytes| text(name, bytes)).collect::<Result<_, _>>().map(Some)
    }

    /// Returns a tensor attribute if the node sets it.
    pub fn tensor(&self, name: &str) -> Result<Option<Array>, Refusal> {
        self.attributes.tensor(name)?.as_ref().map(Array::from_tensor).transpose()
    }
}

fn text<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, Refusal> {
    std::str::from_utf8(bytes).map_err(|_| Refusal::invalid(format!("attribute `{name}` is not valid UTF-8")))
}
