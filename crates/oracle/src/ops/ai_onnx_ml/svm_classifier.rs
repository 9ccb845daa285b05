use crate::families::classes::{Classes, Decision};
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
/// returned: `decision-scores`; equal scores: `ties`; transforms: `post-transform`; the formula: `decision-function`;
/// the sign of a decision between two classes: `binary-decision`.
pub fn svm_classifier(call: &Call) -> Answer {
    let (rows, features) = examples(call.tensor("X")?, rule::RANK_ONE_OR_TWO)?;
    let classes = Classes::read(call, "classlabels_ints", rule::ONE_LABEL_LIST_GIVEN)?;
    let machine = Machine::read(call, classes.count(), features)?;
    let transform = PostTransform::named(&call.string("post_transform")?, rule::POST_TRANSFORM_KNOWN)?;
    let [a, b] = ["prob_a", "prob_b"].map(|name| call.optional_float_list(name).unwrap_or_default().len());
    if a != b || a != 0 && a != machine.pairs() {
        return Err(Refusal::violates(
            rule::PROBABILITY_LISTS_FIT,
            format!("`prob_a` and `prob_b` have {a} and {b} numbers, expected none, or one for each pair of classes"),
        ));
    }
    let (mut decisions, count) = (Vec::new(), classes.count());
    for row in &rows {
        let scores = in_float(row, |row| machine.scores(row));
        let per_class = machine.per_class.is_some();
        // The label is open if scores of classes are transformed, if a model with support vectors has probabilities, or
        // if there are only two classes.
        let open = match (per_class, a != 0) {
            (true, _) if transform != PostTransform::None => Some(rule::POST_TRANSFORM),
            (false, true) => Some(rule::DECISION_SCORES),
            _ => (count == 2).then_some(rule::BINARY_DECISION),
        };
        let raw = if per_class { scores.clone() } else { machine.votes(&scores) };
        let transformed = if per_class {
            // The transform may be applied to the scores or be left out.
            let pairs = transform.apply(&scores, rule::POST_TRANSFORM).into_iter().zip(&scores);
            pairs.map(|(y, &score)| y.or_other(score, rule::POST_TRANSFORM)).collect()
        } else {
            machine.given_out(&raw, &scores, transform, a != 0)
        };
        decisions.push(Decision { raw, transformed, open });
    }
    classes.answer(decisions, count, rule::TIES)
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

    /// Returns what implementations return as scores (`decision-scores`): the number of decisions that each class
    /// wins; the decisions themselves, plain or negated; for two classes also 1 minus the decision; or probabilities.
    /// Each of these may be transformed or not (`post-transform`).
    fn given_out(
        &self,
        votes: &[Number],
        decisions: &[Number],
        transform: PostTransform,
        probable: bool,
    ) -> Vec<Number> {
        let negated: Vec<Number> = decisions.iter().map(|&d| -d).collect();
        let mut ways = vec![votes.to_vec()];
        match *decisions {
            [d] => ways.extend([vec![d, -d], vec![-d, d], vec![d.like(1.0) - d, d], vec![d, d.like(1.0) - d]]),
            _ => ways.extend([decisions.to_vec(), negated]),
        }
        let transformed: Vec<Vec<Number>> = ways.iter().map(|way| transform.apply(way, rule::POST_TRANSFORM)).collect();
        ways.extend(transformed);
        let at = |i: usize| {
            let others = ways.iter().filter_map(|way| way.get(i).copied());
            let all = others.fold(votes[i], |all, other| all.or_other(other, rule::DECISION_SCORES));
            match (probable, transform) {
                (false, _) => all,
                // The probit of a probability may be any number.
                (true, PostTransform::Probit) => {
                    all.allowing(Allowed::between(f64::NEG_INFINITY, f64::INFINITY), rule::DECISION_SCORES)
                }
                (true, _) => all.allowing(Allowed::between(0.0, 1.0), rule::DECISION_SCORES),
            }
        };
        (0..votes.len()).map(at).collect()
    }

    /// Counts the decisions that each class wins. If decisions are uncertain, the count ranges from the least to the
    /// most possible wins.
    fn votes(&self, scores: &[Number]) -> Vec<Number> {
        let mut votes = vec![[0.0; 3]; self.classes];
        let mut score = scores.iter();
        for first in 0..self.classes {
            for second in first + 1..self.classes {
                let Some(x) = score.next().map(Number::real) else { continue };
                let wins = [x.low > 0.0, x.mid > 0.0, x.high > 0.0].map(|wins| f64::from(u8::from(wins)));
                (0..3).for_each(|k| votes[first][k] += wins[k]);
                (0..3).for_each(|k| votes[second][k] += 1.0 - wins[2 - k]);
            }
        }
        let number = |[low, mid, high]: [f64; 3]| Real { low, high, ..Real::constant(mid, DType::Float) }.into();
        votes.into_iter().map(number).collect()
    }
}
