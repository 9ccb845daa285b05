//! What classifiers give: the label of the highest score, and the scores.

use crate::reference::families::traditional::{list, one_of};
use crate::reference::prelude::*;

/// The labels of classes: integers or strings.
pub struct Classes {
    labels: Tensor,
}

/// The scores of one example.
pub struct Decision {
    /// As they are compared.
    pub raw: Vec<Number>,
    /// As they are given out.
    pub transformed: Vec<Number>,
    /// The behaviour that leaves label and scores open, where there is one.
    pub open: Option<Label>,
}

impl Classes {
    /// The labels a node has, under this name or as `classlabels_strings`; `label` is the constraint broken where it has none, or both.
    pub fn read(call: &Call, ints: &'static str, label: Label) -> Result<Classes, Refusal> {
        let given = one_of(call, &[ints, "classlabels_strings"], label)?;
        Ok(Classes { labels: list(call, given)? })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.labels.len()
    }

    /// Y and Z. Where several classes may have the highest score, the label is one of theirs (`ties`).
    pub fn answer(&self, rows: Vec<Decision>, scores: usize, ties: Label) -> Answer {
        let labels = Expected::from(self.labels.clone());
        let count = rows.len();
        let highest: Vec<(usize, Option<Label>)> = rows.iter().map(|row| self.highest(row, ties)).collect();
        let y = labels.rearranged(vec![count], |i| highest[i].0)?;
        let mut open: Vec<Label> = highest.iter().filter_map(|(_, label)| *label).collect();
        open.dedup();
        let y = open.into_iter().fold(y, |y, label| y.undecided_where(label, |i| highest[i].1 == Some(label)));
        let number = |row: Decision| {
            let open = row.open;
            row.transformed.into_iter().map(move |z| open.map_or(z, |label| z.undecided(label)))
        };
        let numbers: Vec<Number> = rows.into_iter().flat_map(number).collect();
        let z = Expected::from_numbers(DType::Float, vec![count, scores], numbers)?;
        several([y, z])
    }

    /// The first class with the highest score, and what leaves it open.
    fn highest(&self, row: &Decision, ties: Label) -> (usize, Option<Label>) {
        let mids = row.raw.iter().take(self.count()).map(Number::mid).enumerate();
        let first = mids.fold((0, f64::NEG_INFINITY), |best, x| if x.1 > best.1 { x } else { best }).0;
        let least = row.raw.get(first).map_or(f64::NAN, |x| x.real().low);
        let rivals = row.raw.iter().filter(|x| x.real().high >= least || x.is_nan()).count();
        let open = row.open.or((rivals != 1 || row.raw.iter().any(|x| x.latitude.is_some())).then_some(ties));
        (first, open)
    }
}
