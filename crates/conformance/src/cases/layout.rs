//! The nodes of a model's main graph: which values each reads and computes, and the smallest part of the model that
//! computes some of them from values that are known.

use std::collections::{BTreeSet, HashMap, HashSet};

use plumbline_generator::value_info;
use plumbline_graph::Library;
use plumbline_tensor::onnx::{AttributeProto, GraphProto, ModelProto, NodeProto, ValueInfoProto};
use plumbline_tensor::{Model, ValueKind};

/// A node of a model's main graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePlace {
    /// Its position in the graph, from 0.
    pub index: usize,
    /// Its name; empty if it has none.
    pub name: String,
    /// The operator version that the model's opset selects (`Conv-22`), or only the operator's name if the opset
    /// selects none or the node calls a function of the model.
    pub operator: String,
    /// The names of its outputs, without those that it leaves out.
    pub outputs: Vec<String>,
}

impl std::fmt::Display for NodePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "node {}", self.index)?;
        if !self.name.is_empty() {
            write!(f, " `{}`", self.name.escape_debug())?;
        }
        write!(f, " ({}) -> {}", self.operator.escape_debug(), self.outputs.join(", ").escape_debug())
    }
}

/// The nodes of a model's main graph with the names of the values that they read.
pub(crate) struct Layout<'a> {
    model: &'a Model,
    /// The values that each node reads, including those that its nested graphs read from outside.
    reads: Vec<Vec<&'a str>>,
    /// The node that computes a value.
    producers: HashMap<&'a str, usize>,
    constants: HashSet<&'a str>,
}

/// A part of a model, as a model of its own.
pub(crate) struct Part {
    pub model: Model,
    /// The names of its inputs.
    pub inputs: Vec<String>,
    /// The positions of its nodes in the whole model, in ascending order.
    pub nodes: Vec<usize>,
}

impl<'a> Layout<'a> {
    pub fn new(model: &'a Model) -> Layout<'a> {
        let graph = model.graph();
        let reads = graph.node.iter().map(reads);
        let outputs = graph.node.iter().enumerate();
        let producers = outputs.flat_map(|(at, node)| named_outputs(node).map(move |name| (name, at))).collect();
        let constants = graph.initializer.iter().filter_map(|tensor| tensor.name.as_deref()).collect();
        Layout { model, reads: reads.collect(), producers, constants }
    }

    pub fn nodes(&self) -> &'a [NodeProto] {
        &self.model.graph().node
    }

    /// Returns whether the graph has a value of this name: an input, an initializer or the output of a node.
    pub fn has_value(&self, name: &str) -> bool {
        let is_input = || self.model.graph().input.iter().any(|input| input.name.as_deref() == Some(name));
        self.producers.contains_key(name) || self.constants.contains(name) || is_input()
    }

    /// Returns the position of the node that computes a value. Returns `None` for inputs and initializers.
    pub fn producer(&self, name: &str) -> Option<usize> {
        self.producers.get(name).copied()
    }

    /// Returns the values that a node reads.
    pub fn reads(&self, node: usize) -> &[&'a str] {
        &self.reads[node]
    }

    /// Describes a node.
    pub fn place(&self, index: usize) -> NodePlace {
        let node = &self.nodes()[index];
        let library = Library::new(self.model);
        let operator = match (library.function(node), library.resolve(node)) {
            (None, Ok(version)) => version.id.to_string(),
            _ => node.op_type.clone().unwrap_or_default(),
        };
        NodePlace {
            index,
            name: node.name.clone().unwrap_or_default(),
            operator,
            outputs: named_outputs(node).map(str::to_owned).collect(),
        }
    }

    /// Returns the part of the model that computes these outputs of a node. `given` returns the types of the values that
    /// are known, among them all inputs of the model. The inputs of the part are the known values nearest to the node.
    pub fn part(&self, node: usize, outputs: &[&str], given: &mut dyn FnMut(&str) -> Option<ValueKind>) -> Part {
        let mut nodes = BTreeSet::from([node]);
        let (mut inputs, mut constants) = (BTreeSet::new(), HashSet::new());
        let mut left = vec![node];
        // Gradient differentiates the nodes before it, so the values of its inputs are not enough to compute it.
        let whole = self.nodes()[node].op_type.as_deref() == Some("Gradient");
        while let Some(next) = left.pop() {
            for &name in &self.reads[next] {
                let computed = self.producer(name);
                match given(name).filter(|_| computed.is_none() || !whole) {
                    Some(kind) => _ = inputs.insert((name, kind)),
                    _ if self.constants.contains(name) => _ = constants.insert(name),
                    _ => {
                        if let Some(before) = computed.filter(|&before| nodes.insert(before)) {
                            left.push(before);
                        }
                    }
                }
            }
        }
        let graph = self.model.graph();
        let declared =
            outputs.iter().map(|name| ValueInfoProto { name: Some((*name).to_owned()), ..ValueInfoProto::default() });
        let is_read = |name: &Option<String>| name.as_deref().is_some_and(|name| constants.contains(name));
        let graph = GraphProto {
            node: nodes.iter().map(|&at| graph.node[at].clone()).collect(),
            name: graph.name.clone(),
            initializer: graph.initializer.iter().filter(|tensor| is_read(&tensor.name)).cloned().collect(),
            input: inputs.iter().map(|(name, kind)| value_info(name, kind, None)).collect(),
            output: declared.collect(),
            ..GraphProto::default()
        };
        let whole = &self.model.proto;
        let proto = ModelProto {
            ir_version: whole.ir_version,
            graph: Some(graph),
            opset_import: whole.opset_import.clone(),
            functions: whole.functions.clone(),
            ..ModelProto::default()
        };
        let inputs = inputs.into_iter().map(|(name, _)| name.to_owned()).collect();
        Part { model: Model { proto }, inputs, nodes: nodes.into_iter().collect() }
    }
}

/// Returns the names of a node's outputs without those that it leaves out.
pub(crate) fn named_outputs(node: &NodeProto) -> impl Iterator<Item = &str> {
    node.output.iter().map(String::as_str).filter(|name| !name.is_empty())
}

/// Returns the values that a node reads, including those that its nested graphs read from outside, each of them once.
pub(crate) fn reads(node: &NodeProto) -> Vec<&str> {
    let mut names = Vec::new();
    read_by_node(node, &HashSet::new(), &mut names);
    names
}

/// Adds the names that a node reads, except those that are `inner`: defined in the nested graph that the node is in.
fn read_by_node<'a>(node: &'a NodeProto, inner: &HashSet<&'a str>, names: &mut Vec<&'a str>) {
    for name in node.input.iter().map(String::as_str).filter(|name| !name.is_empty() && !inner.contains(name)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for graph in node.nested() {
        read_by_graph(graph, inner, names);
    }
}

fn read_by_graph<'a>(graph: &'a GraphProto, inner: &HashSet<&'a str>, names: &mut Vec<&'a str>) {
    let mut inner = inner.clone();
    inner.extend(graph.input.iter().filter_map(|input| input.name.as_deref()));
    inner.extend(graph.initializer.iter().filter_map(|tensor| tensor.name.as_deref()));
    for node in &graph.node {
        read_by_node(node, &inner, names);
        inner.extend(named_outputs(node));
    }
    // A nested graph may give a value from outside as its output.
    for name in graph.output.iter().filter_map(|output| output.name.as_deref()) {
        if !inner.contains(name) && !names.contains(&name) {
            names.push(name);
        }
    }
}

/// Returns the names of values in the attributes of a node: those between which Gradient differentiates.
pub(super) fn names_in_attributes(node: &mut NodeProto) -> impl Iterator<Item = &mut Vec<u8>> {
    let is_gradient = node.op_type.as_deref() == Some("Gradient");
    let named = move |attribute: &&mut AttributeProto| {
        is_gradient && attribute.name.as_deref().is_some_and(|name| ["xs", "zs", "y"].contains(&name))
    };
    node.attribute.iter_mut().filter(named).flat_map(|attribute| attribute.s.iter_mut().chain(&mut attribute.strings))
}

/// Renames values in a node: its inputs, its outputs, what it names in attributes, and what its nested graphs read from
/// outside.
pub(crate) fn renamed(node: &NodeProto, names: &HashMap<String, String>) -> NodeProto {
    let new = |name: &String| names.get(name).unwrap_or(name).clone();
    let mut node = NodeProto {
        input: node.input.iter().map(new).collect(),
        output: node.output.iter().map(new).collect(),
        ..node.clone()
    };
    for name in names_in_attributes(&mut node) {
        if let Some(new) = std::str::from_utf8(name).ok().and_then(|name| names.get(name)) {
            *name = new.clone().into_bytes();
        }
    }
    for attribute in &mut node.attribute {
        for graph in attribute.g.as_deref_mut().into_iter().chain(&mut attribute.graphs) {
            let inputs = graph.input.iter().filter_map(|info| info.name.as_deref());
            let constants = graph.initializer.iter().filter_map(|tensor| tensor.name.as_deref());
            let computed = graph.node.iter().flat_map(named_outputs);
            let inner: BTreeSet<&str> = inputs.chain(constants).chain(computed).collect();
            let outer: HashMap<String, String> = names
                .iter()
                .filter(|(name, _)| !inner.contains(name.as_str()))
                .map(|(name, new)| (name.clone(), new.clone()))
                .collect();
            graph.node = graph.node.iter().map(|node| renamed(node, &outer)).collect();
            for info in &mut graph.output {
                info.name = info.name.as_ref().map(|name| outer.get(name).unwrap_or(name).clone());
            }
        }
    }
    node
}
