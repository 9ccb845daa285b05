//! Operators that feed each other: what `DML_GRAPH_DESC` says, with the constants it needs and what it has to do with
//! the inputs and outputs of a model.

use super::attribute::Given;
use super::builder::{DescriptionBuilder, DescriptionError};
use super::description::OperatorDescription;
use super::tensor::TensorDescription;
use plumbline_spec::directml::FieldKind;
use plumbline_tensor::DType;
use std::sync::Arc;

/// Operators and how they are connected. Inputs and outputs of a node are counted as [`OperatorDescription::inputs`]
/// and [`OperatorDescription::outputs`] do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// What runs, each after all that it reads from.
    pub nodes: Vec<Node>,
    /// From inputs of the graph to nodes.
    pub input_edges: Vec<InputEdge>,
    /// From nodes to outputs of the graph.
    pub output_edges: Vec<OutputEdge>,
    /// From nodes to nodes.
    pub intermediate_edges: Vec<IntermediateEdge>,
    /// What the graph reads.
    pub inputs: Vec<GraphInput>,
    /// What it writes.
    pub outputs: Vec<GraphOutput>,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An operator.
    Operator {
        /// What it is.
        description: OperatorDescription,
        /// For messages.
        name: String,
    },
    /// Bytes that are part of the graph (`DML_GRAPH_NODE_TYPE_CONSTANT`, from level 6_2); its output has index 0.
    Constant {
        /// The bytes.
        data: Arc<[u8]>,
        /// For messages.
        name: String,
    },
}

/// From an input of the graph to one of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct InputEdge {
    pub graph_input_index: usize,
    pub to_node_index: usize,
    pub to_node_input_index: usize,
}

/// From an output of a node to one of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct OutputEdge {
    pub from_node_index: usize,
    pub from_node_output_index: usize,
    pub graph_output_index: usize,
}

/// From an output of a node to an input of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct IntermediateEdge {
    pub from_node_index: usize,
    pub from_node_output_index: usize,
    pub to_node_index: usize,
    pub to_node_input_index: usize,
}

/// What is bound to an input of the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphInput {
    /// Its name: that of the model's input, or for messages.
    pub name: String,
    /// What it is as a whole; nodes may read it with other sizes and strides.
    pub tensor: TensorDescription,
    /// Where its bytes come from.
    pub source: InputSource,
}

/// Where the bytes of an input of the graph come from.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// The model's input of this index; a bool is a byte 0 or 1.
    Model(usize),
    /// A tensor of the model's input of this index, which is a sequence.
    Element {
        /// Which input.
        input: usize,
        /// Which tensor of it.
        at: usize,
    },
    /// These bytes.
    Constant(Arc<[u8]>),
}

/// What is bound to an output of the graph, and what the model makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphOutput {
    /// The name of the model's output.
    pub name: String,
    /// What the node writes.
    pub tensor: TensorDescription,
    /// Its element type in the model: bool for UINT8, for instance.
    pub dtype: DType,
    /// Its shape in the model, which may have no dimensions.
    pub shape: Vec<usize>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Wire {
    /// An input of the graph.
    Input(usize),
    /// An output of a node.
    Node { node: usize, output: usize },
}

/// A graph in the making.
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    graph: Graph,
}

impl GraphBuilder {
    /// A graph of nothing.
    pub fn new() -> GraphBuilder {
        GraphBuilder::default()
    }

    /// An input of the model.
    pub fn input(&mut self, name: &str, model_input: usize, tensor: TensorDescription) -> Wire {
        self.bound(name, tensor, InputSource::Model(model_input))
    }

    /// Bytes that are bound to an input of the graph, which every feature level can.
    pub fn constant(&mut self, name: &str, tensor: TensorDescription, bytes: impl Into<Arc<[u8]>>) -> Wire {
        self.bound(name, tensor, InputSource::Constant(bytes.into()))
    }

    /// An input of the graph.
    pub fn bound(&mut self, name: &str, tensor: TensorDescription, source: InputSource) -> Wire {
        self.graph.inputs.push(GraphInput { name: name.to_owned(), tensor, source });
        Wire::Input(self.graph.inputs.len() - 1)
    }

    /// Begins a node of this operator.
    pub fn node(&mut self, operator: &str) -> NodeBuilder<'_> {
        NodeBuilder { graph: self, description: OperatorDescription::new(operator), wires: Vec::new() }
    }

    /// What is behind a wire: the tensor its producer writes, or the input of the graph.
    pub fn tensor(&self, wire: Wire) -> Option<&TensorDescription> {
        match wire {
            Wire::Input(index) => self.graph.inputs.get(index).map(|input| &input.tensor),
            Wire::Node { node, output } => match self.graph.nodes.get(node)? {
                Node::Operator { description, .. } => description.outputs().get(output).copied().flatten(),
                Node::Constant { .. } => None,
            },
        }
    }

    /// Makes a wire an output of the model. Inputs and constants go through IDENTITY on their way, as graphs have no
    /// edge from an input to an output.
    ///
    /// # Errors
    /// What [`DescriptionBuilder::build`] says.
    pub fn output(
        &mut self,
        name: &str,
        wire: Wire,
        tensor: TensorDescription,
        dtype: DType,
        shape: &[usize],
    ) -> Result<(), DescriptionError> {
        let wire = match wire {
            Wire::Input(_) => {
                let copy = self.node("ELEMENT_WISE_IDENTITY").input("InputTensor", wire, tensor.clone());
                copy.output("OutputTensor", tensor.clone()).add()?
            }
            wire => wire,
        };
        if let Wire::Node { node, output } = wire {
            let graph_output_index = self.graph.outputs.len();
            let edge = OutputEdge { from_node_index: node, from_node_output_index: output, graph_output_index };
            self.graph.output_edges.push(edge);
        }
        self.graph.outputs.push(GraphOutput { name: name.to_owned(), tensor, dtype, shape: shape.to_vec() });
        Ok(())
    }

    /// The graph.
    pub fn finish(self) -> Graph {
        self.graph
    }
}

/// A node in the making: what its fields are, and what they read.
#[derive(Debug)]
pub struct NodeBuilder<'a> {
    graph: &'a mut GraphBuilder,
    description: DescriptionBuilder,
    wires: Vec<(String, Wire)>,
}

impl NodeBuilder<'_> {
    /// An input tensor that reads a wire. Further ones of a field that is an array follow.
    pub fn input(mut self, field: &str, wire: Wire, tensor: TensorDescription) -> Self {
        self.wires.push((field.to_owned(), wire));
        self.description = self.description.tensor(field, tensor);
        self
    }

    /// An input tensor, or none.
    pub fn optional_input(self, field: &str, input: Option<(Wire, TensorDescription)>) -> Self {
        match input {
            Some((wire, tensor)) => self.input(field, wire, tensor),
            None => self,
        }
    }

    /// An output tensor. Further ones of a field that is an array follow.
    pub fn output(mut self, field: &str, tensor: TensorDescription) -> Self {
        self.description = self.description.tensor(field, tensor);
        self
    }

    /// An attribute: see [`DescriptionBuilder::attribute`].
    pub fn attribute(mut self, field: &str, given: impl Into<Given>) -> Self {
        self.description = self.description.attribute(field, given);
        self
    }

    /// Adds the node; the wire of its first output.
    ///
    /// # Errors
    /// What [`DescriptionBuilder::build`] says, and an input that was not connected.
    pub fn add(self) -> Result<Wire, DescriptionError> {
        self.connect().map(|(node, _)| Wire::Node { node, output: 0 })
    }

    /// Adds the node; the wires of its outputs, in order, optional ones that are left out included.
    ///
    /// # Errors
    /// As [`NodeBuilder::add`].
    pub fn add_outputs(self) -> Result<Vec<Wire>, DescriptionError> {
        let (node, outputs) = self.connect()?;
        Ok((0..outputs).map(|output| Wire::Node { node, output }).collect())
    }

    /// Adds the node and its edges; its index, and how many outputs it has.
    fn connect(self) -> Result<(usize, usize), DescriptionError> {
        let description = self.description.build()?;
        let graph = &mut self.graph.graph;
        let mut wires = self.wires;
        for (to_node_input_index, (field, tensor)) in description.places(FieldKind::InputTensor).iter().enumerate() {
            if tensor.is_none() {
                continue;
            }
            let Some(at) = wires.iter().position(|(name, _)| *name == field.name) else {
                return Err(DescriptionError::Unconnected { operator: description.name(), field: &field.name });
            };
            let to_node_index = graph.nodes.len();
            match wires.remove(at).1 {
                Wire::Input(graph_input_index) => {
                    graph.input_edges.push(InputEdge { graph_input_index, to_node_index, to_node_input_index });
                }
                Wire::Node { node: from_node_index, output: from_node_output_index } => {
                    graph.intermediate_edges.push(IntermediateEdge {
                        from_node_index,
                        from_node_output_index,
                        to_node_index,
                        to_node_input_index,
                    });
                }
            }
        }
        let outputs = description.outputs().len();
        let name = format!("{} {}", graph.nodes.len(), description.name());
        graph.nodes.push(Node::Operator { description, name });
        Ok((graph.nodes.len() - 1, outputs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumbline_spec::directml::TensorDataType::Float32;

    #[test]
    fn wires_become_edges() {
        let tensor = || TensorDescription::packed(Float32, [2, 3]);
        let mut graph = GraphBuilder::new();
        let x = graph.input("X", 0, tensor());
        let one = graph.constant("one", TensorDescription::strided(Float32, [2, 3], [0, 0]), 1f32.to_le_bytes());
        let one_view = graph.tensor(one).cloned().unwrap();
        let sum = graph.node("ELEMENT_WISE_ADD").input("ATensor", x, tensor()).input("BTensor", one, one_view);
        let sum = sum.output("OutputTensor", tensor()).add().unwrap();
        let abs = graph.node("ELEMENT_WISE_ABS").input("InputTensor", sum, tensor()).output("OutputTensor", tensor());
        let abs = abs.add().unwrap();
        graph.output("Y", abs, tensor(), DType::Float, &[2, 3]).unwrap();
        graph.output("Z", x, tensor(), DType::Float, &[2, 3]).unwrap();
        let graph = graph.finish();
        assert_eq!((graph.nodes.len(), graph.inputs.len(), graph.outputs.len()), (3, 2, 2));
        let input = |g, n, i| InputEdge { graph_input_index: g, to_node_index: n, to_node_input_index: i };
        assert_eq!(graph.input_edges, [input(0, 0, 0), input(1, 0, 1), input(0, 2, 0)]);
        let edge = IntermediateEdge {
            from_node_index: 0,
            from_node_output_index: 0,
            to_node_index: 1,
            to_node_input_index: 0,
        };
        assert_eq!(graph.intermediate_edges, [edge]);
        assert_eq!(graph.output_edges.len(), 2);
    }

    #[test]
    fn an_input_that_reads_nothing() {
        let tensor = || TensorDescription::packed(Float32, [2, 3]);
        let mut graph = GraphBuilder::new();
        let abs = graph.node("ELEMENT_WISE_ABS").output("InputTensor", tensor()).output("OutputTensor", tensor());
        let said = abs.add().unwrap_err().to_string();
        assert_eq!(said, "ELEMENT_WISE_ABS.InputTensor: nothing is connected to it");
    }
}
