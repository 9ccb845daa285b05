//! Scatter, ScatterElements and ScatterND, which write updates into a copy of a tensor.

use crate::families::extremum::extremum_of;
use crate::families::product::product_kept_in;
use crate::prelude::*;
use crate::sum::sum_in_type;

/// How an update changes the element on which it lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The update replaces the element.
    None,
    /// The update is added to the element.
    Add,
    /// The element is multiplied by the update.
    Mul,
    /// The larger of the two stays.
    Max,
    /// The smaller of the two stays.
    Min,
}

/// The rules that leave something open. Scatter has no reductions, and only the first of these rules.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// Several updates land on one element, and none of them is combined with it.
    pub duplicates: Label,
    /// Integers leave the range of their type.
    pub overflow: Label,
    /// A NaN takes part in a maximum or minimum.
    pub nan: Label,
    /// The order of the factors decides whether a product leaves the range of the type.
    pub order: Label,
    /// The text does not define arithmetic on the type.
    pub types: Label,
}

impl Reduction {
    /// Returns the reduction of this name. `known` are the names that this version has, and `label` names the rule that
    /// is violated by any other name.
    pub fn named(name: &str, known: &[&str], label: Label) -> Result<Reduction, Refusal> {
        let reduction = match name {
            "none" => Reduction::None,
            "add" => Reduction::Add,
            "mul" => Reduction::Mul,
            "max" => Reduction::Max,
            "min" => Reduction::Min,
            _ => return Err(Refusal::violates(label, format!("`reduction` is `{name}`, which is not a reduction"))),
        };
        if !known.contains(&name) {
            return Err(Refusal::violates(label, format!("`reduction` is `{name}`, which this version does not have")));
        }
        Ok(reduction)
    }
}

/// Writes `updates` into `data`. For each update, `targets` holds the element on which it lands.
pub fn scatter(data: &Expected, updates: &Expected, targets: &[usize], reduction: Reduction, labels: Labels) -> Answer {
    let mut landed: Vec<Vec<usize>> = vec![vec![]; data.len()];
    for (update, &target) in targets.iter().enumerate() {
        landed[target].push(update);
    }
    if reduction == Reduction::None {
        return replaced(data, updates, &landed, labels);
    }
    if matches!(data.dtype(), DType::String | DType::Complex64 | DType::Complex128) {
        return Err(Refusal::unsupported(format!(
            "{}: the specification does not define reduction {reduction:?} for {}",
            labels.types,
            data.dtype()
        )));
    }
    let combined = landed.iter().enumerate().map(|(i, landed)| {
        let before = data.number(i);
        let terms: Vec<Number> = landed.iter().map(|&u| updates.number(u)).collect();
        if terms.is_empty() { before } else { combine(before, &terms, reduction, labels) }
    });
    one(Expected::from_numbers(data.dtype(), data.shape().to_vec(), combined)?)
}

/// Replaces each element by the last update that lands on it, without a reduction. An implementation may take any other
/// update that lands on the element instead (`duplicates`).
fn replaced(data: &Expected, updates: &Expected, landed: &[Vec<usize>], labels: Labels) -> Answer {
    let pick = |i: usize| landed[i].last().map_or((0, i), |&u| (1, u));
    let output = Expected::assembled(data.shape().to_vec(), &[data, updates], pick)?;
    let earlier = |i: usize| landed[i].split_last().map_or(vec![], |(_, earlier)| earlier.to_vec());
    one(output.or_elements(labels.duplicates, updates, earlier))
}

/// Combines an element with all updates that land on it, in any order.
fn combine(before: Number, updates: &[Number], reduction: Reduction, labels: Labels) -> Number {
    let dtype = before.dtype();
    let all: Vec<Number> = std::iter::once(before).chain(updates.iter().copied()).collect();
    let largest = |x: Number, y: Number| x.maximum(y, labels.nan);
    let smallest = |x: Number, y: Number| x.minimum(y, labels.nan);
    match reduction {
        Reduction::None => updates.last().copied().unwrap_or(before),
        Reduction::Max => extremum_of(&all, largest, labels.nan).unwrap_or(before),
        Reduction::Min => extremum_of(&all, smallest, labels.nan).unwrap_or(before),
        // True counts as 1, and every sum or product other than 0 is true.
        Reduction::Add if dtype == DType::Bool => {
            let odd = all.iter().filter(|x| x.mid_int() != 0).count() % 2 == 1;
            updates.iter().copied().fold(before, largest).or(Number::from(odd), labels.types)
        }
        Reduction::Mul if dtype == DType::Bool => updates.iter().copied().fold(before, smallest),
        Reduction::Add if !dtype.is_float() => sum(all, dtype, labels.overflow),
        // With one update, the sum is rounded once. With several, each sum may be rounded to the output's type.
        Reduction::Add if updates.len() == 1 => before + updates[0],
        Reduction::Add => sum_in_type(&all),
        Reduction::Mul if dtype.is_float() && updates.len() == 1 => before * updates[0],
        Reduction::Mul => product_kept_in(dtype, &all, dtype, labels.overflow, labels.order),
    }
}
