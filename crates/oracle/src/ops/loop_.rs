use plumbline_tensor::onnx::GraphProto;

use crate::families::iteration::{Gathered, single, static_type};
use crate::prelude::*;

/// Runs a graph repeatedly, while fewer than `M` iterations are done and the condition holds. `M` and `cond` may be
/// left out (`loop-condition`).
///
/// Versions 1 to 25 have the same meaning. `M` and `cond` have one element each (`m-and-cond-scalar`). The body takes
/// the iteration number, the condition and N values, and returns a condition, N values and K values to collect
/// (`body-fits-node`). The N values keep their types (`carried-types-kept`); the collected values have one shape and
/// type in all iterations (`iteration-shapes-equal`). The body can read the values of the graphs around it (`scope`).
pub fn loop_(call: &Call) -> Answer {
    let body = call.graph("body")?;
    let most = call.optional_operand("M").map(|m| single(m, "`M`", rule::M_AND_COND_SCALAR)).transpose()?;
    let given = call.optional_operand("cond").map(|c| single(c, "`cond`", rule::M_AND_COND_SCALAR)).transpose()?;
    let initial = call
        .operands()
        .iter()
        .skip(2)
        .map(|v| v.clone().ok_or_else(|| Refusal::invalid("the initial value of a carried value is missing")));
    let mut carried = initial.collect::<Result<Vec<Operand>, _>>()?;
    let n = carried.len();
    if body.input.len() != 2 + n || body.output.len() < 1 + n || body.output.len() - 1 < call.output_count() {
        let message = format!(
            "the body has {} inputs and {} outputs, which do not fit {n} carried values and {} outputs of the node",
            body.input.len(),
            body.output.len(),
            call.output_count()
        );
        return Err(Refusal::violates(rule::BODY_FITS_NODE, message));
    }
    let mut gathered = vec![Gathered::default(); body.output.len() - 1 - n];
    let mut goes_on = given.is_none_or(|c| c != 0);
    let mut iteration: i64 = 0;
    while goes_on && most.is_none_or(|most| i128::from(iteration) < most) {
        let mut inputs = vec![
            counter(body, 0, Tensor::from_i64s(&[iteration]))?,
            counter(body, 1, Tensor::from_i128s(DType::Bool, vec![1], &[i128::from(goes_on)])?)?,
        ];
        inputs.extend(carried);
        let mut outputs = call.run_graph("body", &inputs)?.into_iter();
        let after = outputs
            .next()
            .ok_or_else(|| Refusal::violates(rule::BODY_FITS_NODE, "the body has no output for the condition"))?;
        let after = single(&after, "the condition of the body", rule::BODY_FITS_NODE)?;
        carried = outputs.by_ref().take(n).collect();
        if let Some(at) = (0..n).find(|&at| carried[at].kind() != inputs[2 + at].kind()) {
            let message =
                format!("carried value {at} changes its type from {} to {}", inputs[2 + at].kind(), carried[at].kind());
            return Err(Refusal::violates(rule::CARRIED_TYPES_KEPT, message));
        }
        for (gathered, value) in gathered.iter_mut().zip(outputs) {
            gathered.push(&value, rule::ITERATION_SHAPES_EQUAL)?;
        }
        // Without `cond`, the condition that the body returns is ignored (`loop-condition`).
        goes_on = given.is_none() || after != 0;
        iteration += 1;
    }
    // With zero iterations, a collected output has extent 0, followed by the shape that the body declares for each
    // value (`no-iterations`).
    let outputs =
        gathered.iter().enumerate().map(|(k, g)| g.output(0, false, body.output.get(1 + n + k), rule::NO_ITERATIONS));
    carried.extend(outputs.map(|output| output.map(Operand::from)).collect::<Result<Vec<_>, _>>()?);
    Ok(carried)
}

/// Returns the iteration number or the condition as a scalar, or in the shape [1] if the body declares that shape
/// (`scalar-rank`).
fn counter(body: &GraphProto, at: usize, value: Tensor) -> Result<Operand, Refusal> {
    let one_dimension = body.input.get(at).and_then(static_type).is_some_and(|(_, shape)| shape == [1]);
    let value = if one_dimension { value } else { value.reshaped(vec![])? };
    Ok(Expected::from(value).into())
}
