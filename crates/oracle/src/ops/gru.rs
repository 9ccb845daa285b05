use crate::families::recurrent::{answer, mixed, total};
use crate::prelude::*;

/// The gates in the order of W.
const UPDATE: usize = 0;
const RESET: usize = 1;
const HIDDEN: usize = 2;

/// GRU-1, -3: `output_sequence`; 3 adds `linear_before_reset`. GRU-7: R is transposed. GRU-14: `layout`. GRU-22: bfloat16. X, W, R:
/// `layer-shapes-fit`; further shapes: `bias-and-state-fit`; lengths: `sequence-lens-in-range`; direction: `direction-known`; activations:
/// `activations-known`. Beyond the length: `beyond-sequence-length`; no steps: `empty-sequence`; alpha and beta: `activation-constants`,
/// `default-constants`; R as it stands: `recurrence-transposed`; `clip`: `clip`; reset: `linear-before-reset`; backward: `backward-steps`;
/// `output_sequence`: `output-sequence`; alpha itself in ThresholdedRelu: `thresholded-relu-tie`; NaN: `nan`.
pub fn gru(call: &Call) -> Answer {
    let linear_before_reset = call.optional_int("linear_before_reset").unwrap_or(0) != 0;
    let [y, h, _] = answer(call, 3, |layer| {
        let one = Real::constant(1.0, layer.dtype);
        layer.numbers(&["Sigmoid", "Tanh"], &[], &|sums, (h, c), reading| {
            let [f, g] = [0, 1].map(|i| sums.activations[i]);
            let of = |gate: usize| (0..layer.hidden).map(|j| f.of(sums.gate(gate, j, h, &[]))).collect::<Vec<Real>>();
            let (z, r) = (of(UPDATE), of(RESET));
            let kept: Vec<Real> = r.iter().zip(h).map(|(r, h)| r.times(*h)).collect();
            let candidate = |j: usize| match linear_before_reset {
                false => g.of(sums.gate(HIDDEN, j, &kept, &[])),
                true => {
                    let biases = sums.biases(HIDDEN, j);
                    let (of_w, of_r) = (biases.map(|b| b[0]), biases.map(|b| b[1]));
                    let linear = total(layer.dtype, &[&sums.of_hidden(HIDDEN, j, h)], of_r.as_slice());
                    let input = sums.of_input(HIDDEN, j);
                    let sum = total(layer.dtype, &[&input, &[(r[j], linear)]], of_w.as_slice());
                    g.of(layer.clipped(sum, reading))
                }
            };
            let next = |j: usize| {
                let candidate = candidate(j);
                let by_text = mixed(one.minus(z[j]), candidate, z[j], h[j]);
                by_text.hull(candidate.plus(z[j].times(h[j].minus(candidate))))
            };
            ((0..layer.hidden).map(next).collect(), c.clone())
        })
    })?;
    several([y, h])
}
