//! The outputs of classifiers: the label of the class with the highest score, and the scores.

use crate::families::traditional::{list, one_of};
use crate::prelude::*;

/// The labels of the classes: integers or strings.
pub struct Classes {
    labels: Tensor,
}

/// The scores of one example, and whether they decide its label.
pub struct Decision {
    /// The scores as they are compared.
    pub raw: Vec<Number>,
    /// The scores as they are returned.
    pub transformed: Vec<Number>,
    /// A rule that allows the labels of other classes than the one with the highest score in `raw`, and these classes.
    pub open: Option<(Label, Vec<usize>)>,
}

impl Decision {
    /// Accepts two decisions: the label may be that of either, and each score may be that of either. `label` names the
    /// rule that leaves this open.
    pub fn or(self, other: Decision, label: Label) -> Decision {
        let either = |(a, b): (Number, Number)| a.or(b, label);
        let transformed = self.transformed.into_iter().zip(other.transformed).map(either).collect();
        let raw = self.raw.into_iter().zip(other.raw).map(either).collect();
        let open = match (self.open, other.open) {
            (Some((label, classes)), Some((_, others))) => Some((label, [classes, others].concat())),
            (open, others) => open.or(others),
        };
        Decision { raw, transformed, open }
    }
}

impl Classes {
    /// Reads the class labels of a node from the attribute named `ints` or from `classlabels_strings`. `label` names
    /// the rule that is violated if neither or both are given.
    pub fn read(call: &Call, ints: &'static str, label: Label) -> Result<Classes, Refusal> {
        let given = one_of(call, &[ints, "classlabels_strings"], label)?;
        Ok(Classes { labels: list(call, given)? })
    }

    /// Returns the number of classes.
    pub fn count(&self) -> usize {
        self.labels.len()
    }

    /// Returns the outputs Y and Z. If several classes may have the highest score, the label of any of them is an
    /// outcome of `ties`, or of the rule that leaves a score or the decision open.
    pub fn answer(&self, rows: Vec<Decision>, scores: usize, ties: Label) -> Answer {
        let labels = Expected::from(self.labels.clone());
        let count = rows.len();
        let highest: Vec<(usize, Option<Label>, Vec<usize>)> = rows.iter().map(|row| self.highest(row, ties)).collect();
        let y = labels.rearranged(vec![count], |i| highest[i].0)?;
        // If there is a single class, an implementation may make up a label for the missing second class.
        let open_rule = |row: &Decision| row.open.as_ref().map(|(label, _)| *label).filter(|_| self.count() == 1);
        let alone: Vec<Option<Label>> = rows.iter().map(open_rule).collect();
        let mut open: Vec<Label> = highest.iter().filter_map(|(_, label, _)| *label).collect();
        open.dedup();
        let rivals = |label: Label| {
            let highest = &highest;
            move |i: usize| if highest[i].1 == Some(label) { highest[i].2.clone() } else { vec![] }
        };
        let y = open.into_iter().fold(y, |y, label| y.or_elements(label, &labels, rivals(label)));
        let made_up = alone.iter().find_map(|label| *label);
        let y = made_up.map_or(y.clone(), |label| y.undecided_where(label, |i| alone[i].is_some()));
        let numbers: Vec<Number> = rows.into_iter().flat_map(|row| row.transformed).collect();
        let z = Expected::from_numbers(DType::Float, vec![count, scores], numbers)?;
        several([y, z])
    }

    /// Returns the first class with the highest score, the rule that leaves the choice of the class open, and the other
    /// classes that an implementation may choose.
    fn highest(&self, row: &Decision, ties: Label) -> (usize, Option<Label>, Vec<usize>) {
        let mids = row.raw.iter().take(self.count()).map(Number::mid).enumerate();
        let first = mids.fold((0, f64::NEG_INFINITY), |best, x| if x.1 > best.1 { x } else { best }).0;
        let mut rivals = leaders(&row.raw[..self.count().min(row.raw.len())]);
        let undecided = row.raw.iter().find_map(|x| x.latitude).map_or(ties, |latitude| latitude.label);
        let label = match &row.open {
            Some((label, classes)) => {
                rivals.extend(classes);
                *label
            }
            None => undecided,
        };
        rivals.sort_unstable();
        rivals.dedup();
        rivals.retain(|&class| class != first && class < self.count());
        (first, (!rivals.is_empty()).then_some(label), rivals)
    }
}

/// Returns the classes that may have the highest score: all of them if a score may be NaN.
pub fn leaders(scores: &[Number]) -> Vec<usize> {
    let widest: Vec<Real> = scores.iter().map(Number::widest).collect();
    if widest.iter().any(|x| x.nan || x.is_nan()) {
        return (0..widest.len()).collect();
    }
    let least = widest.iter().map(|x| x.low).fold(f64::NEG_INFINITY, f64::max);
    (0..widest.len()).filter(|&class| widest[class].high >= least).collect()
}

/// Returns which of two classes may win if only the second one has a score. It wins above zero if the other class has
/// the negative of the score, and above a half if the other class has 1 minus the score.
pub fn winners_of_one_score(score: Number) -> Vec<usize> {
    let score = score.widest();
    let undecided = score.nan || score.is_nan();
    let (first, second) = (undecided || score.low <= 0.5, undecided || score.high >= 0.0);
    [first, second].into_iter().enumerate().filter(|(_, wins)| *wins).map(|(class, _)| class).collect()
}

/// Returns the scores of two classes when there is only one score, which belongs to the second class.
///
/// Implementations compute the score of the first class as the negative of that score, or as 1 minus that score. They
/// do so before the transform, after it, or without it. Each returned score accepts the results of all these
/// combinations (`label`).
pub fn of_one_score(score: Number, transform: impl Fn(&[Number]) -> Vec<Number>, label: Label) -> [Number; 2] {
    let one = score.like(1.0);
    let pairs = [[-score, score], [one - score, score]];
    let mut all: Vec<Vec<Number>> = pairs.iter().map(|pair| transform(pair)).collect();
    all.extend(pairs.map(|pair| pair.to_vec()));
    if let [alone] = transform(&[score])[..] {
        all.extend([vec![-alone, alone], vec![one - alone, alone]]);
    }
    let at = |i: usize| {
        let mut ways = all.iter().filter_map(|pair| pair.get(i).copied());
        let first = ways.next().unwrap_or(score);
        ways.fold(first, |all, other| all.or(other, label))
    };
    [at(0), at(1)]
}
