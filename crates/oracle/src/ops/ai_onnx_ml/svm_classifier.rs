use std::sync::Arc;

use crate::Joint;
use crate::families::classes::{Classes, Decision, leaders};
use crate::families::coupling::{Coupling, DRIFT};
use crate::families::linear::{dot, examples};
use crate::families::post_transform::PostTransform;
use crate::families::support::Kernel;
use crate::families::traditional::in_float;
use crate::prelude::*;

/// Classifies each row with a support vector machine.
///
/// The only version is 1. With support vectors, each pair of classes casts a vote by the sign of its decision: the sum
/// of kernel values times coefficients, plus `rho`. Without support vectors, the score of a class is the dot product of
/// the features and its coefficients, plus `rho`.
///
/// Constraints: the rank of `X` (`rank-one-or-two`), one list of labels (`one-label-list-given`), the kernel
/// (`kernel-type-known`), the lengths of the lists (`model-sizes-fit`), the name of the transform
/// (`post-transform-known`), and the coefficients for probabilities (`probability-lists-fit`). The scores that are
/// returned: `decision-scores`, or `probabilities`; equal scores: `ties`; transforms: `post-transform`; the formula:
/// `decision-function`; a decision between two classes by coefficients of one sign: `binary-decision`.
pub fn svm_classifier(call: &Call) -> Answer {
    let (rows, features) = examples(call.tensor("X")?, rule::RANK_ONE_OR_TWO)?;
    let classes = Classes::read(call, "classlabels_ints", rule::ONE_LABEL_LIST_GIVEN)?;
    let machine = Machine::read(call, classes.count(), features)?;
    let transform = PostTransform::named(&call.string("post_transform")?, rule::POST_TRANSFORM_KNOWN)?;
    let [a, b] = ["prob_a", "prob_b"].map(|name| call.optional_float_list(name).unwrap_or_default());
    if a.len() != b.len() {
        let message = format!("`prob_a` has {} numbers and `prob_b` has {}", a.len(), b.len());
        return Err(Refusal::violates(rule::PROBABILITY_LISTS_FIT, message));
    }
    let probable = !a.is_empty();
    if probable && (machine.per_class.is_some() || a.len() != machine.pairs()) {
        let message = "the coefficients for probabilities are not one for each decision between two classes";
        return Err(Refusal::leaves_open(rule::PROBABILITIES, message));
    }
    let (mut decisions, count) = (Vec::new(), classes.count());
    for row in &rows {
        let scores = in_float(row, |row| machine.scores(row));
        decisions.push(if machine.per_class.is_some() {
            let transformed = transform.apply(&scores, rule::POST_TRANSFORM);
            let open = [leaders(&scores), leaders(&transformed)].concat();
            // The transform may be applied to the scores or be left out.
            let transformed = either(transformed, &scores, rule::POST_TRANSFORM);
            let open = (transform != PostTransform::None).then_some((rule::POST_TRANSFORM, open));
            Decision { raw: scores, transformed, open }
        } else if probable {
            let probabilities = machine.probabilities(&scores, &a, &b)?;
            let transformed = transform.apply(&probabilities, rule::POST_TRANSFORM);
            let transformed = either(transformed, &probabilities, rule::POST_TRANSFORM);
            let open = Some((rule::PROBABILITIES, leaders(&machine.votes(&scores))));
            Decision { raw: probabilities, transformed, open }
        } else {
            let votes = machine.votes(&scores);
            let open = (count == 2 && machine.coefficients.iter().all(|&c| c >= 0.0))
                .then_some((rule::BINARY_DECISION, vec![0, 1]));
            Decision { transformed: machine.given_out(&votes, &scores, transform), raw: votes, open }
        });
    }
    let add_up = probable && transform == PostTransform::None;
    let mut answer = classes.answer(decisions, count, rule::TIES)?;
    if let (true, Some(Operand::Tensor(z))) = (add_up, answer.get_mut(1)) {
        let joint = Some(Joint::AddUp { error: DRIFT * count as f64 });
        *z = Arc::new(Expected { joint, ..z.as_ref().clone() });
    }
    Ok(answer)
}

/// Accepts the other number in place of each number (`label`).
fn either(numbers: Vec<Number>, others: &[Number], label: Label) -> Vec<Number> {
    numbers.into_iter().zip(others).map(|(number, &other)| number.or(other, label)).collect()
}

/// The support vectors, grouped by class. Each vector has one coefficient for each decision between its own class and
/// another class.
struct Machine {
    kernel: Kernel,
    classes: usize,
    features: usize,
    /// The index of the first vector of each class, followed by the number of vectors.
    starts: Vec<usize>,
    vectors: Vec<f32>,
    coefficients: Vec<f32>,
    rho: Vec<f32>,
    /// The number that is added to the score of each class, if there are no support vectors.
    per_class: Option<f32>,
}

impl Machine {
    fn read(call: &Call, classes: usize, features: usize) -> Result<Machine, Refusal> {
        let kernel = Kernel::read(call, rule::KERNEL_TYPE_KNOWN)?;
        let list = |name: &str| call.optional_float_list(name).unwrap_or_default();
        let (vectors, coefficients, rho) = (list("support_vectors"), list("coefficients"), list("rho"));
        let wrong = |what: &str| {
            Err(Refusal::violates(
                rule::MODEL_SIZES_FIT,
                format!("{what} for {classes} classes and {features} features"),
            ))
        };
        let mut starts = vec![0];
        for count in call.optional_int_list("vectors_per_class").unwrap_or_default() {
            let last: usize = starts.last().copied().unwrap_or(0);
            let next = usize::try_from(count).ok().and_then(|count| last.checked_add(count));
            match next.filter(|&n| n <= vectors.len()) {
                Some(next) => starts.push(next),
                None => return wrong("`vectors_per_class` does not fit the support vectors"),
            }
        }
        let total = starts.last().copied().unwrap_or(0);
        let per_class = (total == 0).then(|| rho.first().copied().unwrap_or(0.0));
        let pairs = classes * classes.saturating_sub(1) / 2;
        let fits = match total {
            0 => coefficients.len() == classes * features && rho.len() == 1,
            _ => {
                starts.len() == classes + 1
                    && vectors.len() == total * features
                    && coefficients.len() == classes.saturating_sub(1) * total
                    && rho.len() == pairs
            }
        };
        if !fits || features == 0 || classes < 2 {
            return wrong("the lengths of the attribute lists do not fit a model");
        }
        let kernel = if total == 0 { Kernel::linear() } else { kernel };
        Ok(Machine { kernel, classes, features, starts, vectors, coefficients, rho, per_class })
    }

    fn pairs(&self) -> usize {
        self.classes * (self.classes - 1) / 2
    }

    /// Returns one score per class, or one decision per pair of classes.
    fn scores(&self, row: &[Number]) -> Vec<Number> {
        let row: Vec<Number> = row.iter().map(Number::with_outcomes_inside).collect();
        let row = row.as_slice();
        if self.per_class.is_some() {
            let own = self.coefficients.chunks(self.features);
            return own.map(|own| dot(row, own, self.per_class)).collect();
        }
        let kernels: Vec<Number> = self.vectors.chunks(self.features).map(|v| self.kernel.evaluate(row, v)).collect();
        let mut scores = Vec::with_capacity(self.pairs());
        for first in 0..self.classes {
            for second in first + 1..self.classes {
                let mut sum = Accumulator::new(row[0].dtype());
                // Each vector has one coefficient per other class `k`: in line `k` if `k` comes before the vector's own
                // class, and in line `k - 1` if it comes after.
                for (class, line) in [(first, second - 1), (second, first)] {
                    for vector in self.starts[class]..self.starts[class + 1] {
                        let coefficient = self.coefficients[line * kernels.len() + vector];
                        let coefficient = Real::constant(f64::from(coefficient), row[0].dtype());
                        sum.add_product(kernels[vector].real(), coefficient);
                    }
                }
                sum.add(Real::constant(f64::from(self.rho[scores.len()]), row[0].dtype()));
                scores.push(Number::from(sum.finish_inside()));
            }
        }
        scores
    }

    /// Returns what implementations return as scores (`decision-scores`): the decisions themselves, plain or negated;
    /// for two classes also 1 minus the decision; or the number of decisions that each class wins. Each of these may be
    /// transformed or not (`post-transform`).
    fn given_out(&self, votes: &[Number], decisions: &[Number], transform: PostTransform) -> Vec<Number> {
        let mut ways = match *decisions {
            [d] => vec![vec![-d, d], vec![d, -d], vec![d.like(1.0) - d, d], vec![d, d.like(1.0) - d]],
            _ => vec![decisions.to_vec(), decisions.iter().map(|&d| -d).collect()],
        };
        ways.push(votes.to_vec());
        let transformed = ways.iter().map(|way| transform.apply(way, rule::POST_TRANSFORM)).collect::<Vec<_>>();
        let ways = || transformed.iter().chain(&ways);
        let at = |i: usize| {
            let mut ways = ways().filter_map(|way| way.get(i).copied());
            let first = ways.next().unwrap_or(votes[i]);
            ways.fold(first, |all, other| all.or(other, rule::DECISION_SCORES))
        };
        (0..votes.len()).map(at).collect()
    }

    /// Returns the probability of each class (`probabilities`). For each pair of classes, LIBSVM computes the
    /// probability of the first one as 1 / (1 + e^(a d + b)) from their decision d. Then it couples these
    /// probabilities.
    fn probabilities(&self, decisions: &[Number], a: &[f32], b: &[f32]) -> Result<Vec<Number>, Refusal> {
        let of_first = |((&d, &a), &b): ((&Number, &f32), &f32)| {
            let exponent = d * d.like(f64::from(a)) + d.like(f64::from(b));
            let one = d.like(1.0);
            let logistic = |x: Number| PostTransform::Logistic.apply(&[x], rule::POST_TRANSFORM)[0];
            logistic(-exponent).hull(one - logistic(exponent)).real()
        };
        let pairs: Vec<Real> = decisions.iter().zip(a).zip(b).map(of_first).collect();
        Coupling::new(self.classes, &pairs).map(|coupling| coupling.probabilities())
    }

    /// Counts the decisions that each class wins. If decisions are uncertain, the count ranges from the least to the
    /// most possible wins.
    fn votes(&self, scores: &[Number]) -> Vec<Number> {
        let mut votes = vec![[0.0; 3]; self.classes];
        let mut score = scores.iter();
        for first in 0..self.classes {
            for second in first + 1..self.classes {
                let Some(x) = score.next().map(Number::real) else { continue };
                let maybe_nan = x.nan && !x.is_nan();
                let wins = [x.low > 0.0 && !maybe_nan, x.mid > 0.0, x.high > 0.0 || maybe_nan];
                let wins = wins.map(|wins| f64::from(u8::from(wins)));
                (0..3).for_each(|k| votes[first][k] += wins[k]);
                (0..3).for_each(|k| votes[second][k] += 1.0 - wins[2 - k]);
            }
        }
        let number = |[low, mid, high]: [f64; 3]| Real { low, high, ..Real::constant(mid, DType::Float) }.into();
        votes.into_iter().map(number).collect()
    }
}
