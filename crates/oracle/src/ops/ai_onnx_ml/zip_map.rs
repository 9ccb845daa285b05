use plumbline_tensor::{MapKeys, ValueKind};

use crate::families::traditional::{list, one_of, rows};
use crate::prelude::*;

/// Turns each row into a map from the labels to the elements of the row.
///
/// The only version is 1. Constraints: the rank of `X` (`rank-one-or-two`), one list of labels
/// (`one-label-list-given`), and as many labels as columns (`labels-fit-columns`). Labels that are listed twice:
/// `duplicate-keys`; an input of rank 1: `rank-one-input`.
pub fn zip_map(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let (count, columns) = rows(x.shape(), rule::RANK_ONE_OR_TWO)?;
    let labels = list(call, one_of(call, &["classlabels_int64s", "classlabels_strings"], rule::ONE_LABEL_LIST_GIVEN)?)?;
    if labels.len() != columns {
        return Err(Refusal::violates(
            rule::LABELS_FIT_COLUMNS,
            format!("there are {} labels, expected one for each of {columns} columns", labels.len()),
        ));
    }
    let keys = match labels.dtype() {
        DType::String => MapKeys::Strings(labels.strings().to_vec()),
        dtype => MapKeys::Integers(dtype, labels.to_i64s()?),
    };
    let element = ValueKind::Tensor(x.dtype());
    let item = |i: usize| Ok(Operand::from(x.rearranged(vec![], |_| i)?));
    let same = |a: usize, b: usize| match &keys {
        MapKeys::Strings(labels) => labels[a] == labels[b],
        MapKeys::Integers(_, labels) => labels[a] == labels[b],
    };
    // The column from which the label of `column` gets its element.
    let chosen = |column: usize| {
        let mut places = (0..columns).filter(|&other| same(column, other));
        let first = places.next().unwrap_or(column);
        match places.next_back() {
            Some(last) if call.reading(rule::DUPLICATE_KEYS, 2) == 0 => last,
            _ => first,
        }
    };
    let sources: Vec<usize> = (0..columns).map(chosen).collect();
    let map = |row: usize| {
        let items = sources.iter().map(|at| item(row * columns + at)).collect::<Result<Vec<_>, Refusal>>()?;
        Ok(Operand::Map { keys: keys.clone(), element: element.clone(), items })
    };
    let items = (0..count).map(map).collect::<Result<Vec<_>, Refusal>>()?;
    Ok(vec![Operand::Sequence { element: ValueKind::Map(labels.dtype(), Box::new(element)), items }])
}
