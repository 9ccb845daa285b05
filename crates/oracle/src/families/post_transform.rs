//! The attribute `post_transform` of ai.onnx.ml, which transforms the scores of one example. Each operator passes the
//! names of its own rules.

use crate::families::activation::{computed, exact_sigmoid, sigmoid, sigmoid_below_zero, within};
use crate::families::softmax::shifted;
use crate::prelude::*;
use crate::sum_inside;

/// A transform of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostTransform {
    /// `NONE`: the scores stay as they are.
    None,
    /// `SOFTMAX`: the softmax of the scores.
    Softmax,
    /// `LOGISTIC`: the logistic function of each score.
    Logistic,
    /// `SOFTMAX_ZERO`: the softmax of the scores that are not zero.
    SoftmaxZero,
    /// `PROBIT`: the quantile of the standard normal distribution for each score.
    Probit,
}

impl PostTransform {
    /// Returns the transform of this name. `label` names the rule that is violated by any other name.
    pub fn named(name: &str, label: Label) -> Result<PostTransform, Refusal> {
        Ok(match name {
            "NONE" => PostTransform::None,
            "SOFTMAX" => PostTransform::Softmax,
            "LOGISTIC" => PostTransform::Logistic,
            "SOFTMAX_ZERO" => PostTransform::SoftmaxZero,
            "PROBIT" => PostTransform::Probit,
            other => {
                return Err(Refusal::violates(
                    label,
                    format!("`post_transform` is `{other}`, which is not a known transform"),
                ));
            }
        })
    }

    /// Returns the transform of this number. `label` names the rule that is violated by any other number.
    pub fn numbered(number: i64, label: Label) -> Result<PostTransform, Refusal> {
        const ALL: [PostTransform; 5] = [
            PostTransform::None,
            PostTransform::Softmax,
            PostTransform::Logistic,
            PostTransform::SoftmaxZero,
            PostTransform::Probit,
        ];
        let found = usize::try_from(number).ok().and_then(|n| ALL.get(n)).copied();
        found.ok_or_else(|| {
            Refusal::violates(label, format!("`post_transform` is {number}, which is not a known transform"))
        })
    }

    /// Transforms the scores of one example. No text describes the transforms. `open` names the rule that leaves two of
    /// them open: SOFTMAX_ZERO if it leaves out some scores, and PROBIT.
    pub fn apply(self, scores: &[Number], open: Label) -> Vec<Number> {
        match self {
            PostTransform::None => scores.to_vec(),
            PostTransform::Logistic => scores.iter().map(|&x| logistic(x)).collect(),
            PostTransform::Softmax => softmax(scores),
            PostTransform::SoftmaxZero => softmax_zero(scores, open),
            PostTransform::Probit => scores.iter().map(|&x| probit(x, open)).collect(),
        }
    }

    /// Transforms the scores of the targets of one example, for a regression. The softmax of a single score is 1,
    /// whatever the score is, and no text says that it is taken then: the score as it is is an outcome (`open`).
    pub fn apply_to_targets(self, scores: &[Number], open: Label) -> Vec<Number> {
        match (self, scores) {
            (PostTransform::Softmax | PostTransform::SoftmaxZero, &[score]) => {
                self.apply(scores, open).into_iter().map(|y| y.or(score, open)).collect()
            }
            _ => self.apply(scores, open),
        }
    }
}

/// Computes `1 / (1 + e^-x)`; below zero also `1 - 1 / (1 + e^x)`, which loses the digits of small results.
fn logistic(x: Number) -> Number {
    let one = x.like(1.0);
    let y = computed(x, exact_sigmoid, &[&|x, _| sigmoid(x), &|x, _| sigmoid_below_zero(x)]);
    let below = if x.mid() < 0.0 { y.hull(one - one / (one + x.exp())) } else { y };
    within(below, 0.0, 1.0)
}

fn softmax(scores: &[Number]) -> Vec<Number> {
    let weights: Vec<Number> = shifted(scores).into_iter().map(Number::exp).collect();
    let Some(first) = weights.first() else { return weights };
    let total = sum_inside(weights.iter().copied(), first.dtype(), rule::POST_TRANSFORM);
    // A score that has overflowed is infinite, unless it is kept in a wider type. The difference of two infinities is NaN,
    // and so is the sum then.
    let may_overflow = |x: &Number| x.real().high == f64::INFINITY && (x.real().low.is_finite() || x.mid().is_finite());
    let or_nan = |x: Real| Real { nan: true, ..x };
    let spoilt = scores.iter().any(may_overflow);
    let share = |&w: &Number| if spoilt { (w / total).map_real(or_nan) } else { w / total };
    weights.iter().map(share).collect()
}

/// Computes the softmax of the scores that are neither zero nor close to it; the others become zero. The softmax of all
/// scores is another outcome (`open`), and so is each way to count scores that may or may not be close to zero.
fn softmax_zero(scores: &[Number], open: Label) -> Vec<Number> {
    /// Scores nearer to zero than this count as zero, as in some implementations.
    const NEAR: f64 = 1e-6;
    /// The most scores for which each way to count them is an outcome.
    const MOST: usize = 4;
    let is_near = |x: f64| x.abs() <= NEAR;
    let near: Vec<bool> = scores.iter().map(|x| is_near(x.mid())).collect();
    let unsure = |&i: &usize| {
        let x = scores[i].widest();
        is_near(x.low) != is_near(x.high) || x.low < -NEAR && x.high > NEAR
    };
    let unsure: Vec<usize> = (0..scores.len()).filter(unsure).take(MOST).collect();
    let mut result = shares_of_others(scores, &near);
    for ways in 0..1usize << unsure.len() {
        let mut near = near.clone();
        unsure.iter().enumerate().for_each(|(bit, &i)| near[i] = ways >> bit & 1 == 1);
        let others = shares_of_others(scores, &near);
        result = result.into_iter().zip(others).map(|(y, other)| y.or(other, open)).collect();
    }
    if !near.contains(&true) {
        return result;
    }
    // Scores of zero, or near it, may count in the sum and have a share themselves. If all scores are zero, the sum may
    // be zero, which gives NaN.
    let nothing = |y: Number| if near.contains(&false) { y } else { y.or(y.like(f64::NAN), open) };
    result.into_iter().zip(softmax(scores)).map(|(y, other)| nothing(y.or(other, open))).collect()
}

/// Returns the softmax of the scores that are not near zero, and zero for those that are.
fn shares_of_others(scores: &[Number], near: &[bool]) -> Vec<Number> {
    let others: Vec<Number> = scores.iter().zip(near).filter(|(_, near)| !**near).map(|(&x, _)| x).collect();
    let mut shares = softmax(&others).into_iter();
    let share = |(x, &near): (&Number, &bool)| if near { x.like(0.0) } else { shares.next().unwrap_or(*x) };
    scores.iter().zip(near).map(share).collect()
}

/// Returns the number below which a standard normal variable lies with probability `p`. Approximations within a
/// hundredth are other outcomes (`open`). If `p` is close to 0 or 1, approximations within a tenth are, too. Outside of
/// (0, 1) the result is NaN or an infinity.
fn probit(p: Number, open: Label) -> Number {
    /// The largest relative error that is accepted of an approximation.
    const APART: f64 = 1e-2;
    /// If `p` is nearer to 0 or 1 than this, an error ten times as large is accepted.
    const EDGE: f64 = 1e-4;
    let y = Number::from(Real::constant(inverse_normal(p.mid()), p.dtype()));
    let widest = p.widest();
    let (low, high) = (widest.low.max(0.0), widest.high.min(1.0));
    let infinite = |y: Number| {
        let others = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
        others.into_iter().fold(y, |y, x| y.or(y.like(x), open))
    };
    if low.is_nan() || high.is_nan() || low > high {
        return infinite(y);
    }
    let at_edge = !(low > EDGE && high < 1.0 - EDGE);
    // If `p` is near 0 or 1, an implementation that rounds 2 p - 1 to float gets a noticeably different quantile.
    let lost = if at_edge { f64::from(f32::EPSILON) } else { 0.0 };
    let ends = [(low - lost).max(0.0), (high + lost).min(1.0)].map(inverse_normal);
    let apart = if at_edge { 10.0 * APART } else { APART };
    let slack = ends.map(f64::abs).into_iter().filter(|x| x.is_finite()).fold(APART, f64::max) * apart + APART * APART;
    let y = y.or(Allowed::between(ends[0] - slack, ends[1] + slack), open);
    if at_edge { infinite(y) } else { y }
}

/// Computes `sqrt(2) * erfinv(2 p - 1)` by bisection.
fn inverse_normal(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let (mut low, mut high) = (-40.0, 40.0);
    if p == 0.0 || p == 1.0 {
        return if p == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if libm::erfc(-middle / std::f64::consts::SQRT_2) / 2.0 < p { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probit_of_a_probability_is_its_quantile() {
        assert!(inverse_normal(0.5).abs() < 1e-12);
        assert!((inverse_normal(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        assert!((inverse_normal(1e-3) + 3.090_232_306_167_813).abs() < 1e-12);
        assert!(inverse_normal(1.5).is_nan());
    }

    #[test]
    fn scores_of_zero_have_no_share() {
        let scores = [2.0, 0.0, 2.0].map(|x| Number::from(Real::exact(x, DType::Float)));
        let shares: Vec<f64> =
            PostTransform::SoftmaxZero.apply(&scores, rule::POST_TRANSFORM).iter().map(Number::mid).collect();
        assert_eq!(shares, [0.5, 0.0, 0.5]);
    }

    #[test]
    fn one_score_has_no_share_and_every_other_transform() {
        let score = [Number::from(Real::exact(-3.0, DType::Float))];
        let takes = |transform: PostTransform, value: f64| {
            let y = transform.apply_to_targets(&score, rule::POST_TRANSFORM)[0];
            y.widest().accepts(value) && y.latitude.is_some()
        };
        assert!([PostTransform::Softmax, PostTransform::SoftmaxZero].into_iter().all(|softmax| takes(softmax, -3.0)));
        assert!(!takes(PostTransform::Logistic, -3.0));
        let two = [score[0], score[0]];
        let shares = PostTransform::Softmax.apply_to_targets(&two, rule::POST_TRANSFORM);
        assert!(shares.iter().all(|share| share.latitude.is_none()));
    }

    /// In float, the sum of a and b is rounded up. The difference between c and this sum is rounded to -39.363342, but
    /// the difference between c and the exact sum would be rounded to -39.363338.
    #[test]
    fn a_softmax_of_sums_takes_differences_of_rounded_sums() {
        let float = |x: f32| Number::from(Real::exact(f64::from(x), DType::Float));
        let [a, b, c] = [24.664_347f32, 0.198_992_98, -14.5];
        let share = PostTransform::Softmax.apply(&[float(c), float(a) + float(b)], rule::POST_TRANSFORM)[0].real();
        let expected = f64::from((c - (a + b)).exp());
        assert!(share.low <= expected && expected <= share.high, "{expected} is not in {share:?}");
        assert!(share.high - share.low < 2e-5 * share.mid);
    }
}
