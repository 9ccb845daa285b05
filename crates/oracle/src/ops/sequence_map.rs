use plumbline_tensor::ValueKind;

use crate::families::sequence::sequence;
use crate::prelude::*;

/// Runs a graph on each element of the sequences, together with the other inputs, and collects the outputs in
/// sequences.
///
/// The only version is 17. No sequence is shorter than the first (`sequences-long-enough`). Longer sequences:
/// `longer-sequences`. The body has as many inputs and outputs as the node (`body-fits-node`). Each output of the
/// body is a tensor, and has the same type in all iterations (`non-tensor-outputs`).
pub fn sequence_map(call: &Call) -> Answer {
    let body = call.graph("body")?;
    let (_, first) = sequence(call, "input_sequence")?;
    let inputs: Vec<&Operand> = call.operands().iter().flatten().collect();
    if body.input.len() != inputs.len() || body.output.len() != call.output_count() {
        return Err(Refusal::violates(
            rule::BODY_FITS_NODE,
            format!(
                "the body and the node differ in the number of inputs ({} and {}) or of outputs",
                body.input.len(),
                inputs.len()
            ),
        ));
    }
    let mut outputs: Vec<Vec<Operand>> = vec![vec![]; body.output.len()];
    let lengths =
        inputs.iter().filter_map(|i| if let Operand::Sequence { items, .. } = i { Some(items.len()) } else { None });
    if lengths.clone().any(|length| length < first.len()) {
        return Err(Refusal::violates(
            rule::SEQUENCES_LONG_ENOUGH,
            format!("sequences have lengths {:?}, expected none shorter than the first", lengths.collect::<Vec<_>>()),
        ));
    }
    if lengths.clone().any(|length| length > first.len()) {
        return Err(Refusal::leaves_open(rule::LONGER_SEQUENCES, "a sequence is longer than the first"));
    }
    for at in 0..first.len() {
        let element = |input: &&Operand| match input {
            Operand::Sequence { items, .. } => items[at].clone(),
            other => (*other).clone(),
        };
        let inputs: Vec<Operand> = inputs.iter().map(element).collect();
        for (gathered, value) in outputs.iter_mut().zip(call.run_graph("body", &inputs)?) {
            gathered.push(value);
        }
    }
    let sequence_of = |(declared, items): (&plumbline_tensor::onnx::ValueInfoProto, Vec<Operand>)| {
        let kind = items.first().map(Operand::kind).or_else(|| ValueKind::from_proto(declared.r#type.as_ref()?));
        // For an empty sequence, the output has the type that the body declares (`empty-sequence`).
        let element = kind.ok_or_else(|| {
            Refusal::leaves_open(rule::EMPTY_SEQUENCE, "the body does not declare the type of an output")
        })?;
        if !matches!(element, ValueKind::Tensor(_)) || items.iter().any(|i| i.kind() != element) {
            return Err(Refusal::leaves_open(
                rule::NON_TENSOR_OUTPUTS,
                format!("an output of the body is {element}, expected tensors of one type in all iterations"),
            ));
        }
        Ok(Operand::Sequence { element, items })
    };
    body.output.iter().zip(outputs).map(sequence_of).collect()
}
