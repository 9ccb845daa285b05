use crate::families::recurrent::answer;
use crate::prelude::*;

/// Computes a simple recurrent layer over a batch of sequences.
///
/// Only version 1 has `output_sequence`. The equations transpose R from version 7 on; the preferred answer of version 1
/// transposes it too (`recurrence-transposed`). Version 14 adds `layout`, version 22 bfloat16.
/// Constraints: the shapes of X, W and R (`layer-shapes-fit`) and of the other inputs (`bias-and-state-fit`), the
/// sequence lengths (`sequence-lens-shape-fits`, `sequence-lens-in-range`), the direction (`direction-known`), and the
/// activations (`activations-known`).
///
/// Elements beyond the length of a sequence: `beyond-sequence-length`; sequences of length 0: `empty-sequence`; alpha
/// and beta of the activations: `activation-constants` and `default-constants`; `clip`: `clip`, and
/// `clip-out-of-range` if it is negative or NaN; the order of backward steps: `backward-steps`; `output_sequence`:
/// `output-sequence`; ThresholdedRelu at alpha: `thresholded-relu-tie`; values of `layout` other than 0 and 1:
/// `other-flag-values`; NaN: `nan`.
pub fn rnn(call: &Call) -> Answer {
    let [y, h, _] = answer(call, 1, |layer| {
        layer.numbers(&["Tanh"], &[], &|sums, (h, c), _| {
            let next = (0..layer.hidden).map(|j| sums.activations[0].apply(sums.gate(0, j, h, &[])));
            (next.collect(), c.clone())
        })
    })?;
    several([y, h])
}
