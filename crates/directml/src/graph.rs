//! Graphs of operators: the data behind a `DML_GRAPH_DESC`, with the constants that the graph needs and the connection
//! to the inputs and outputs of a model.

use super::builder::Given;
use super::builder::{DescriptionBuilder, DescriptionError};
use super::description::OperatorDescription;
use super::tensor::TensorDescription;
use plumbline_spec::directml::FieldKind;
use plumbline_tensor::DType;
use std::sync::Arc;

/// Operators and the edges between them. The indices of a node's inputs and outputs are the positions in
/// [`OperatorDescription::inputs`] and [`OperatorDescription::outputs`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The nodes; each comes after all nodes that it reads from.
    pub nodes: Vec<Node>,
    /// The edges from inputs of the graph to nodes.
    pub input_edges: Vec<InputEdge>,
    /// The edges from nodes to outputs of the graph.
    pub output_edges: Vec<OutputEdge>,
    /// The edges from nodes to nodes.
    pub intermediate_edges: Vec<IntermediateEdge>,
    /// The inputs of the graph.
    pub inputs: Vec<GraphInput>,
    /// The outputs of the graph.
    pub outputs: Vec<GraphOutput>,
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An operator.
    Operator {
        /// The operator with its fields.
        description: OperatorDescription,
        /// The node's name, for messages.
        name: String,
    },
    /// A constant that is part of the graph (`DML_GRAPH_NODE_TYPE_CONSTANT`, from level 6_2). Its output has index 0.
    Constant {
        /// The constant's bytes.
        data: Arc<[u8]>,
        /// The node's name, for messages.
        name: String,
    },
}

/// An edge from an input of the graph to an input of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct InputEdge {
    pub graph_input_index: usize,
    pub to_node_index: usize,
    pub to_node_input_index: usize,
}

/// An edge from an output of a node to an output of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct OutputEdge {
    pub from_node_index: usize,
    pub from_node_output_index: usize,
    pub graph_output_index: usize,
}

/// An edge from an output of a node to an input of another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct IntermediateEdge {
    pub from_node_index: usize,
    pub from_node_output_index: usize,
    pub to_node_index: usize,
    pub to_node_input_index: usize,
}

/// An input of the graph, and the bytes that are bound to it.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphInput {
    /// The name of the model's input, or another name for messages.
    pub name: String,
    /// The tensor as a whole; nodes may read it with other sizes and strides.
    pub tensor: TensorDescription,
    /// The source of its bytes.
    pub source: InputSource,
}

/// The source of the bytes of a graph input.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSource {
    /// The model's input at this index; a bool is a byte 0 or 1.
    Model(usize),
    /// A tensor in a sequence that is an input of the model.
    Element {
        /// The index of the model's input.
        input: usize,
        /// The index of the tensor in the sequence.
        at: usize,
    },
    /// Constant bytes.
    Constant(Arc<[u8]>),
}

/// An output of the graph, and its type and shape in the model.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphOutput {
    /// The name of the model's output.
    pub name: String,
    /// The tensor as a node of the graph writes it.
    pub tensor: TensorDescription,
    /// The element type in the model, such as bool for UINT8.
    pub dtype: DType,
    /// The shape in the model, which may have rank 0.
    pub shape: Vec<usize>,
}

/// The source of a value: an input of the graph or an output of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Wire {
    /// An input of the graph.
    Input(usize),
    /// An output of a node.
    Node { node: usize, output: usize },
}

/// An unfinished graph.
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    graph: Graph,
}

impl GraphBuilder {
    /// Creates an empty graph.
    pub fn new() -> GraphBuilder {
        GraphBuilder::default()
    }

    /// Adds a graph input that takes its bytes from an input of the model.
    pub fn input(&mut self, name: &str, model_input: usize, tensor: TensorDescription) -> Wire {
        self.bound(name, tensor, InputSource::Model(model_input))
    }

    /// Adds a graph input with constant bytes. Unlike constant nodes, this works at every feature level.
    pub fn constant(&mut self, name: &str, tensor: TensorDescription, bytes: impl Into<Arc<[u8]>>) -> Wire {
        self.bound(name, tensor, InputSource::Constant(bytes.into()))
    }

    /// Adds an input to the graph.
    pub fn bound(&mut self, name: &str, tensor: TensorDescription, source: InputSource) -> Wire {
        self.graph.inputs.push(GraphInput { name: name.to_owned(), tensor, source });
        Wire::Input(self.graph.inputs.len() - 1)
    }

    /// Starts a node with this operator.
    pub fn node(&mut self, operator: &str) -> NodeBuilder<'_> {
        NodeBuilder { graph: self, description: OperatorDescription::new(operator), wires: Vec::new() }
    }

    /// Returns the tensor that a wire carries, as its node writes it or as the graph input has it.
    pub fn tensor(&self, wire: Wire) -> Option<&TensorDescription> {
        match wire {
            Wire::Input(index) => self.graph.inputs.get(index).map(|input| &input.tensor),
            Wire::Node { node, output } => match self.graph.nodes.get(node)? {
                Node::Operator { description, .. } => description.outputs().get(output).copied().flatten(),
                Node::Constant { .. } => None,
            },
        }
    }

    /// Makes a wire an output of the model. A graph has no edge from an input to an output, so ELEMENT_WISE_IDENTITY
    /// copies an input of the graph.
    ///
    /// # Errors
    /// The same as for [`DescriptionBuilder::build`].
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

    /// Returns the finished graph.
    pub fn finish(self) -> Graph {
        self.graph
    }
}

/// An unfinished node: its description and the wires that its inputs read.
#[derive(Debug)]
pub struct NodeBuilder<'a> {
    graph: &'a mut GraphBuilder,
    description: DescriptionBuilder,
    wires: Vec<(String, Wire)>,
}

impl NodeBuilder<'_> {
    /// Connects an input tensor to a wire. If the field is an array, appends the tensor to it.
    pub fn input(mut self, field: &str, wire: Wire, tensor: TensorDescription) -> Self {
        self.wires.push((field.to_owned(), wire));
        self.description = self.description.tensor(field, tensor);
        self
    }

    /// Sets an output tensor. If the field is an array, appends the tensor to it.
    pub fn output(mut self, field: &str, tensor: TensorDescription) -> Self {
        self.description = self.description.tensor(field, tensor);
        self
    }

    /// Sets an attribute, like [`DescriptionBuilder::attribute`].
    pub fn attribute(mut self, field: &str, given: impl Into<Given>) -> Self {
        self.description = self.description.attribute(field, given);
        self
    }

    /// Adds the node and returns the wire of its first output.
    ///
    /// # Errors
    /// The same as for [`DescriptionBuilder::build`], or an input tensor is not connected.
    pub fn add(self) -> Result<Wire, DescriptionError> {
        self.connect().map(|(node, _)| Wire::Node { node, output: 0 })
    }

    /// Adds the node and returns the wires of its outputs in order, including optional outputs that are left out.
    ///
    /// # Errors
    /// The same as for [`NodeBuilder::add`].
    pub fn add_outputs(self) -> Result<Vec<Wire>, DescriptionError> {
        let (node, outputs) = self.connect()?;
        Ok((0..outputs).map(|output| Wire::Node { node, output }).collect())
    }

    /// Adds the node and its edges. Returns the node's index and the number of its outputs.
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
    fn connections_become_edges() {
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
    fn an_unconnected_input_is_an_error() {
        let tensor = || TensorDescription::packed(Float32, [2, 3]);
        let mut graph = GraphBuilder::new();
        let abs = graph.node("ELEMENT_WISE_ABS").output("InputTensor", tensor()).output("OutputTensor", tensor());
        let said = abs.add().unwrap_err().to_string();
        assert_eq!(said, "ELEMENT_WISE_ABS.InputTensor: nothing is connected to it");
    }
}
