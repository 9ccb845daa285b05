//! Writing updates into a copy of a tensor: Scatter, ScatterElements, ScatterND.

use crate::families::extremum::extremum_of;
use crate::families::product::product_kept_in;
use crate::prelude::*;
use crate::sum::sum_in_type;

/// What happens to an element on which updates land.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The update takes its place.
    None,
    /// The update is added.
    Add,
    /// The update is multiplied with it.
    Mul,
    /// The larger one stays.
    Max,
    /// The smaller one stays.
    Min,
}

/// The behaviours of the three operators that are numbered alike.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    /// Several updates for one element, none of which is combined with it.
    pub duplicates: Label,
    /// Integers that leave their type's range.
    pub overflow: Label,
    /// NaN under max and min.
    pub nan: Label,
    /// Products whose order decides whether they leave the type's range.
    pub order: Label,
    /// Arithmetic on types for which the text does not define it.
    pub types: Label,
}

impl Reduction {
    /// The reduction of this name; `label` is the constraint broken where there is none, `known` are the names that this version has.
    pub fn named(name: &str, known: &[&str], label: Label) -> Result<Reduction, Refusal> {
        let reduction = match name {
            "none" => Reduction::None,
            "add" => Reduction::Add,
            "mul" => Reduction::Mul,
            "max" => Reduction::Max,
            "min" => Reduction::Min,
            _ => return Err(Refusal::violates(label, format!("`{name}` is no reduction"))),
        };
        if !known.contains(&name) {
            return Err(Refusal::violates(label, format!("this version has no reduction `{name}`")));
        }
        Ok(reduction)
    }
}

/// `data` with `updates` in it: `targets` gives, for each update, the element on which it lands.
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
            "{}: the specification defines no {reduction:?} of {}",
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

/// Without a reduction the last update stays, but where several land on one element it may be any of them.
fn replaced(data: &Expected, updates: &Expected, landed: &[Vec<usize>], labels: Labels) -> Answer {
    let pick = |i: usize| landed[i].last().map_or((0, i), |&u| (1, u));
    let output = Expected::assembled(data.shape().to_vec(), &[data, updates], pick)?;
    let earlier = |i: usize| landed[i].split_last().map_or(vec![], |(_, earlier)| earlier.to_vec());
    one(output.or_elements(labels.duplicates, updates, earlier))
}

/// One element with all updates that land on it, in any order.
fn combine(before: Number, updates: &[Number], reduction: Reduction, labels: Labels) -> Number {
    let dtype = before.dtype();
    let all: Vec<Number> = std::iter::once(before).chain(updates.iter().copied()).collect();
    let largest = |x: Number, y: Number| x.maximum(y, labels.nan);
    let smallest = |x: Number, y: Number| x.minimum(y, labels.nan);
    match reduction {
        Reduction::None => updates.last().copied().unwrap_or(before),
        Reduction::Max => extremum_of(&all, largest, labels.nan).unwrap_or(before),
        Reduction::Min => extremum_of(&all, smallest, labels.nan).unwrap_or(before),
        // True is 1, and what is not 0 is true.
        Reduction::Add if dtype == DType::Bool => {
            let odd = all.iter().filter(|x| x.mid_int() != 0).count() % 2 == 1;
            updates.iter().copied().fold(before, largest).or_other(odd.into(), labels.types)
        }
        Reduction::Mul if dtype == DType::Bool => updates.iter().copied().fold(before, smallest),
        Reduction::Add if !dtype.is_float() => sum(all, dtype, labels.overflow),
        // A single update is rounded once; several are added one by one to an element of the output's type.
        Reduction::Add if updates.len() == 1 => before + updates[0],
        Reduction::Add => sum_in_type(&all),
        Reduction::Mul if dtype.is_float() && updates.len() == 1 => before * updates[0],
        Reduction::Mul => product_kept_in(dtype, &all, dtype, labels.overflow, labels.order),
    }
}
