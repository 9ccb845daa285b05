//! Recurrent networks: GRU, LSTM and RNN.

use plumbline_spec::directml::DirectMl;

use crate::directml::description::{Attribute, Fused};
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// The activations that ONNX's recurrent operators have as well. Those up to [`BELOW_ONE`] have results in [0, 1], those up
/// to [`BOUNDED`] in [-1, 1].
const ACTIVATIONS: [&str; 12] = [
    "SIGMOID",
    "HARD_SIGMOID",
    "TANH",
    "SOFTSIGN",
    "SCALED_TANH",
    "RELU",
    "LEAKY_RELU",
    "THRESHOLDED_RELU",
    "ELU",
    "SOFTPLUS",
    "LINEAR",
    "IDENTITY",
];
const BELOW_ONE: usize = 2;
const BOUNDED: usize = 4;

/// Draws one of the first `count` activations.
fn activation(d: &mut Drawing, count: usize) -> Option<Fused> {
    let name = ACTIVATIONS[d.below(count)];
    d.feature(&format!("ActivationDescs {name}"));
    let operator = DirectMl::embedded().find(&format!("DML_OPERATOR_ACTIVATION_{name}")).ok()?;
    let mut fields = Vec::new();
    for field in operator.attributes() {
        // ONNX's Softplus has no steepness.
        let value = if field.name == "Steepness" { 1.0 } else { d.pick(&[0.5, 1.0, 0.25]) };
        fields.push((field.name.clone(), Attribute::Float(value)));
    }
    Some(Fused { operator, fields })
}

/// Draws the lengths of sequences. `None` leaves them out.
fn lengths(d: &mut Drawing, steps: u32, batch: u32) -> Option<Vec<u32>> {
    if !d.has("SequenceLengthsTensor") {
        return None;
    }
    let are_shorter = d.flag();
    Some((0..batch).map(|_| if are_shorter { d.range(1..=steps) } else { steps }).collect())
}

/// The page does not say what `OutputSequenceTensor` holds behind the end of a sequence, so that it is left out if a
/// sequence is shorter than the tensor. It does not say either whether the input of h() is clipped, so that with clipping,
/// no state of a cell is as large as the threshold. The part of `PeepholeTensor` for the output gate is 0, because the page
/// multiplies it by the previous state of the cell, and ONNX, whose LSTM is computed with this operator, by the next one.
pub(super) fn draw(d: &mut Drawing) -> Option<()> {
    let (gates, functions) = match d.operator().short_name() {
        "RNN" => (1, 1),
        "GRU" => (3, 2),
        _ => (4, 3),
    };
    let (steps, batch) = (d.range(1..=3), d.range(1..=3));
    let (inputs, hidden) = (d.range(1..=4), d.range(1..=6));
    d.attributes();
    let is_set = |d: &Drawing, name: &str| d.attribute_of(name) == Some(&Attribute::Bool(true));
    let clips = is_set(d, "UseClipThreshold");
    if d.operator().field("ClipThreshold").is_some() {
        d.give("ClipThreshold", Attribute::Float(if clips { 1.0 + steps as f32 } else { 0.5 }));
    }
    let both = matches!(d.attribute_of("Direction"), Some(Attribute::Name(name)) if name.ends_with("_BIDIRECTIONAL"));
    let directions = if both { 2 } else { 1 };
    let mut called = Vec::new();
    for at in 0..directions * functions {
        let count = match at % functions {
            // Gates that are multiplied by states keep these small.
            0 if clips => BELOW_ONE,
            0 if functions > 1 => BOUNDED,
            1 if clips => BOUNDED,
            _ => ACTIVATIONS.len(),
        };
        called.push(activation(d, count)?);
    }
    d.give("ActivationDescs", Attribute::Operators(called));

    let directions = directions as u32;
    let values = if clips { Values::Between(-2.0, 2.0) } else { Values::Between(-1.0, 1.0) };
    d.input("InputTensor", &[1, steps, batch, inputs], values);
    d.input("WeightTensor", &[1, directions, gates * hidden, inputs], values);
    d.input("RecurrenceTensor", &[1, directions, gates * hidden, hidden], values);
    if d.has("BiasTensor") {
        d.input("BiasTensor", &[1, 1, directions, 2 * gates * hidden], values);
    }
    let state = [1, directions, batch, hidden];
    for name in ["HiddenInitTensor", "CellMemInitTensor"] {
        if d.has(name) {
            d.input(name, &state, Values::Between(-1.0, 1.0));
        }
    }
    let lengths = lengths(d, steps, batch);
    if let Some(lengths) = &lengths {
        let elements: Vec<i128> = lengths.iter().map(|&length| i128::from(length)).collect();
        d.input_of("SequenceLengthsTensor", &[1, 1, 1, batch], &elements);
    }
    if d.has("PeepholeTensor") {
        let mut elements = Vec::new();
        for at in 0..directions * 3 * hidden {
            let is_of_output = at / hidden % 3 == 1;
            elements.push(if is_of_output { 0 } else { d.pick(&[0, 1, -1, 2]) });
        }
        d.input_of("PeepholeTensor", &[1, 1, directions, 3 * hidden], &elements);
    }
    let are_shorter = lengths.is_some_and(|lengths| lengths.iter().any(|&length| length < steps));
    if are_shorter {
        d.feature("sequences that end earlier");
    }
    let sequence = !are_shorter && d.has("OutputSequenceTensor");
    if sequence {
        d.output("OutputSequenceTensor", &[steps, directions, batch, hidden]);
    }
    if d.has("OutputCellSingleTensor") {
        d.output("OutputCellSingleTensor", &state);
    }
    if d.has("OutputSingleTensor") || !sequence {
        d.output("OutputSingleTensor", &state);
    }
    Some(())
}
