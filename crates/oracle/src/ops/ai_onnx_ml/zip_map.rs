use plumbline_tensor::{MapKeys, ValueKind};

use crate::families::traditional::{list, one_of, rows};
use crate::prelude::*;

/// ZipMap-1: of each row a map from the labels to its elements. Rank: C1; one list of labels: C2; as many as columns: C3. Labels listed
/// twice: B1; a list: B2.
pub fn zip_map(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let (count, columns) = rows(x.shape(), C1)?;
    let labels = list(call, one_of(call, &["classlabels_int64s", "classlabels_strings"], C2)?)?;
    if labels.len() != columns {
        return Err(Refusal::violates(C3, format!("{} labels for {columns} columns", labels.len())));
    }
    let keys = match labels.dtype() {
        DType::String => MapKeys::Strings(labels.strings().to_vec()),
        dtype => MapKeys::Integers(dtype, labels.to_i64s()?),
    };
    let element = ValueKind::Tensor(x.dtype());
    let item = |i: usize| Ok(Operand::from(x.rearranged(vec![], |_| i)?));
    let map = |row: usize| {
        let items = (row * columns..(row + 1) * columns).map(item).collect::<Result<Vec<_>, Refusal>>()?;
        Ok(Operand::Map { keys: keys.clone(), element: element.clone(), items })
    };
    let items = (0..count).map(map).collect::<Result<Vec<_>, Refusal>>()?;
    Ok(vec![Operand::Sequence { element: ValueKind::Map(labels.dtype(), Box::new(element)), items }])
}
