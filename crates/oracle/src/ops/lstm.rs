use crate::families::recurrent::{Reading, answer, mixed};
use crate::prelude::*;

/// The gates in the order of W; those of P are the first three.
const INPUT: usize = 0;
const OUTPUT: usize = 1;
const FORGET: usize = 2;
const CELL: usize = 3;

/// Readings of its own: the cell state is not clipped where it goes into h (`clip`); `input_forget` makes the input gate out of the forget gate
/// (`input-forget`).
const CELL_UNCLIPPED: u8 = 1;
const INPUT_OF_FORGET: u8 = 2;

/// LSTM-1: `output_sequence`. LSTM-7: R is transposed. LSTM-14: `layout`. LSTM-22: bfloat16. X, W, R: `layer-shapes-fit`; further shapes:
/// `bias-and-state-fit`; lengths: `sequence-lens-in-range`; direction: `direction-known`; activations: `activations-known`. Beyond the length:
/// `beyond-sequence-length`; no steps: `empty-sequence`; alpha and beta: `activation-constants`, `default-constants`; R as it stands:
/// `recurrence-transposed`; `clip`: `clip`; `input_forget`: `input-forget`; backward: `backward-steps`; `output_sequence`: `output-sequence`; alpha
/// itself in ThresholdedRelu: `thresholded-relu-tie`; NaN: `nan`.
pub fn lstm(call: &Call) -> Answer {
    let coupled = call.int("input_forget")? != 0;
    let own = |other: u8| Reading { other, ..Reading::default() };
    several(answer(call, 4, |layer| {
        let hidden = layer.hidden;
        let peepholes = layer.for_directions("P", &[3 * hidden])?;
        let readings =
            [(layer.clips(), (own(CELL_UNCLIPPED), rule::CLIP)), (coupled, (own(INPUT_OF_FORGET), rule::INPUT_FORGET))];
        let readings: Vec<(Reading, Label)> = readings.into_iter().filter(|(is, _)| *is).map(|(_, one)| one).collect();
        let one = Real::constant(1.0, layer.dtype);
        layer.numbers(&["Sigmoid", "Tanh", "Tanh"], &readings, &|sums, (h, c), reading| {
            let [f, g, to_hidden] = [0, 1, 2].map(|i| sums.activations[i]);
            let gate = |gate: usize, j: usize, cell: Real| {
                let peephole = peepholes.as_ref().map(|p| (p[(sums.direction() * 3 + gate) * hidden + j], cell));
                f.of(sums.gate(gate, j, h, peephole.as_slice()))
            };
            let neuron = |j: usize| {
                let (mut i, mut forget) = (gate(INPUT, j, c[j]), gate(FORGET, j, c[j]));
                match (coupled, reading.other) {
                    (false, _) => {}
                    (true, INPUT_OF_FORGET) => i = one.minus(forget),
                    (true, _) => forget = one.minus(i),
                }
                let next = g.of(sums.gate(CELL, j, h, &[]));
                let cell = mixed(forget, c[j], i, next);
                let output = gate(OUTPUT, j, cell);
                let shown = if reading.other == CELL_UNCLIPPED { cell } else { layer.clipped(cell, reading) };
                (output.times(to_hidden.of(shown)), cell)
            };
            (0..hidden).map(neuron).unzip()
        })
    })?)
}
