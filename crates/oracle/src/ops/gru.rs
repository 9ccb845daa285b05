use crate::families::recurrent::{answer, mixed, total};
use crate::prelude::*;

/// The indices of the gates, in the order of W.
const UPDATE: usize = 0;
const RESET: usize = 1;
const HIDDEN: usize = 2;

/// Computes a recurrent layer of gated recurrent units (GRU) over a batch of sequences.
///
/// Up to version 3, there is `output_sequence`; version 3 adds `linear_before_reset`. The equations transpose R from
/// version 7 on; the preferred answer of earlier versions transposes it too (`recurrence-transposed`). Version 14 adds
/// `layout`, version 22 bfloat16. Constraints: the shapes of X, W and R (`layer-shapes-fit`) and of the other inputs
/// (`bias-and-state-fit`), the sequence lengths (`sequence-lens-shape-fits`, `sequence-lens-in-range`), the direction
/// (`direction-known`), and the activations (`activations-known`).
///
/// Elements beyond the length of a sequence: `beyond-sequence-length`; sequences of length 0: `empty-sequence`; alpha
/// and beta of the activations: `activation-constants` and `default-constants`; what `clip` bounds: `clip`; a `clip`
/// that is negative or NaN: `clip-out-of-range`; what the reset gate multiplies: `linear-before-reset`; the order of
/// backward steps: `backward-steps`; `Y` without `output_sequence`: `output-sequence`; ThresholdedRelu at alpha:
/// `thresholded-relu-tie`; values of `linear_before_reset` and `layout` other than 0 and 1: `other-flag-values`; NaN:
/// `nan`.
pub fn gru(call: &Call) -> Answer {
    let linear_before_reset = call.flag("linear_before_reset");
    let [y, h, _] = answer(call, 3, |layer| {
        let one = Real::constant(1.0, layer.dtype);
        layer.numbers(&["Sigmoid", "Tanh"], &[], &|sums, (h, c), reading| {
            let [f, g] = [0, 1].map(|i| sums.activations[i]);
            let of =
                |gate: usize| (0..layer.hidden).map(|j| f.apply(sums.gate(gate, j, h, &[]))).collect::<Vec<Real>>();
            let (z, r) = (of(UPDATE), of(RESET));
            let kept: Vec<Real> = r.iter().zip(h).map(|(r, h)| r.times(*h)).collect();
            let candidate = |j: usize| match linear_before_reset {
                false => g.apply(sums.gate(HIDDEN, j, &kept, &[])),
                true => {
                    let biases = sums.biases(HIDDEN, j);
                    let (of_w, of_r) = (biases.map(|b| b[0]), biases.map(|b| b[1]));
                    let linear = total(layer.dtype, &[&sums.of_hidden(HIDDEN, j, h)], of_r.as_slice());
                    let input = sums.of_input(HIDDEN, j);
                    let sum = total(layer.dtype, &[&input, &[(r[j], linear)]], of_w.as_slice());
                    g.apply(layer.clipped(sum, reading))
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
