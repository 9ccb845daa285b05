//! Which values of a graph are not needed any more after each of its nodes.

use std::collections::HashSet;

use plumbline_tensor::onnx::GraphProto;

/// Returns the values that no node after this one reads, for each node of the main graph. Outputs of the model, inputs
/// and initializers are not among them.
pub(super) fn last_read(graph: &GraphProto) -> Vec<Vec<&str>> {
    let mut seen: HashSet<&str> = graph.output.iter().filter_map(|output| output.name.as_deref()).collect();
    let computed: HashSet<&str> = graph.node.iter().flat_map(|node| &node.output).map(String::as_str).collect();
    let mut last = vec![Vec::new(); graph.node.len()];
    for (at, node) in graph.node.iter().enumerate().rev() {
        // Nested graphs read what the nodes in them read. A name that they define themselves may be kept too long.
        for node in node.with_nested() {
            let outputs = node.nested().flat_map(|graph| &graph.output).filter_map(|output| output.name.as_deref());
            for name in node.input.iter().chain(&node.output).map(String::as_str).chain(outputs) {
                if computed.contains(name) && seen.insert(name) {
                    last[at].push(name);
                }
            }
        }
    }
    last
}
