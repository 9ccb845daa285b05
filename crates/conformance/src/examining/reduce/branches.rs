//! Whether the branches that an `If` does not take are possible, too, and have outputs of the same shapes.

use plumbline_graph::{Refusal, RefusalKind};
use plumbline_oracle::Oracle;
use plumbline_tensor::onnx::{NodeProto, ValueInfoProto};
use plumbline_tensor::{Model, Value};

use crate::cases::named_outputs;

/// How the branches of each `If` of the main graph go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Branches {
    /// The oracle refuses one that is not taken.
    Impossible,
    /// The oracle has an answer for each, with other shapes than those of the branch that is taken. The first versions
    /// of `If` do not allow that.
    Possible,
    /// The outputs of both have the same shapes, or one is of a kind that the oracle does not support.
    Alike,
}

impl Branches {
    /// Asks the oracle about the branches that it does not take: a backend infers the shapes of both.
    pub fn new(oracle: &Oracle, model: &Model, inputs: &[Value]) -> Branches {
        let nodes = model.graph().node.iter().enumerate();
        let choices = nodes.filter(|(_, node)| node.op_type.as_deref() == Some("If")).map(|(at, _)| at);
        let shapes = |at, is_other| {
            let answer = oracle.evaluate(&with_branch(model, at, is_other), inputs)?;
            Ok(answer.outputs.iter().map(|output| Some(output.tensor().ok()?.shape().to_vec())).collect::<Vec<_>>())
        };
        let fit = |at| match shapes(at, true) {
            Err(Refusal { kind: RefusalKind::Unsupported, .. }) => Branches::Alike,
            Err(_) => Branches::Impossible,
            Ok(other) if shapes(at, false).is_ok_and(|taken| other != taken) => Branches::Possible,
            Ok(_) => Branches::Alike,
        };
        choices.map(fit).min().unwrap_or(Branches::Alike)
    }
}

/// Returns the graph up to the `If` at this position, which takes its other branch if `is_other`.
fn with_branch(model: &Model, at: usize, is_other: bool) -> Model {
    let mut model = model.clone();
    let graph = model.proto.graph.get_or_insert_default();
    graph.node.truncate(at + 1);
    let Some(node) = graph.node.last_mut() else { return model };
    if is_other {
        swap_branches(node);
    }
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

    /// Asks about a branch that is taken, and one that wants four elements and gives four.
    fn branches(elements: usize, taken: &str) -> Branches {
        let text = format!(
            "<ir_version: 8, opset_import: [\"\" : 13]> g (float[{elements}] x, bool c) => (float[?] z) {{ \
             y = If (c) < then_branch = t () => (float[?] a) {{ a = {taken} (x) }}, \
             else_branch = e () => (float[?] b) <int64[2] s = {{2, 2}}, int64[1] t = {{4}}> \
             {{ m = Reshape (x, s) b = Reshape (m, t) }} > \
             z = Neg (y) }}"
        );
        let model: Model = text.parse().unwrap();
        let condition = Tensor::from_i128s(DType::Bool, vec![], &[1]).unwrap();
        let x = Tensor::from_f32s(vec![elements], &vec![1.0; elements]).unwrap();
        let inputs = [x.into(), condition.into()];
        assert!(Oracle::default().evaluate(&model, &inputs).is_ok());
        Branches::new(&Oracle::default(), &model, &inputs)
    }

    #[test]
    fn a_branch_that_is_not_taken_has_to_be_possible() {
        assert_eq!(branches(4, "Neg"), Branches::Alike);
        assert_eq!(branches(4, "ReduceSum"), Branches::Possible);
        assert_eq!(branches(3, "Neg"), Branches::Impossible);
    }
}
