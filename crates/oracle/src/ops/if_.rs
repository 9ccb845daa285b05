use plumbline_tensor::ValueKind;

use crate::families::iteration::{single, static_type};
use crate::prelude::*;

/// Runs one of two graphs, chosen by the single element of `cond` (`cond-has-one-element`), and returns its outputs.
///
/// Both graphs have as many outputs as the node (`branch-outputs-fit`), with the same types (`branch-types-equal`). In
/// version 1, the shapes are the same too (`branch-shapes-equal`); from version 11 on, they may differ. The graph that
/// is not chosen does not run (`scope`). The text of earlier releases does not say how many elements `cond` has
/// (`cond-of-other-size`).
pub fn if_(call: &Call) -> Answer {
    if call.tensor("cond")?.len() != 1 && call.follows(rule::COND_OF_OTHER_SIZE) {
        return Err(Refusal::leaves_open(rule::COND_OF_OTHER_SIZE, "`cond` does not have one element"));
    }
    let cond = single(call.operand("cond")?, "`cond`", rule::COND_HAS_ONE_ELEMENT)? != 0;
    let (then, otherwise) = (&call.graph("then_branch")?.output, &call.graph("else_branch")?.output);
    if then.len() != otherwise.len() || then.len() != call.output_count() {
        let message = format!(
            "the branches have {} and {} outputs, the node has {}",
            then.len(),
            otherwise.len(),
            call.output_count()
        );
        return Err(Refusal::violates(rule::BRANCH_OUTPUTS_FIT, message));
    }
    for (a, b) in then.iter().zip(otherwise) {
        let kind = |info: &plumbline_tensor::onnx::ValueInfoProto| info.r#type.as_ref().and_then(ValueKind::from_proto);
        if let (Some(a), Some(b)) = (kind(a), kind(b))
            && a != b
        {
            return Err(Refusal::violates(
                rule::BRANCH_TYPES_EQUAL,
                format!("the branches declare the types {a} and {b} for the same output"),
            ));
        }
        if let (1, Some((_, a)), Some((_, b))) = (call.since(), static_type(a), static_type(b))
            && a != b
        {
            return Err(Refusal::violates(
                rule::BRANCH_SHAPES_EQUAL,
                format!("the branches declare the shapes {a:?} and {b:?} for the same output"),
            ));
        }
    }
    call.run_graph(if cond { "then_branch" } else { "else_branch" }, &[])
}
