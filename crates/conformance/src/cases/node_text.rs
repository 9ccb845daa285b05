//! Nodes, attributes and graphs as one line of text each.

use std::fmt::Write;

use plumbline_tensor::onnx::{AttributeProto, GraphProto, NodeProto, ValueInfoProto};

/// Formats a node on one line: `Add(a, b) -> c`.
pub(crate) fn node_text(node: &NodeProto) -> String {
    let mut text = format!("{}({})", node.op_type.as_deref().unwrap_or("?"), node.input.join(", "));
    for attribute in &node.attribute {
        let value = attribute_text(attribute);
        let _ = write!(text, " {}={value}", attribute.name.as_deref().unwrap_or("?"));
    }
    let _ = write!(text, " -> {}", node.output.join(", "));
    text
}

/// Formats the value of an attribute on one line; `...` stands for kinds that are not shown.
pub(crate) fn attribute_text(attribute: &AttributeProto) -> String {
    match attribute.r#type {
        Some(1) => format!("{:?}", attribute.f.unwrap_or(0.0)),
        Some(2) => attribute.i.unwrap_or(0).to_string(),
        Some(3) => string_text(attribute.s.as_deref().unwrap_or(&[])),
        Some(6) => format!("{:?}", attribute.floats),
        Some(7) => format!("{:?}", attribute.ints),
        Some(8) => format!("[{}]", attribute.strings.iter().map(|s| string_text(s)).collect::<Vec<_>>().join(", ")),
        Some(5) => attribute.g.as_deref().map(graph_text).unwrap_or_default(),
        _ => "...".to_owned(),
    }
}

/// Formats a string, or bytes that are not UTF-8, in quotes.
fn string_text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| format!("\"{}\"", bytes.escape_ascii()), |text| format!("{text:?}"))
}

/// Formats a graph attribute on one line: `{a, b: Add(a, b) -> c; c}`.
pub(crate) fn graph_text(graph: &GraphProto) -> String {
    let names =
        |infos: &[ValueInfoProto]| infos.iter().filter_map(|i| i.name.as_deref()).collect::<Vec<_>>().join(", ");
    let nodes: Vec<String> = graph.node.iter().map(node_text).collect();
    let inputs = if graph.input.is_empty() { String::new() } else { format!("{}: ", names(&graph.input)) };
    format!("{{{inputs}{}; {}}}", nodes.join("; "), names(&graph.output))
}
