//! Checks graphs: their nodes and the edges between them.

use super::{Rule, Violation, violations};
use crate::graph::{Graph, InputSource, Node};
use crate::tensor::TensorDescription;
use plumbline_spec::directml::{FeatureLevel, FieldKind};
use std::collections::BTreeMap;

/// The source that an input of a node reads.
enum Source<'a> {
    Tensor(&'a TensorDescription),
    Bytes(u64),
}

/// Returns everything that DirectML refuses in a graph at a feature level.
pub fn graph_violations(graph: &Graph, level: FeatureLevel) -> Vec<Violation> {
    let mut found = Vec::new();
    for node in &graph.nodes {
        match node {
            Node::Operator { description, name } => {
                let named = |violation| Violation { operator: format!("{name}: {}", description.name()), ..violation };
                found.extend(violations(description, level).into_iter().map(named));
            }
            Node::Constant { name, .. } if level < FeatureLevel::V6_2 => {
                let message = format!("constant nodes do not exist at {level}");
                found.push(Violation { available_from: Some(FeatureLevel::V6_2), ..broken(name, "", message, level) });
            }
            Node::Constant { .. } => {}
        }
    }
    let mut fed: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut feed = |node: usize, input: usize, source: Option<Source>, from: &str| {
        let Some(Node::Operator { description, name }) = graph.nodes.get(node) else {
            found.push(broken(
                "",
                "",
                format!("an edge from {from} leads to node {node}, which is not an operator"),
                level,
            ));
            return;
        };
        let places = description.places(FieldKind::InputTensor);
        let Some((field, Some(tensor))) = places.get(input) else {
            found.push(broken(
                name,
                "",
                format!("an edge from {from} leads to input {input}, which the operator does not have"),
                level,
            ));
            return;
        };
        *fed.entry((node, input)).or_default() += 1;
        let complaint = match source {
            None => Some(format!("reads {from}, which does not exist or does not come earlier")),
            // Types are compared for edges between operators only: graph inputs and constant nodes are bytes without a
            // type.
            Some(Source::Tensor(source)) if source.data_type != tensor.data_type => {
                Some(format!("DataType is {}, but {from} has {}", tensor.data_type, source.data_type))
            }
            Some(Source::Tensor(source)) if source.total_size_in_bytes < tensor.total_size_in_bytes => Some(format!(
                "reads {} bytes, but {from} has {}",
                tensor.total_size_in_bytes, source.total_size_in_bytes
            )),
            Some(Source::Bytes(bytes)) if bytes < tensor.total_size_in_bytes => {
                Some(format!("reads {} bytes, but {from} has {bytes}", tensor.total_size_in_bytes))
            }
            Some(_) => None,
        };
        found.extend(complaint.map(|message| broken(name, &field.name, message, level)));
    };
    for edge in &graph.input_edges {
        let source = graph.inputs.get(edge.graph_input_index);
        let source = source.map(|input| Source::Bytes(input.tensor.total_size_in_bytes));
        feed(edge.to_node_index, edge.to_node_input_index, source, &format!("input {}", edge.graph_input_index));
    }
    for edge in &graph.intermediate_edges {
        let before = edge.from_node_index < edge.to_node_index;
        let source = written(graph, edge.from_node_index, edge.from_node_output_index).filter(|_| before);
        let from = format!("output {} of node {}", edge.from_node_output_index, edge.from_node_index);
        feed(edge.to_node_index, edge.to_node_input_index, source, &from);
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        let Node::Operator { description, name } = node else { continue };
        for (input, (field, tensor)) in description.places(FieldKind::InputTensor).iter().enumerate() {
            match (tensor, fed.get(&(at, input))) {
                (Some(_), None) => found.push(broken(name, &field.name, "no edge leads to it".to_owned(), level)),
                (Some(_), Some(2..)) => {
                    found.push(broken(name, &field.name, "several edges lead to it".to_owned(), level));
                }
                _ => {}
            }
        }
    }
    for edge in graph.output_edges.iter().filter(|edge| edge.graph_output_index >= graph.outputs.len()) {
        let message = format!(
            "an edge from output {} of node {} leads to output {}, which the graph does not have",
            edge.from_node_output_index, edge.from_node_index, edge.graph_output_index
        );
        found.push(broken("", "", message, level));
    }
    for (at, output) in graph.outputs.iter().enumerate() {
        let mut edges = graph.output_edges.iter().filter(|edge| edge.graph_output_index == at);
        let edge = (edges.next(), edges.next());
        let source = match edge {
            (Some(edge), None) => written(graph, edge.from_node_index, edge.from_node_output_index),
            _ => None,
        };
        match source {
            Some(Source::Tensor(tensor)) if *tensor == output.tensor => {}
            Some(Source::Tensor(_)) => {
                let message = "differs from the tensor of the node that writes it".to_owned();
                found.push(broken("", &output.name, message, level));
            }
            _ => {
                let message = "needs exactly one edge, from an output of an operator".to_owned();
                found.push(broken("", &output.name, message, level));
            }
        }
    }
    for input in &graph.inputs {
        if let InputSource::Constant(bytes) = &input.source
            && (bytes.len() as u64) < input.tensor.smallest_total_size_in_bytes().unwrap_or(0).saturating_sub(3)
        {
            let message =
                format!("has {} bytes of data for a tensor of {} bytes", bytes.len(), input.tensor.total_size_in_bytes);
            found.push(broken("", &input.name, message, level));
        }
    }
    found
}

/// Returns what a node writes at this output.
fn written(graph: &Graph, node: usize, output: usize) -> Option<Source<'_>> {
    match graph.nodes.get(node)? {
        Node::Operator { description, .. } => description.outputs().get(output).copied().flatten().map(Source::Tensor),
        Node::Constant { data, .. } => (output == 0).then_some(Source::Bytes(data.len() as u64)),
    }
}

fn broken(operator: &str, field: &str, found: String, level: FeatureLevel) -> Violation {
    Violation {
        rule: Rule::Graph,
        operator: operator.to_owned(),
        field: field.to_owned(),
        found,
        allowed: String::new(),
        level,
        available_from: None,
    }
}
