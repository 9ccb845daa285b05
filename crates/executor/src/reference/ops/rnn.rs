use crate::reference::families::recurrent::{Layer, Reading};
use crate::reference::prelude::*;

/// RNN-1: `output_sequence`. RNN-7: R is transposed. RNN-14: `layout`. RNN-22: bfloat16. X, W, R: C1; further shapes: C2; lengths: C3;
/// direction: C4; activations: C5. Beyond the length: B1; no steps: B2; alpha and beta: B3, B4; R as it stands: B5; `clip`: B6;
/// backward: B8; `output_sequence`: B9; alpha itself in ThresholdedRelu: B10; NaN: B11.
pub fn rnn(call: &Call) -> Answer {
    let layer = Layer::of(call, 1)?;
    let default = ["Tanh"];
    let readings = layer.readings(&default)?;
    let preferred = layer.activations(&default, Reading::default())?;
    let by_position = layer.activations(&default, Reading { by_position: true, ..Reading::default() })?;
    let [y, h, _] = layer.answer(&readings, &|sums, (h, c), reading| {
        let f = if reading.by_position { &by_position } else { &preferred }[sums.direction()][0];
        let next = (0..layer.hidden).map(|j| f.of(sums.gate(0, j, h, &[])));
        (next.collect(), c.clone())
    })?;
    several([y, h])
}
