use crate::families::scatter::{self, Labels, Reduction};
use crate::prelude::*;

/// Replaces elements of the data by updates. Each index names the position of its update along an axis.
///
/// Version 16 adds the attribute `reduction` (`reduction-known`) with add and mul, which combine the update with the
/// element; version 18 adds max and min.
pub fn scatter_elements(call: &Call) -> Answer {
    along_an_axis(call)
}

/// Computes ScatterElements and its predecessor Scatter-9, which has no `reduction`.
pub(crate) fn along_an_axis(call: &Call) -> Answer {
    let (data, indices, updates) = (call.tensor("data")?, call.tensor("indices")?, call.tensor("updates")?);
    if data.rank() == 0 || data.rank() != indices.rank() {
        return Err(Refusal::violates(
            rule::RANKS_EQUAL,
            format!(
                "`data` and `indices` have ranks {} and {}, expected equal ranks above 0",
                data.rank(),
                indices.rank()
            ),
        ));
    }
    if updates.shape() != indices.shape() {
        return Err(Refusal::violates(
            rule::UPDATES_SHAPE_FITS,
            format!("`updates` has shape {:?}, expected that of `indices`, {:?}", updates.shape(), indices.shape()),
        ));
    }
    let axis = call.axis(call.int("axis")?, data.rank(), rule::AXIS_IN_RANGE)?;
    let wider = |d: usize| d != axis && indices.extent(d) > data.extent(d);
    if !indices.is_empty() && (0..data.rank()).any(wider) {
        return Err(Refusal::violates(
            rule::INDICES_FIT_DATA,
            format!(
                "`indices` of shape {:?} exceeds `data` of shape {:?} on an axis other than `axis`",
                indices.shape(),
                data.shape()
            ),
        ));
    }
    let known: &[&str] =
        if call.since() < 18 { &["none", "add", "mul"] } else { &["none", "add", "mul", "max", "min"] };
    let name = call.optional_string("reduction").unwrap_or("none".to_owned());
    let reduction = Reduction::named(&name, known, rule::REDUCTION_KNOWN)?;
    let mut targets = Vec::new();
    for (i, index) in call.ints("indices")?.into_iter().enumerate() {
        let mut at = shape::coordinates(i, indices.shape());
        at[axis] = shape::index_within(index, data.extent(axis), rule::INDICES_IN_RANGE)?;
        targets.push(shape::index_of(&at, data.shape()));
    }
    scatter::scatter(data, updates, &targets, reduction, LABELS)
}

const LABELS: Labels = Labels {
    duplicates: rule::DUPLICATE_INDICES,
    overflow: rule::INTEGER_OVERFLOW,
    nan: rule::NAN,
    order: rule::INTERMEDIATE_OVERFLOW,
    types: rule::NON_REAL_TYPES,
};
