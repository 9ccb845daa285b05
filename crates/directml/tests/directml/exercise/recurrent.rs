//! Exercises for RNN, GRU and LSTM.

use super::{Draft, Exercise, Plain};
use plumbline_directml::{Attribute, OperatorDescription};
use plumbline_spec::directml::TensorDataType::Uint32;

const STEPS: usize = 3;
const BATCH: usize = 2;
const INPUTS: usize = 2;
const HIDDEN: usize = 3;

/// Sets sizes and attributes. Adds optional tensors at random, but always `OutputSingleTensor`, so that there is an
/// output.
fn network(draft: &mut Draft, gates: usize, activations: &[&str]) {
    let direction = draft.below(3);
    let directions = if direction == 2 { 2 } else { 1 };
    let data_type = draft.data_type("InputTensor");
    draft.resize("InputTensor", &[1, STEPS, BATCH, INPUTS]);
    draft.resize("WeightTensor", &[1, directions, gates * HIDDEN, INPUTS]);
    draft.resize("RecurrenceTensor", &[1, directions, gates * HIDDEN, HIDDEN]);
    draft.set_uint("Direction", direction);
    let state = [1, directions, BATCH, HIDDEN];
    for (field, sizes) in [
        ("BiasTensor", [1, 1, directions, 2 * gates * HIDDEN]),
        ("HiddenInitTensor", state),
        ("CellMemInitTensor", state),
        ("PeepholeTensor", [1, 1, directions, 3 * HIDDEN]),
        ("SequenceLengthsTensor", [1, 1, 1, BATCH]),
        ("OutputSequenceTensor", [STEPS, directions, BATCH, HIDDEN]),
        ("OutputSingleTensor", state),
        ("OutputCellSingleTensor", state),
    ] {
        if draft.description.operator().field(field).is_none() {
            continue;
        }
        if draft.has(field) || field == "OutputSingleTensor" || draft.flip() {
            let data_type = if field == "SequenceLengthsTensor" { Uint32 } else { data_type };
            draft.add(field, data_type, &sizes);
        }
    }
    for field in ["InputTensor", "WeightTensor", "RecurrenceTensor", "PeepholeTensor"] {
        if draft.has(field) {
            draft.fill_by(field, |draft, _| (draft.below(9) as f64 - 4.0) / 8.0);
        }
    }
    if draft.has("SequenceLengthsTensor") {
        draft.fill("SequenceLengthsTensor", vec![2.0, 3.0]);
    }
    let one = |name: &&str| OperatorDescription::new(name).build_fused().unwrap();
    let all = activations.iter().cycle().take(activations.len() * directions).map(one).collect::<Vec<_>>();
    draft.set_uint("ActivationDescCount", all.len());
    draft.set("ActivationDescs", Attribute::Operators(all));
}

fn at(draft: &Draft, field: &'static str, index: [usize; 4]) -> f64 {
    draft.optional(field).map_or(0.0, |found| found.at(&index))
}

/// Returns the two parts of the weighted sum for a row of the weights, each with its bias. The first part comes from
/// the input at a step, and the second part from the hidden state `h`.
fn sums(draft: &Draft, d: usize, n: usize, step: usize, h: &[f64], row: usize, gates: usize) -> (f64, f64) {
    let x = |i: usize| at(draft, "InputTensor", [0, step, n, i]) * at(draft, "WeightTensor", [0, d, row, i]);
    let r = |i: usize| h[i] * at(draft, "RecurrenceTensor", [0, d, row, i]);
    let bias = |row: usize| at(draft, "BiasTensor", [0, 0, d, row]);
    ((0..INPUTS).map(x).sum::<f64>() + bias(row), (0..HIDDEN).map(r).sum::<f64>() + bias(gates * HIDDEN + row))
}

/// A function that computes the next hidden state and cell state of a sequence, for a direction and step.
type Next = fn(&Draft, [usize; 3], &[f64], &[f64]) -> (Vec<f64>, Vec<f64>);

fn run(draft: &Draft, next: Next) -> Vec<Plain> {
    let directions = draft.sizes("WeightTensor")[1];
    let mut all = vec![vec![vec![vec![0.0; HIDDEN]; BATCH]; directions]; STEPS];
    let mut last = vec![vec![(vec![], vec![]); BATCH]; directions];
    for d in 0..directions {
        for n in 0..BATCH {
            let init = |field| (0..HIDDEN).map(|unit| at(draft, field, [0, d, n, unit])).collect::<Vec<f64>>();
            let (mut h, mut c) = (init("HiddenInitTensor"), init("CellMemInitTensor"));
            let length = draft.optional("SequenceLengthsTensor").map_or(STEPS, |lengths| lengths.data[n] as usize);
            let mut steps: Vec<usize> = (0..length).collect();
            if draft.uint("Direction") == 1 || d == 1 {
                steps.reverse();
            }
            for step in steps {
                (h, c) = next(draft, [d, n, step], &h, &c);
                all[step][d][n] = h.clone();
            }
            last[d][n] = (h, c);
        }
    }
    let mut found = Vec::new();
    if draft.has("OutputSequenceTensor") {
        found.push(draft.output("OutputSequenceTensor", |i| all[i[0]][i[1]][i[2]][i[3]]));
    }
    if draft.has("OutputSingleTensor") {
        found.push(draft.output("OutputSingleTensor", |i| last[i[1]][i[2]].0[i[3]]));
    }
    if draft.has("OutputCellSingleTensor") {
        found.push(draft.output("OutputCellSingleTensor", |i| last[i[1]][i[2]].1[i[3]]));
    }
    found
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub const EXERCISES: &[Exercise] = &[
    Exercise {
        name: "RNN",
        shape: |draft| network(draft, 1, &["ACTIVATION_TANH"]),
        evaluate: |draft| {
            run(draft, |draft, [d, n, step], h, _| {
                let sum = |row| {
                    let (x, r) = sums(draft, d, n, step, h, row, 1);
                    (x + r).tanh()
                };
                ((0..HIDDEN).map(sum).collect(), vec![0.0; HIDDEN])
            })
        },
    },
    Exercise {
        name: "GRU",
        shape: |draft| {
            network(draft, 3, &["ACTIVATION_SIGMOID", "ACTIVATION_TANH"]);
            let flag = draft.flip();
            draft.set_bool("LinearBeforeReset", flag);
        },
        evaluate: |draft| {
            run(draft, |draft, [d, n, step], h, _| {
                let gate = |row: usize| {
                    let (x, r) = sums(draft, d, n, step, h, row, 3);
                    sigmoid(x + r)
                };
                let kept: Vec<f64> = (0..HIDDEN).map(|unit| gate(HIDDEN + unit) * h[unit]).collect();
                let unit = |unit: usize| {
                    let row = 2 * HIDDEN + unit;
                    let (x, own) = match draft.uint("LinearBeforeReset") {
                        1 => {
                            let (x, r) = sums(draft, d, n, step, h, row, 3);
                            (x, gate(HIDDEN + unit) * r)
                        }
                        _ => sums(draft, d, n, step, &kept, row, 3),
                    };
                    let z = gate(unit);
                    (1.0 - z) * (x + own).tanh() + z * h[unit]
                };
                ((0..HIDDEN).map(unit).collect(), vec![0.0; HIDDEN])
            })
        },
    },
    Exercise {
        name: "LSTM",
        shape: |draft| {
            network(draft, 4, &["ACTIVATION_SIGMOID", "ACTIVATION_TANH", "ACTIVATION_TANH"]);
            let (coupled, clipped) = (draft.flip(), draft.flip());
            draft.set_bool("CoupleInputForget", coupled);
            draft.set_bool("UseClipThreshold", clipped);
            draft.set_float("ClipThreshold", 0.75);
        },
        evaluate: |draft| {
            run(draft, |draft, [d, n, step], h, c| {
                let clip = if draft.uint("UseClipThreshold") == 1 { draft.float("ClipThreshold") } else { f64::MAX };
                let sum = |gate: usize, unit: usize, cell: f64| {
                    let (x, r) = sums(draft, d, n, step, h, gate * HIDDEN + unit, 4);
                    let peephole =
                        if gate < 3 { at(draft, "PeepholeTensor", [0, 0, d, gate * HIDDEN + unit]) } else { 0.0 };
                    (x + r + peephole * cell).max(-clip).min(clip)
                };
                let unit = |unit: usize| {
                    let input = sigmoid(sum(0, unit, c[unit]));
                    let coupled = draft.uint("CoupleInputForget") == 1;
                    let forget = if coupled { 1.0 - input } else { sigmoid(sum(2, unit, c[unit])) };
                    let cell = forget * c[unit] + input * sum(3, unit, 0.0).tanh();
                    (sigmoid(sum(1, unit, cell)) * cell.max(-clip).min(clip).tanh(), cell)
                };
                (0..HIDDEN).map(unit).unzip()
            })
        },
    },
];
