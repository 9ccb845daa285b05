//! Exercises for normalizations.

use super::{Draft, Exercise, Plain, all};
use plumbline_directml::{Attribute, OperatorDescription};

/// Returns the mean of `f` over the elements whose index equals `index` in all dimensions in which `shape` is not 1.
fn mean(x: &Plain, shape: &[usize], index: &[usize], f: impl Fn(&[usize], f64) -> f64) -> f64 {
    let mine = |other: &&Vec<usize>| (0..shape.len()).all(|d| shape[d] == 1 || other[d] == index[d]);
    let part: Vec<f64> = all(&x.sizes).iter().filter(mine).map(|other| f(other, x.at(other))).collect();
    part.iter().sum::<f64>() / part.len() as f64
}

fn relu(draft: &mut Draft) {
    if draft.flip() {
        let relu = OperatorDescription::new("ACTIVATION_RELU").build_fused().unwrap();
        draft.set("FusedActivation", Attribute::Operator(Box::new(relu)));
    }
}

fn activated(draft: &Draft, x: f64) -> f64 {
    if draft.description.attribute("FusedActivation").is_some() { x.max(0.0) } else { x }
}

fn mean_variance(draft: &mut Draft) {
    draft.same();
    let rank = draft.rank("InputTensor");
    let mut sizes = draft.sizes("InputTensor");
    for field in ["ScaleTensor", "BiasTensor"] {
        sizes[rank - 1] = if draft.flip() { 1 } else { sizes[rank - 1] };
        draft.resize(field, &sizes);
    }
    draft.set_float("Epsilon", 0.125);
    for field in ["CrossChannel", "NormalizeVariance", "UseMean", "UseVariance"] {
        if draft.description.operator().field(field).is_some() {
            let flag = draft.flip();
            draft.set_bool(field, flag);
        }
    }
    if draft.description.operator().field("Axes").is_some() {
        let mut axes = vec![draft.below(rank)];
        if rank > 1 && draft.flip() {
            axes.push((axes[0] + 1) % rank);
        }
        draft.set_uint("AxisCount", axes.len());
        draft.set_uints("Axes", &axes);
    }
    relu(draft);
}

fn normal(draft: &Draft) -> Vec<Plain> {
    let x = draft.input("InputTensor");
    let axes: Vec<usize> = match draft.description.uints("Axes") {
        Some(axes) => axes.iter().map(|&axis| axis as usize).collect(),
        None if draft.uint("CrossChannel") == 1 => vec![1, 2, 3],
        None => vec![2, 3],
    };
    let shape: Vec<usize> = x.sizes.iter().enumerate().map(|(d, &n)| if axes.contains(&d) { 1 } else { n }).collect();
    let flag = |names: [&str; 2]| names.iter().find_map(|name| draft.description.uint(name)).unwrap_or(1) == 1;
    vec![draft.output("OutputTensor", |index| {
        let centre = if flag(["UseMean", "UseMean"]) { mean(x, &shape, index, |_, x| x) } else { 0.0 };
        let mut y = x.at(index) - centre;
        if flag(["NormalizeVariance", "UseVariance"]) {
            y /= (mean(x, &shape, index, |_, x| (x - centre).powi(2)) + 0.125).sqrt();
        }
        y *= draft.optional("ScaleTensor").map_or(1.0, |scale| scale.at(index));
        activated(draft, y + draft.optional("BiasTensor").map_or(0.0, |bias| bias.at(index)))
    })]
}

/// Sets sizes and attributes. Mean, variance, scale and bias have the sizes of the input, but some dimensions,
/// chosen at random, have size 1.
fn batch(draft: &mut Draft) {
    draft.same();
    let mut shape = draft.sizes("InputTensor");
    for size in &mut shape {
        if draft.flip() {
            *size = 1;
        }
    }
    for field in [
        "MeanTensor",
        "VarianceTensor",
        "ScaleTensor",
        "BiasTensor",
        "OutputMeanTensor",
        "OutputVarianceTensor",
        "OutputScaleGradientTensor",
        "OutputBiasGradientTensor",
    ] {
        draft.resize(field, &shape);
    }
    if draft.has("VarianceTensor") {
        draft.fill_by("VarianceTensor", |draft, _| 0.5 + draft.below(4) as f64);
    }
    draft.set_float("Epsilon", 0.125);
    if draft.description.operator().field("FusedActivation").is_some() {
        relu(draft);
    }
}

fn gradients(draft: &Draft, training: bool) -> Vec<Plain> {
    let (x, gradient) = (draft.input("InputTensor"), draft.input("InputGradientTensor"));
    let shape = &draft.input("ScaleTensor").sizes;
    let of = |field: &'static str, index: &[usize]| draft.input(field).at(index);
    let deviation = |index: &[usize]| (of("VarianceTensor", index) + 0.125).sqrt();
    let normal = |index: &[usize]| (x.at(index) - of("MeanTensor", index)) / deviation(index);
    let count = x.data.len() as f64 / shape.iter().product::<usize>() as f64;
    let of_scale = |index: &[usize]| mean(gradient, shape, index, |other, g| g * normal(other));
    let of_bias = |index: &[usize]| mean(gradient, shape, index, |_, g| g);
    vec![
        draft.output("OutputGradientTensor", |index| {
            let part = if training { of_bias(index) + normal(index) * of_scale(index) } else { 0.0 };
            (gradient.at(index) - part) * of("ScaleTensor", index) / deviation(index)
        }),
        draft.output("OutputScaleGradientTensor", |index| of_scale(index) * count),
        draft.output("OutputBiasGradientTensor", |index| of_bias(index) * count),
    ]
}

fn region(draft: &mut Draft) {
    for field in ["InputTensor", "InputGradientTensor", "OutputTensor", "OutputGradientTensor"] {
        draft.resize(field, &[1, 4, 2, 3]);
    }
    let (flag, size) = (draft.flip(), 1 + draft.below(4));
    draft.set_bool("CrossChannel", flag);
    draft.set_uint("LocalSize", size);
    for (field, value) in [("Alpha", 0.5), ("Beta", 0.75), ("Bias", 1.5)] {
        draft.set_float(field, value);
    }
}

/// Returns whether the element at `other` is in the region around the element at `index`.
fn near(draft: &Draft, other: &[usize], index: &[usize]) -> bool {
    let size = draft.uint("LocalSize") as i64;
    let within = |d: usize| {
        let far = other[d] as i64 - index[d] as i64;
        -((size - 1) / 2) <= far && far <= size / 2
    };
    match draft.uint("CrossChannel") {
        1 => within(1) && [0, 2, 3].iter().all(|&d| other[d] == index[d]),
        _ => within(2) && within(3) && other[..2] == index[..2],
    }
}

fn response(draft: &Draft, index: &[usize]) -> f64 {
    let x = draft.input("InputTensor");
    let near = all(&x.sizes).into_iter().filter(|other| near(draft, other, index));
    1.5 + 0.5 / local(draft) * near.map(|other| x.at(&other).powi(2)).sum::<f64>()
}

fn local(draft: &Draft) -> f64 {
    let size = draft.uint("LocalSize") as f64;
    if draft.uint("CrossChannel") == 1 { size } else { size * size }
}

pub const EXERCISES: &[Exercise] = &[
    Exercise { name: "MEAN_VARIANCE_NORMALIZATION", shape: mean_variance, evaluate: normal },
    Exercise { name: "MEAN_VARIANCE_NORMALIZATION1", shape: mean_variance, evaluate: normal },
    Exercise { name: "MEAN_VARIANCE_NORMALIZATION2", shape: mean_variance, evaluate: normal },
    Exercise {
        name: "BATCH_NORMALIZATION",
        shape: batch,
        evaluate: |draft| {
            let of = |field: &'static str, index: &[usize]| draft.input(field).at(index);
            vec![draft.output("OutputTensor", |index| {
                let deviation = (of("VarianceTensor", index) + 0.125).sqrt();
                let y = (of("InputTensor", index) - of("MeanTensor", index)) / deviation;
                activated(draft, y * of("ScaleTensor", index) + of("BiasTensor", index))
            })]
        },
    },
    Exercise {
        name: "BATCH_NORMALIZATION_TRAINING",
        shape: batch,
        evaluate: |draft| {
            let x = draft.input("InputTensor");
            let shape = &draft.input("ScaleTensor").sizes;
            let centre = |index: &[usize]| mean(x, shape, index, |_, x| x);
            let variance = |index: &[usize]| mean(x, shape, index, |other, x| (x - centre(other)).powi(2));
            vec![
                draft.output("OutputTensor", |index| {
                    let y = (x.at(index) - centre(index)) / (variance(index) + 0.125).sqrt();
                    let y = y * draft.input("ScaleTensor").at(index) + draft.input("BiasTensor").at(index);
                    activated(draft, y + draft.optional("FusedAddTensor").map_or(0.0, |added| added.at(index)))
                }),
                draft.output("OutputMeanTensor", centre),
                draft.output("OutputVarianceTensor", variance),
            ]
        },
    },
    Exercise { name: "BATCH_NORMALIZATION_GRAD", shape: batch, evaluate: |draft| gradients(draft, false) },
    Exercise { name: "BATCH_NORMALIZATION_TRAINING_GRAD", shape: batch, evaluate: |draft| gradients(draft, true) },
    Exercise {
        name: "LOCAL_RESPONSE_NORMALIZATION",
        shape: region,
        evaluate: |draft| {
            let x = draft.input("InputTensor");
            vec![draft.output("OutputTensor", |index| x.at(index) / response(draft, index).powf(0.75))]
        },
    },
    Exercise {
        name: "LOCAL_RESPONSE_NORMALIZATION_GRAD",
        shape: region,
        evaluate: |draft| {
            let (x, gradient) = (draft.input("InputTensor"), draft.input("InputGradientTensor"));
            vec![draft.output("OutputGradientTensor", |index| {
                // Each part is the derivative of one result by the element at `index`, times that result's gradient.
                let parts = all(&x.sizes).into_iter().map(|other| {
                    let response = response(draft, &other);
                    let own = if other == index { response.powf(-0.75) } else { 0.0 };
                    let shared = match near(draft, index, &other) {
                        true => -0.75 * x.at(&other) * response.powf(-1.75) * 2.0 * 0.5 / local(draft) * x.at(index),
                        false => 0.0,
                    };
                    gradient.at(&other) * (own + shared)
                });
                parts.sum()
            })]
        },
    },
    Exercise {
        name: "LP_NORMALIZATION",
        shape: |draft| {
            draft.same();
            let (axis, p) = (draft.below(draft.rank("InputTensor")), 1 + draft.below(2));
            draft.set_uint("Axis", axis);
            draft.set_uint("P", p);
            draft.set_float("Epsilon", 0.00001);
        },
        evaluate: |draft| {
            let (x, axis, p) = (draft.input("InputTensor"), draft.uint("Axis"), draft.uint("P") as f64);
            vec![draft.output("OutputTensor", |index| {
                let mut sum = 0.0;
                for at in 0..x.sizes[axis] {
                    let mut other = index.to_vec();
                    other[axis] = at;
                    sum += x.at(&other).abs().powf(p);
                }
                x.at(index) / sum.powf(1.0 / p).max(0.00001)
            })]
        },
    },
];
