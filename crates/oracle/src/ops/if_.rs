use plumbline_tensor::ValueKind;

use crate::families::iteration::{single, static_type};
use crate::prelude::*;

/// If-1, -11 and later: the outputs of one of two graphs, by the one element of `cond` (`cond-has-one-element`). Both have the outputs of the node
/// (`branch-outputs-fit`), of the same types (`branch-types-equal`); If-1 of the same shapes as well (`branch-shapes-equal`). What only the other
/// graph computes is not computed (`scope`).
pub fn if_(call: &Call) -> Answer {
    let cond = single(call.operand("cond")?, "`cond`", rule::COND_HAS_ONE_ELEMENT)? != 0;
    let (then, otherwise) = (&call.graph("then_branch")?.output, &call.graph("else_branch")?.output);
    if then.len() != otherwise.len() || then.len() < call.output_count() {
        let message = format!("{} and {} outputs, the node has {}", then.len(), otherwise.len(), call.output_count());
        return Err(Refusal::violates(rule::BRANCH_OUTPUTS_FIT, message));
    }
    for (a, b) in then.iter().zip(otherwise) {
        let kind = |info: &plumbline_tensor::onnx::ValueInfoProto| info.r#type.as_ref().and_then(ValueKind::from_proto);
        if let (Some(a), Some(b)) = (kind(a), kind(b))
            && a != b
        {
            return Err(Refusal::violates(rule::BRANCH_TYPES_EQUAL, format!("an output is {a} or {b}")));
        }
        if let (1, Some((_, a)), Some((_, b))) = (call.since(), static_type(a), static_type(b))
            && a != b
        {
            return Err(Refusal::violates(rule::BRANCH_SHAPES_EQUAL, format!("an output has shape {a:?} or {b:?}")));
        }
    }
    call.run_graph(if cond { "then_branch" } else { "else_branch" }, &[])
}
