//! Whether the branches that an `If` does not take are possible, too.

use plumbline_graph::RefusalKind;
use plumbline_oracle::Oracle;
use plumbline_tensor::onnx::{NodeProto, ValueInfoProto};
use plumbline_tensor::{Model, Value};

use crate::cases::named_outputs;

/// Returns whether the oracle has an answer for the other branch of each `If` of the main graph. It computes only the
/// branch that is taken, but a backend infers the shapes of both.
pub(super) fn other_branches_fit(oracle: &Oracle, model: &Model, inputs: &[Value]) -> bool {
    let nodes = model.graph().node.iter().enumerate();
    let mut choices = nodes.filter(|(_, node)| node.op_type.as_deref() == Some("If")).map(|(at, _)| at);
    choices.all(|at| {
        let answer = oracle.evaluate(&with_other_branch(model, at), inputs);
        answer.map_or_else(|refusal| refusal.kind == RefusalKind::Unsupported, |_| true)
    })
}

/// Returns the graph up to the `If` at this position, which takes its other branch.
fn with_other_branch(model: &Model, at: usize) -> Model {
    let mut model = model.clone();
    let graph = model.proto.graph.get_or_insert_default();
    graph.node.truncate(at + 1);
    let Some(node) = graph.node.last_mut() else { return model };
    swap_branches(node);
    let output = |name: &str| ValueInfoProto { name: Some(name.to_owned()), ..ValueInfoProto::default() };
    graph.output = named_outputs(node).map(output).collect();
    model
}

fn swap_branches(node: &mut NodeProto) {
    for attribute in &mut node.attribute {
        let other = match attribute.name.as_deref() {
            Some("then_branch") => "else_branch",
            Some("else_branch") => "then_branch",
            _ => continue,
        };
        attribute.name = Some(other.to_owned());
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use plumbline_tensor::{DType, Tensor};

    use super::*;

    #[test]
    fn a_branch_that_is_not_taken_has_to_be_possible() {
        let fits = |elements: usize| {
            let text = format!(
                "<ir_version: 8, opset_import: [\"\" : 13]> g (float[{elements}] x, bool c) => (float[2, 2] z) {{ \
                 y = If (c) < then_branch = t () => (float[?] a) {{ a = Neg (x) }}, \
                 else_branch = e () => (float[2, 2] b) <int64[2] s = {{2, 2}}> {{ b = Reshape (x, s) }} > \
                 z = Neg (y) }}"
            );
            let model: Model = text.parse().unwrap();
            let condition = Tensor::from_i128s(DType::Bool, vec![], &[1]).unwrap();
            let x = Tensor::from_f32s(vec![elements], &vec![1.0; elements]).unwrap();
            assert!(Oracle::default().evaluate(&model, &[x.clone().into(), condition.clone().into()]).is_ok());
            other_branches_fit(&Oracle::default(), &model, &[x.into(), condition.into()])
        };
        assert!(fits(4));
        assert!(!fits(3));
    }
}
