//! Reads programs in ONNX's text syntax, so that a law reads like its formula:
//!
//! ```text
//! y, z = Split<axis = 1>(x, lengths)
//! best = ai.onnx.ml.Scaler<offset = [1.0], scale = [2.0]>(y)
//! sum = Loop<body = g (i, go, s) => (go, t) {t = Add(s, a)}>(n, , start)
//! ```
//!
//! A program consists of the nodes of a graph. The outputs of the model are the outputs of the last node. The nodes may
//! be preceded by the opsets that the program needs (`<opset_import: ["" : 10]>`) and by functions, each of which
//! begins with its domain: `<domain: "own", opset_import: ["" : 13]> Twice <by = 2.0> (x) => (y) {...}`.

use plumbline_tensor::Model;
use plumbline_tensor::onnx::{OperatorSetIdProto, ValueInfoProto};

/// The opsets that a program imports if it does not say otherwise.
const OPSETS: [(&str, i64); 5] =
    [("", 28), ("ai.onnx.ml", 5), ("ai.onnx.preview", 1), ("ai.onnx.preview.training", 1), ("own", 1)];

/// Reads a program as a model with inputs of these names.
pub fn model(program: &str, inputs: &[&str]) -> Model {
    let (mut header, mut functions, mut nodes) = ("", String::new(), program.trim_start());
    while nodes.starts_with('<') {
        let is_function = nodes.starts_with("<domain");
        let end = if is_function { end_of_block(nodes) } else { nodes.find('>').map_or(nodes.len(), |at| at + 1) };
        let (part, rest) = nodes.split_at(end);
        if is_function {
            functions += part
        } else {
            header = part
        }
        nodes = rest.trim_start();
    }
    let text = format!("{header} law ({}) => () {{ {nodes} }} {functions}", inputs.join(", "));
    let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let missing = |domain: &str, imports: &[OperatorSetIdProto]| imports.iter().all(|o| o.domain() != domain);
    let import =
        |(domain, version): (&str, i64)| OperatorSetIdProto { domain: Some(domain.to_owned()), version: Some(version) };
    for opset in OPSETS {
        if missing(opset.0, &model.proto.opset_import) {
            model.proto.opset_import.push(import(opset));
        }
    }
    for function in &mut model.proto.functions {
        function.opset_import.push(import(("own", 1)));
    }
    model.proto.ir_version = Some(10);
    let graph = model.proto.graph.as_mut().unwrap();
    let outputs = &graph.node.last().expect("a program has a node").output;
    let info = |name: &String| ValueInfoProto { name: Some(name.clone()), ..Default::default() };
    graph.output = outputs.iter().filter(|name| !name.is_empty()).map(info).collect();
    model
}

/// Returns the end of the first block in braces.
fn end_of_block(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    panic!("a function has no end: {text}");
}
