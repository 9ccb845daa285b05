//! Checks the large samples of random operators: that only the nightly profile draws them, and that errors of a
//! generator which no smaller sample shows are found in them.

use std::sync::Arc;

use plumbline_generator::{Case, Cell, profiles};
use plumbline_oracle::{Distribution, Operand, Oracle};
use plumbline_tensor::{DType, Tensor};
use rayon::prelude::*;

use crate::{sampled_cells, selected_cells};

/// The operators that draw their outputs at random. Dropout does so in some versions and cases only.
const RANDOM: [&str; 7] =
    ["Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"];

/// The number of elements from which on a sample counts as large.
const LARGE: usize = 100_000;

fn random(cells: Vec<Cell>) -> Vec<Cell> {
    cells.into_iter().filter(|cell| RANDOM.contains(&&*cell.version.id.name)).collect()
}

/// Returns the preferred answer and the distribution of each random output of a case.
fn drawn(case: &Case) -> Vec<(Tensor, Arc<Distribution>)> {
    let answer = Oracle::default().answer(&case.model, &case.inputs).unwrap();
    let outputs = answer.into_iter().filter_map(|output| match output {
        Operand::Tensor(expected) => expected.random.clone().map(|random| (expected.tensor.clone(), random)),
        _ => None,
    });
    outputs.collect()
}

/// Returns the large samples among the first cases of a cell, from case `first` on.
fn large_samples(cell: &Cell, first: u64, cases: u64) -> Vec<(String, Tensor, Arc<Distribution>)> {
    let of_case = |index| {
        let case = cell.case(None, index, 0).unwrap();
        let of_output = |(tensor, random): (Tensor, Arc<Distribution>)| (case.id.clone(), tensor, random);
        drawn(&case).into_iter().map(of_output).collect::<Vec<_>>()
    };
    (first..cases).flat_map(of_case).filter(|(_, tensor, _)| tensor.len() >= LARGE).collect()
}

#[test]
fn only_the_nightly_profile_draws_large_samples() {
    let profiles = profiles().unwrap();
    let wrong = |cell: &Cell| -> Option<String> {
        let [ci, nightly] = ["ci", "nightly"].map(|name| cell.share_of(profiles[name].cases));
        let early = large_samples(cell, 0, ci);
        if let Some((id, tensor, _)) = early.iter().find(|(_, tensor, _)| tensor.len() > 1 << 18) {
            return Some(format!("{id} has {} elements", tensor.len()));
        }
        // Dropout may lack training, or have nothing to drop.
        let none = cell.version.id.name != "Dropout" && large_samples(cell, ci, nightly).is_empty();
        none.then(|| format!("{cell} has no large sample in {nightly} cases"))
    };
    let wrong: Vec<String> = random(sampled_cells()).par_iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns a sample with each element changed.
fn changed(sample: &Tensor, change: impl Fn(f64) -> f64) -> Tensor {
    let values: Vec<f64> = sample.to_f64s().into_iter().map(change).collect();
    Tensor::from_f64s(sample.dtype(), sample.shape().to_vec(), &values).unwrap()
}

#[test]
fn a_scale_or_mean_that_is_slightly_off_is_found() {
    let (mut tried, mut missed) = (0, Vec::new());
    for cell in random(selected_cells()) {
        // In types with fewer digits, rounding may explain more than these errors.
        let dtype = cell.bound.as_ref().map(|(_, bound)| bound.leaf_dtype());
        if cell.version.id.name != "RandomNormal" || ![Some(DType::Float), Some(DType::Double)].contains(&dtype) {
            continue;
        }
        for (id, sample, random) in large_samples(&cell, 64, 112) {
            let Distribution::Normal { mean, deviation } = *random else { unreachable!("it draws a normal sample") };
            assert_eq!(random.objection(&sample), None, "{id}");
            tried += 1;
            for (name, wrong) in [
                ("scale", changed(&sample, |x| mean + 1.01 * (x - mean))),
                ("mean", changed(&sample, |x| x + 0.01 * deviation)),
                ("clip", changed(&sample, |x| x.clamp(mean - 3.0 * deviation, mean + 3.0 * deviation))),
            ] {
                if random.objection(&wrong).is_none() {
                    missed.push(format!("{id}: {name}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "of {tried} samples: {}", missed.join(", "));
    assert!(tried >= 4 || std::env::var_os("PLUMBLINE_OP").is_some(), "{tried} samples");
}
