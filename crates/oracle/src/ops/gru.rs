use crate::families::recurrent::{answer, mixed, total};
use crate::prelude::*;

/// The gates in the order of W.
const UPDATE: usize = 0;
const RESET: usize = 1;
const HIDDEN: usize = 2;

/// GRU-1, -3: `output_sequence`; 3 adds `linear_before_reset`. GRU-7: R is transposed. GRU-14: `layout`. GRU-22: bfloat16. X, W, R: C1;
/// further shapes: C2; lengths: C3; direction: C4; activations: C5. Beyond the length: B1; no steps: B2; alpha and beta: B3, B4;
/// R as it stands: B5; `clip`: B6; reset: B7; backward: B8; `output_sequence`: B9; alpha itself in ThresholdedRelu: B10; NaN: B11.
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
