use crate::families::scatter::{self, Labels, Reduction};
use crate::prelude::*;

/// Replaces slices of the data by updates. The last axis of the indices holds the leading coordinates of each slice.
///
/// Version 16 adds the attribute `reduction` (`reduction-known`) with add and mul; version 18 adds max and min. mul
/// multiplies, although the text of version 18 calls it an addition (`mul-described-as-addition`). Constraints: data
/// and indices have rank 1 or more (`rank-at-least-one`), a slice has at most as many coordinates as the data has axes
/// (`index-length-fits-rank`), updates have the shape of the slices (`updates-shape-fits`), and indices are within
/// bounds (`indices-in-range`).
pub fn scatter_nd(call: &Call) -> Answer {
    let (data, indices, updates) = (call.tensor("data")?, call.tensor("indices")?, call.tensor("updates")?);
    let (r, q) = (data.rank(), indices.rank());
    if r == 0 || q == 0 {
        return Err(Refusal::violates(
            rule::RANK_AT_LEAST_ONE,
            format!("`data` and `indices` have ranks {r} and {q}, expected 1 or more"),
        ));
    }
    let k = indices.extent(q - 1);
    if k > r {
        return Err(Refusal::violates(
            rule::INDEX_LENGTH_FITS_RANK,
            format!("the last extent of `indices` is {k}, expected at most {r}, the rank of `data`"),
        ));
    }
    let (outer, slice) = (&indices.shape()[..q - 1], &data.shape()[k..]);
    let wanted = [outer, slice].concat();
    if updates.shape() != wanted {
        return Err(Refusal::violates(
            rule::UPDATES_SHAPE_FITS,
            format!("`updates` has shape {:?}, expected {wanted:?}", updates.shape()),
        ));
    }
    let known: &[&str] =
        if call.since() < 18 { &["none", "add", "mul"] } else { &["none", "add", "mul", "max", "min"] };
    let name = call.optional_string("reduction").unwrap_or("none".to_owned());
    let reduction = Reduction::named(&name, known, rule::REDUCTION_KNOWN)?;
    let given = call.ints("indices")?;
    let within =
        given.iter().enumerate().map(|(i, &at)| shape::index_within(at, data.extent(i % k), rule::INDICES_IN_RANGE));
    let coordinates = within.collect::<Result<Vec<_>, _>>()?;
    let target = |i: usize| {
        let at = shape::coordinates(i, &wanted);
        let tuple = shape::index_of(&at[..q - 1], outer) * k;
        shape::index_of(&[&coordinates[tuple..tuple + k], &at[q - 1..]].concat(), data.shape())
    };
    let targets: Vec<usize> = (0..updates.len()).map(target).collect();
    scatter::scatter(data, updates, &targets, reduction, LABELS)
}

const LABELS: Labels = Labels {
    duplicates: rule::DUPLICATE_INDICES,
    overflow: rule::INTEGER_OVERFLOW,
    nan: rule::NAN,
    order: rule::INTERMEDIATE_OVERFLOW,
    types: rule::NON_REAL_TYPES,
};
