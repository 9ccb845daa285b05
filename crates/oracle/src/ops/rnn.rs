use crate::families::recurrent::answer;
use crate::prelude::*;

/// RNN-1: `output_sequence`. RNN-7: R is transposed. RNN-14: `layout`. RNN-22: bfloat16. X, W, R: `layer-shapes-fit`; further shapes:
/// `bias-and-state-fit`; lengths: `sequence-lens-in-range`; direction: `direction-known`; activations: `activations-known`. Beyond the length:
/// `beyond-sequence-length`; no steps: `empty-sequence`; alpha and beta: `activation-constants`, `default-constants`; R as it stands:
/// `recurrence-transposed`; `clip`: `clip`; backward: `backward-steps`; `output_sequence`: `output-sequence`; alpha itself in ThresholdedRelu:
/// `thresholded-relu-tie`; NaN: `nan`.
pub fn rnn(call: &Call) -> Answer {
    let [y, h, _] = answer(call, 1, |layer| {
        layer.numbers(&["Tanh"], &[], &|sums, (h, c), _| {
            let next = (0..layer.hidden).map(|j| sums.activations[0].of(sums.gate(0, j, h, &[])));
            (next.collect(), c.clone())
        })
    })?;
    several([y, h])
}
