//! Behaviours of normalizations, and of activations along axes.

use std::collections::BTreeMap;

use plumbline_spec::directml::TensorDataType;
use serde_json::json;

use super::accepted::{self, Probe, float32, probe, readings};
use super::not_drawn::{self, fill, index_of};
use super::{Situation, with_elements};

pub(super) const NOT_DRAWN: &[not_drawn::Entry] = &[
    not_drawn::entry(
        &["ACTIVATION_HARDMAX1"],
        "several-axes",
        |s| {
            s.list("Axes").len() > 1
                && along_axes(s).values().any(|elements| {
                    let most = elements.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    elements.iter().filter(|&&x| x == most).count() > 1
                })
        },
        |s| {
            s.desc["Axes"] = json!([0, 1]);
            fill(s, "InputTensor", 1.0);
        },
    ),
    not_drawn::entry(
        &["ACTIVATION_HARDMAX1"],
        "nan",
        |s| s.data("InputTensor").iter().any(|x| x.is_nan()),
        |s| fill(s, "InputTensor", f64::NAN),
    ),
    not_drawn::entry(
        &["ACTIVATION_LOG_SOFTMAX1"],
        "intermediate-overflow",
        |s| {
            let (most, least) = match s.type_of("InputTensor") {
                Some(TensorDataType::Float16) => (65504.0, 2f64.powi(-24)),
                _ => (f32::MAX.into(), 2f64.powi(-149)),
            };
            along_axes(s).values().any(|elements| {
                let sum: f64 = elements.iter().map(|x| x.exp()).sum();
                sum > most || elements.iter().any(|x| x.exp() / sum < least)
            })
        },
        |s| fill(s, "InputTensor", 100.0),
    ),
    not_drawn::entry(
        &["BATCH_NORMALIZATION_TRAINING_GRAD"],
        "mean-of-input",
        |s| {
            let groups = groups(s);
            let means = means(s.data("InputTensor"), &groups);
            groups.iter().zip(means).any(|(&group, mean)| s.data("MeanTensor")[group] != mean)
        },
        |s| fill(s, "MeanTensor", 0.5),
    ),
];

pub(super) const ACCEPTED: &[accepted::Entry] = &[
    accepted::entry(&["ACTIVATION_LOG_SOFTMAX1"], "examples", |operator| {
        let case = float32(operator, |s| along_axes(s).values().all(|elements| elements.len() == 2));
        vec![probe(with_elements(case, "InputTensor", |_| 1.0), &[-2f64.ln()], &[0.0, 1.0])]
    }),
    accepted::entry(&["BATCH_NORMALIZATION_TRAINING_GRAD"], "centred-input", |operator| {
        read_as(operator, |s| gradient(s, &groups(s), |x, _| x))
    }),
    accepted::entry(&["BATCH_NORMALIZATION_TRAINING_GRAD"], "dimensions-of-means", |operator| {
        read_as(operator, |s| gradient(s, &vec![0; s.data("InputTensor").len()], |x, mean| x - mean))
    }),
];

/// Returns the elements of the input that belong together, by their index along the other dimensions.
fn along_axes(s: &Situation) -> BTreeMap<Vec<usize>, Vec<f64>> {
    let (sizes, axes) = (s.sizes("InputTensor"), s.list("Axes"));
    let mut all: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
    for (number, element) in s.data("InputTensor").iter().enumerate() {
        let mut index = index_of(number, &sizes);
        (0..sizes.len()).filter(|&d| axes.contains(&(d as f64))).for_each(|d| index[d] = 0);
        all.entry(index).or_default().push(*element);
    }
    all
}

/// Returns the first case of BATCH_NORMALIZATION_TRAINING_GRAD for which another reading of its page gives another result.
fn read_as(operator: &str, other: impl Fn(&Situation) -> Vec<f64>) -> Vec<Probe> {
    let right = |s: &Situation| gradient(s, &groups(s), |x, mean| x - mean);
    let differ = |s: &Situation| right(s).iter().zip(other(s)).any(|(right, other)| (right - other).abs() > 0.1);
    let case = float32(operator, differ);
    readings(case, right, other)
}

/// Returns which element of MeanTensor belongs to each element of the input.
fn groups(s: &Situation) -> Vec<usize> {
    let (sizes, of_means) = (s.sizes("InputTensor"), s.sizes("MeanTensor"));
    let group = |number: usize| {
        index_of(number, &sizes).iter().zip(&of_means).fold(0, |group, (at, size)| group * size + at % size)
    };
    (0..sizes.iter().product()).map(group).collect()
}

/// Returns for each element the mean of those in its group.
fn means(elements: &[f64], groups: &[usize]) -> Vec<f64> {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (element, group) in elements.iter().zip(groups) {
        let (sum, count) = sums.entry(*group).or_default();
        (*sum, *count) = (*sum + element, *count + 1.0);
    }
    groups.iter().map(|group| sums[group].0 / sums[group].1).collect()
}

/// Computes OutputGradientTensor. Means are those of `of_means`, and `centred` computes InputCentered from an element and the
/// mean.
fn gradient(s: &Situation, of_means: &[usize], centred: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let (x, incoming, groups) = (s.data("InputTensor"), s.data("InputGradientTensor"), groups(s));
    let (mean, mean_gradient) = (means(x, of_means), means(incoming, of_means));
    let products: Vec<f64> = (0..x.len()).map(|at| incoming[at] * (x[at] - mean[at])).collect();
    let mean_product = means(&products, of_means);
    let element = |at: usize| {
        let steady = s.data("VarianceTensor")[groups[at]] + s.number("Epsilon");
        let correction = centred(x[at], mean[at]) * mean_product[at] / steady;
        s.data("ScaleTensor")[groups[at]] / steady.sqrt() * (incoming[at] - mean_gradient[at] - correction)
    };
    (0..x.len()).map(element).collect()
}
