//! Exercises for QUANTIZE, DEQUANTIZE, DYNAMIC_QUANTIZE_LINEAR, ADAM_OPTIMIZER and RANDOM_GENERATOR.

use super::{Draft, Exercise, Plain, element_wise::scales};
use plumbline_directml::{FieldValue, TensorDescription};
use plumbline_spec::directml::TensorDataType::{Float16, Float32, Int4, Int8, Uint8};

/// Sets scales and zero points for blocks of 1 to 3 elements along each dimension.
fn blocks(draft: &mut Draft, [number, integer]: [&str; 2]) {
    let rank = draft.rank("InputTensor");
    let many = rank > 4;
    let of: Vec<usize> = (0..rank).map(|_| 1 + draft.below(2)).collect();
    let sizes: Vec<usize> = of.iter().map(|own| own * (1 + draft.below(if many { 2 } else { 3 }))).collect();
    draft.resize("InputTensor", &sizes);
    draft.resize("OutputTensor", &sizes);
    // The table lists all types in one row; some are for the scale (the first tensor), the others for the zero point
    // (the second).
    let of: Vec<u32> = of.iter().map(|&own| own as u32).collect();
    let asked = draft.data_type("QuantizationTensors");
    let scale = if [Float16, Float32].contains(&asked) { asked } else { draft.data_type(number) };
    let zero = if [Float16, Float32].contains(&asked) { draft.data_type(integer) } else { asked };
    let both = asked != scale || draft.flip();
    let mut tensors = vec![TensorDescription::packed(scale, of.clone())];
    if both {
        tensors.push(TensorDescription::packed(zero, of));
    }
    draft.set_uint("QuantizationType", tensors.len());
    draft.set_uint("QuantizationTensorCount", tensors.len());
    *draft.description.get_mut("QuantizationTensors").unwrap() = FieldValue::Tensors(tensors);
    scales(draft, "QuantizationTensors");
}

fn factor(draft: &Draft, nth: usize, default: f64, index: &[usize]) -> f64 {
    let sizes = draft.sizes("InputTensor");
    draft.read.get(&("QuantizationTensors", nth)).map_or(default, |factor| {
        let at: Vec<usize> = (0..index.len()).map(|d| index[d] * factor.sizes[d] / sizes[d]).collect();
        factor.at(&at)
    })
}

fn adam(draft: &Draft) -> [Plain; 3] {
    let of = |field: &'static str, index: &[usize]| draft.input(field).at(index);
    let (rate, epsilon) = (draft.float("LearningRate"), draft.float("Epsilon"));
    let (beta1, beta2, step) = (draft.float("Beta1"), draft.float("Beta2"), draft.input("TrainingStepTensor").data[0]);
    let m = |i: &[usize]| beta1 * of("InputFirstMomentTensor", i) + (1.0 - beta1) * of("GradientTensor", i);
    let v = |i: &[usize]| beta2 * of("InputSecondMomentTensor", i) + (1.0 - beta2) * of("GradientTensor", i).powi(2);
    let alpha = (1.0 - beta2.powf(step)).sqrt() / (1.0 - beta1.powf(step));
    let x = |i: &[usize]| of("InputParametersTensor", i) - rate * alpha * m(i) / (v(i).sqrt() + epsilon);
    [
        draft.output("OutputParametersTensor", x),
        draft.output("OutputFirstMomentTensor", m),
        draft.output("OutputSecondMomentTensor", v),
    ]
}

/// Philox 4x32-10, computed in 64-bit words.
fn philox(state: &[u64; 6], block: u64) -> [u64; 4] {
    let low = 0xffff_ffff;
    let whole = (u128::from(state[3]) << 96 | u128::from(state[2]) << 64 | u128::from(state[1] << 32 | state[0]))
        .wrapping_add(block.into());
    let mut c: [u64; 4] = std::array::from_fn(|word| (whole >> (32 * word)) as u64 & low);
    for round in 0..10u64 {
        let keys = [(state[4] + round * 0x9e37_79b9) & low, (state[5] + round * 0xbb67_ae85) & low];
        let (p, q) = (c[0] * 0xd251_1f53, c[2] * 0xcd9e_8d57);
        c = [(q >> 32) ^ c[1] ^ keys[0], q & low, (p >> 32) ^ c[3] ^ keys[1], p & low];
    }
    c
}

pub const EXERCISES: &[Exercise] = &[
    Exercise {
        name: "QUANTIZE",
        shape: |draft| blocks(draft, ["InputTensor", "OutputTensor"]),
        evaluate: |draft| {
            let (least, most) = match draft.data_type("OutputTensor") {
                Int8 => (-128.0, 127.0),
                Uint8 => (0.0, 255.0),
                Int4 => (-8.0, 7.0),
                _ => (0.0, 15.0),
            };
            vec![draft.output("OutputTensor", |index| {
                let multiple = draft.input("InputTensor").at(index) / factor(draft, 0, 1.0, index);
                (multiple.round_ties_even() + factor(draft, 1, 0.0, index)).max(least).min(most)
            })]
        },
    },
    Exercise {
        name: "DEQUANTIZE",
        shape: |draft| blocks(draft, ["OutputTensor", "InputTensor"]),
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| {
                (draft.input("InputTensor").at(index) - factor(draft, 1, 0.0, index)) * factor(draft, 0, 1.0, index)
            })]
        },
    },
    Exercise {
        name: "DYNAMIC_QUANTIZE_LINEAR",
        shape: |draft| {
            draft.same();
            let ones = vec![1; draft.rank("InputTensor")];
            draft.resize("OutputScaleTensor", &ones);
            draft.resize("OutputZeroPointTensor", &ones);
            // The elements always range from -51 to 204, which gives a scale of 1 and includes 0.
            let count = draft.sizes("InputTensor").iter().product::<usize>();
            let mut sizes = draft.sizes("InputTensor");
            if count == 1 {
                sizes[0] = 2;
                draft.resize("InputTensor", &sizes);
                draft.resize("OutputTensor", &sizes);
            }
            let mut next = 0;
            draft.fill_by("InputTensor", |draft, _| {
                next += 1;
                match next {
                    1 => -51.0,
                    2 => 204.0,
                    _ => draft.below(200) as f64 - 40.0,
                }
            });
        },
        evaluate: |draft| {
            let zero = if draft.data_type("OutputTensor") == Int8 { -77.0 } else { 51.0 };
            vec![
                draft.output("OutputTensor", |index| draft.input("InputTensor").at(index) + zero),
                draft.output("OutputScaleTensor", |_| 1.0),
                draft.output("OutputZeroPointTensor", |_| zero),
            ]
        },
    },
    Exercise {
        name: "ADAM_OPTIMIZER",
        shape: |draft| {
            draft.same();
            draft.resize("TrainingStepTensor", &[1, 1, 1, 1]);
            draft.fill("TrainingStepTensor", vec![3.0]);
            draft.fill_by("InputSecondMomentTensor", |draft, _| 0.5 + draft.below(8) as f64 / 4.0);
            for (field, value) in [("LearningRate", 0.125), ("Beta1", 0.75), ("Beta2", 0.875), ("Epsilon", 0.0625)] {
                draft.set_float(field, value);
            }
        },
        evaluate: |draft| adam(draft).into(),
    },
    Exercise {
        name: "RANDOM_GENERATOR",
        shape: |draft| {
            let rank = draft.rank("OutputTensor");
            let sizes = draft.some_sizes(rank);
            draft.resize("OutputTensor", &sizes);
            let mut state = vec![1; draft.rank("InputStateTensor")];
            *state.last_mut().unwrap() = 6;
            draft.resize("InputStateTensor", &state);
            draft.resize("OutputStateTensor", &state);
            let words = [4_294_967_295.0, 4_294_967_295.0, 7.0, 8.0];
            draft.fill_by("InputStateTensor", |draft, index| match *index.last().unwrap() {
                word if word < 4 => words[word],
                _ => draft.below(1 << 32) as f64,
            });
        },
        evaluate: |draft| {
            let state: [u64; 6] = std::array::from_fn(|word| draft.input("InputStateTensor").data[word] as u64);
            let mut number = 0;
            let mut found = vec![draft.output("OutputTensor", |_| {
                let word = philox(&state, number / 4)[(number % 4) as usize];
                number += 1;
                word as f64
            })];
            if draft.has("OutputStateTensor") {
                // The two low words are at their maximum, so the counter carries into the third one.
                let blocks = number.div_ceil(4);
                let words = [blocks as f64 - 1.0, 0.0, 8.0, 8.0, state[4] as f64, state[5] as f64];
                found.push(draft.output("OutputStateTensor", |index| words[*index.last().unwrap()]));
            }
            found
        },
    },
];
