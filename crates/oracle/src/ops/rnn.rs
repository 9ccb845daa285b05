use crate::families::recurrent::answer;
use crate::prelude::*;

/// RNN-1: `output_sequence`. RNN-7: R is transposed. RNN-14: `layout`. RNN-22: bfloat16. X, W, R: C1; further shapes: C2; lengths: C3;
/// direction: C4; activations: C5. Beyond the length: B1; no steps: B2; alpha and beta: B3, B4; R as it stands: B5; `clip`: B6;
/// backward: B8; `output_sequence`: B9; alpha itself in ThresholdedRelu: B10; NaN: B11.
pub fn rnn(call: &Call) -> Answer {
    let [y, h, _] = answer(call, 1, |layer| {
        layer.numbers(&["Tanh"], &[], &|sums, (h, c), _| {
            let next = (0..layer.hidden).map(|j| sums.activations[0].of(sums.gate(0, j, h, &[])));
            (next.collect(), c.clone())
        })
    })?;
    several([y, h])
}
