//! The values that a model computes on the way to its outputs.

use std::collections::BTreeMap;

use plumbline_oracle::{Operand, Oracle};
use plumbline_tensor::onnx::ValueInfoProto;
use plumbline_tensor::{Model, Value};

use crate::cases::named_outputs;

/// Returns the values that the nodes of the main graph compute, by name. If the oracle refuses a node, the values of
/// the nodes before it are returned.
pub(crate) fn intermediate(reference: &Oracle, model: &Model, inputs: &[Value]) -> BTreeMap<String, Operand> {
    let mut first = model.clone();
    let mut count = model.graph().node.len();
    while count > 0 {
        let Some(graph) = &mut first.proto.graph else { break };
        graph.node.truncate(count);
        let names: Vec<String> = graph.node.iter().flat_map(named_outputs).map(str::to_owned).collect();
        let output = |name: &String| ValueInfoProto { name: Some(name.clone()), ..ValueInfoProto::default() };
        graph.output = names.iter().map(output).collect();
        match reference.evaluate_located(&first, inputs) {
            Ok(evaluation) => return names.into_iter().zip(evaluation.outputs).collect(),
            // The nodes before the one that is refused have an answer.
            Err(stopped) => count = stopped.node.filter(|&node| node < count).unwrap_or(0),
        }
    }
    BTreeMap::new()
}
