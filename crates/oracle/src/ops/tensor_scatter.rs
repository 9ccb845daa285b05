use crate::prelude::*;

/// Writes `update` into a part of `past_cache`, along `axis` from `write_indices` on. In `circular` mode, it continues
/// at the beginning of the axis.
///
/// The only version is 24. Constraints: the axis (`axis-in-range`), the shapes (`update-fits-cache`), the shape of
/// `write_indices` (`write-indices-per-batch`) and their range (`write-indices-in-range`), and `mode` (`mode-known`).
/// Negative indices that wrap around: `negative-index`. In circular mode, only the index along `axis` wraps around
/// (`circular-axis`); in releases before 1.23, the indices before it wrap around, too (`circular-leading-axes`).
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
    let longer = past.shape()[..axis].iter().any(|&extent| extent > most);
    let wraps_all = mode == "circular" && longer && call.follows(rule::CIRCULAR_LEADING_AXES);
    // For each element of the output, where it comes from. Later elements of the update overwrite earlier ones.
    let mut sources: Vec<(usize, usize)> = (0..past.len()).map(|i| (0, i)).collect();
    for i in 0..update.len() {
        let mut at = shape::coordinates(i, update.shape());
        let place = i128::from(starts[at[0]]) + at[axis] as i128;
        at[axis] = place.rem_euclid(most as i128) as usize;
        if wraps_all {
            at[..axis].iter_mut().for_each(|index| *index %= most);
        }
        sources[shape::index_of(&at, &shape)] = (1, i);
    }
    let answer = Expected::assembled(shape, &[past, update], |i| sources[i])?;
    one(if starts.iter().any(|&s| s < 0) { answer.undecided_where(rule::NEGATIVE_INDEX, |_| true) } else { answer })
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run, run_by_both};
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

    /// The cache has three batches and two places along the axis. By the older text, the update of batch 2 goes to
    /// batch 0, modulo 2.
    #[test]
    fn older_texts_wrap_the_batch_around_as_well() {
        let past = floats(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let update = floats(&[3, 1], &[-1.0, -2.0, -3.0]);
        let inputs = [past, update, Tensor::from_i64s(&[3, 0, 1])];
        let node = r#"TensorScatter <mode = "circular", axis = 1>"#;
        let (new, old) = run_by_both("1.22", node, 24, &inputs, 1).expect("the node is valid");
        assert_eq!(new[0].tensor.to_f64s(), [1.0, -1.0, -2.0, 4.0, 5.0, -3.0]);
        assert_eq!(old.expect("the texts differ")[0].tensor.to_f64s(), [1.0, -3.0, -2.0, 4.0, 5.0, 6.0]);
    }
}
