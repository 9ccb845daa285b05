use crate::families::recurrent::{Reading, answer, mixed};
use crate::prelude::*;

/// The indices of the gates, in the order of W. P has peepholes for the first three.
const INPUT: usize = 0;
const OUTPUT: usize = 1;
const FORGET: usize = 2;
const CELL: usize = 3;

/// A value of `Reading::other`: `input_forget` derives the input gate from the forget gate (`input-forget`).
const INPUT_OF_FORGET: u8 = 1;

/// Computes a recurrent layer of long short-term memory units (LSTM) over a batch of sequences.
///
/// Only version 1 has `output_sequence`. The equations transpose R from version 7 on; the preferred answer of version 1
/// transposes it too (`recurrence-transposed`). Version 14 adds `layout`, version 22 bfloat16. Constraints: the shapes
/// of X, W and R (`layer-shapes-fit`) and of the other inputs (`bias-and-state-fit`), the sequence lengths
/// (`sequence-lens-shape-fits`, `sequence-lens-in-range`), the direction (`direction-known`), and the activations
/// (`activations-known`).
///
/// Elements beyond the length of a sequence: `beyond-sequence-length`; sequences of length 0: `empty-sequence`; alpha
/// and beta of the activations: `activation-constants` and `default-constants`; what `clip` bounds: `clip`; a `clip`
/// that is negative or NaN: `clip-out-of-range`; which gate `input_forget` derives from the other: `input-forget`; the
/// order of backward steps: `backward-steps`; `Y` without `output_sequence`: `output-sequence`; ThresholdedRelu at
/// alpha: `thresholded-relu-tie`; values of `input_forget` and `layout` other than 0 and 1: `other-flag-values`; NaN:
/// `nan`.
pub fn lstm(call: &Call) -> Answer {
    let coupled = call.flag("input_forget");
    several(answer(call, 4, |layer| {
        let hidden = layer.hidden;
        let peepholes = layer.for_directions("P", &[3 * hidden])?;
        let input_of_forget = Reading { other: INPUT_OF_FORGET, ..Reading::default() };
        let readings: Vec<(Reading, Label)> =
            coupled.then_some((input_of_forget, rule::INPUT_FORGET)).into_iter().collect();
        let one = Real::constant(1.0, layer.dtype);
        layer.numbers(&["Sigmoid", "Tanh", "Tanh"], &readings, &|sums, (h, c), reading| {
            let [f, g, to_hidden] = [0, 1, 2].map(|i| sums.activations[i]);
            let gate = |gate: usize, j: usize, cell: Real| {
                let peephole = peepholes.as_ref().map(|p| (p[(sums.direction() * 3 + gate) * hidden + j], cell));
                f.apply(sums.gate(gate, j, h, peephole.as_slice()))
            };
            let neuron = |j: usize| {
                let (mut i, mut forget) = (gate(INPUT, j, c[j]), gate(FORGET, j, c[j]));
                match (coupled, reading.other) {
                    (false, _) => {}
                    (true, INPUT_OF_FORGET) => i = one.minus(forget),
                    (true, _) => forget = one.minus(i),
                }
                let next = g.apply(sums.gate(CELL, j, h, &[]));
                let cell = mixed(forget, c[j], i, next);
                let output = gate(OUTPUT, j, cell);
                // The cell state is the input of an activation too, so that it is bounded there (`clip`).
                (output.times(to_hidden.apply(layer.clipped(cell, reading))), cell)
            };
            (0..hidden).map(neuron).unzip()
        })
    })?)
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::Model;

    use crate::testing::floats;
    use crate::{Judged, Oracle};

    #[test]
    fn clip_bounds_the_cell_state_that_an_activation_takes() {
        let text = r#"<ir_version: 8, opset_import: ["" : 14]> g (x, w, r, h, c) => (y, last, cell)
            { y, last, cell = LSTM <hidden_size = 1, clip = 1.0> (x, w, r, , , h, c) }"#;
        let model: Model = text.parse().expect("the model is valid");
        let zeros = |shape: &[usize]| floats(shape, &vec![0.0; shape.iter().product()]);
        let inputs =
            [zeros(&[1, 1, 1]), zeros(&[1, 4, 1]), zeros(&[1, 4, 1]), zeros(&[1, 1, 1]), floats(&[1, 1, 1], &[4.0])];
        let answer = Oracle::default().answer(&model, &inputs.map(|tensor| tensor.into())).expect("the node is valid");
        let judged = |output: usize, found: f64| {
            let expected = answer[output].tensor().expect("the output is a tensor");
            let shape = expected.shape().to_vec();
            expected.judge(&floats(&shape, &[found as f32]), 0)
        };
        // All gates are a half, so that the cell state is 2.
        assert_eq!(judged(2, 2.0), Judged::Accepted);
        assert_eq!(judged(1, 0.5 * 1f64.tanh()), Judged::Accepted);
        assert_eq!(judged(1, 0.5 * 2f64.tanh()), Judged::Wrong);
    }

    /// An infinity in P times a cell state of 0 is NaN. Whether `clip` bounds this NaN is open, as for a NaN in any
    /// other input.
    #[test]
    fn whether_clip_bounds_a_nan_from_a_peephole_is_open() {
        let text = r#"<ir_version: 8, opset_import: ["" : 14]> g (x, w, r, p) => (y)
            { y = LSTM <hidden_size = 1, clip = 3.0> (x, w, r, , , , , p) }"#;
        let model: Model = text.parse().expect("the model is valid");
        let x = floats(&[1, 1, 1], &[0.5]);
        let [w, r] = [floats(&[1, 4, 1], &[1.0; 4]), floats(&[1, 4, 1], &[1.0; 4])];
        let p = floats(&[1, 3], &[f32::INFINITY, 0.0, 0.0]);
        let inputs = [x, w, r, p].map(|tensor| tensor.into());
        let answer = Oracle::default().answer(&model, &inputs).expect("the node is valid");
        let y = answer[0].tensor().expect("the output is a tensor");
        let judged = |found: f32| y.judge(&floats(&[1, 1, 1, 1], &[found]), 0);
        assert_eq!(judged(f32::NAN), Judged::Accepted);
        // The input gate is the sigmoid of 3 or of -3.
        let bounded = |bound: f64| {
            let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
            (sigmoid(0.5) * (sigmoid(bound) * 0.5f64.tanh()).tanh()) as f32
        };
        assert!(matches!(judged(bounded(3.0)), Judged::Latitude(_)));
        assert!(matches!(judged(bounded(-3.0)), Judged::Latitude(_)));
        assert_eq!(judged(0.2), Judged::Wrong);
    }
}
