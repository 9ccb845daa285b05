use crate::prelude::*;

/// Writes `update` into a part of `past_cache`, along `axis` from `write_indices` on. In `circular` mode, it continues
/// at the beginning of the axis.
///
/// The only version is 24. Constraints: the axis (`axis-in-range`), the shapes (`update-fits-cache`), the shape of
/// `write_indices` (`write-indices-per-batch`) and their range (`write-indices-in-range`), and `mode` (`mode-known`).
/// Negative indices that wrap around: `negative-index`.
pub fn tensor_scatter(call: &Call) -> Answer {
    let (past, update) = (call.tensor("past_cache")?, call.tensor("update")?);
    let axis = call.axis(call.int("axis")?, past.rank(), rule::AXIS_IN_RANGE)?;
    if axis == 0 {
        return Err(Refusal::violates(rule::AXIS_IN_RANGE, "`axis` names the first axis, which is that of the batch"));
    }
    let others = |shape: &[usize]| [&shape[..axis], &shape[axis + 1..]].concat();
    let fits = update.rank() == past.rank() && others(update.shape()) == others(past.shape());
    if !fits || update.extent(axis) > past.extent(axis) {
        return Err(Refusal::violates(
            rule::UPDATE_FITS_CACHE,
            format!("an update of shape {:?} does not fit a cache of shape {:?}", update.shape(), past.shape()),
        ));
    }
    let mode = call.string("mode")?;
    if mode != "linear" && mode != "circular" {
        return Err(Refusal::violates(
            rule::MODE_KNOWN,
            format!("`mode` is `{mode}`, expected `linear` or `circular`"),
        ));
    }
    let (most, length) = (past.extent(axis), update.extent(axis));
    let starts = match call.optional_ints("write_indices")? {
        Some(starts) if call.tensor("write_indices")?.shape() == [past.extent(0)] => starts,
        Some(_) => {
            let (shape, batches) = (call.tensor("write_indices")?.shape(), past.extent(0));
            return Err(Refusal::violates(
                rule::WRITE_INDICES_PER_BATCH,
                format!("`write_indices` has shape {shape:?}, expected [{batches}], one element for each batch"),
            ));
        }
        None => vec![0; past.extent(0)],
    };
    let inside = |&start: &i64| start >= 0 && i128::from(start) + length as i128 <= most as i128;
    if mode == "linear" && !starts.iter().all(inside) {
        return Err(Refusal::violates(
            rule::WRITE_INDICES_IN_RANGE,
            format!("an update of {length} elements does not fit an extent of {most} from the indices {starts:?} on"),
        ));
    }
    let shape = past.shape().to_vec();
    let answer = Expected::assembled(shape.clone(), &[past, update], |i| {
        let mut at = shape::coordinates(i, &shape);
        // The distance of the element from the first one that is written.
        let behind = (at[axis] as i128 - i128::from(starts[at[0]])).rem_euclid(most as i128);
        if behind >= length as i128 {
            return (0, i);
        }
        at[axis] = behind as usize;
        (1, shape::index_of(&at, update.shape()))
    })?;
    one(if starts.iter().any(|&s| s < 0) { answer.undecided_where(rule::NEGATIVE_INDEX, |_| true) } else { answer })
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use plumbline_tensor::Tensor;

    #[test]
    fn circular_updates_wrap_around_the_end() {
        let past = floats(&[2, 4, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let update = floats(&[2, 2, 1], &[-1.0, -2.0, -3.0, -4.0]);
        let starts = Tensor::from_i64s(&[3, 5]);
        let y = &run(r#"TensorScatter <mode = "circular", axis = 1>"#, 24, &[past, update, starts], 1)
            .expect("the node is valid")[0];
        assert_eq!(y.tensor.to_f64s(), [-2.0, 2.0, 3.0, -1.0, 5.0, -3.0, -4.0, 8.0]);
    }
}
