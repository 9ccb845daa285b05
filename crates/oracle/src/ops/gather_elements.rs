use crate::prelude::*;

/// Selects one element per index. The coordinates of the element are those of the index in `indices`, except along the
/// axis, where the index itself is the coordinate (`output-shape`).
///
/// Versions 11 and 13 have the same meaning. Both inputs have the same rank, at least 1 (`ranks-equal`). The axis is in
/// range (`axis-in-range`), the indices are within bounds (`indices-in-range`), and no extent of `indices` except along
/// the axis is larger than that of `data`, unless there are no indices (`indices-fit-data`).
pub fn gather_elements(call: &Call) -> Answer {
    let (data, indices) = (call.tensor("data")?, call.tensor("indices")?);
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
    let extent = data.extent(axis);
    let chosen = call.ints("indices")?.into_iter().map(|k| shape::index_within(k, extent, rule::INDICES_IN_RANGE));
    let chosen = chosen.collect::<Result<Vec<_>, _>>()?;
    one(data.moved(indices.shape().to_vec(), |at| {
        let mut from = at.to_vec();
        from[axis] = chosen[shape::index_of(at, indices.shape())];
        from
    })?)
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use plumbline_spec::rule;
    use plumbline_tensor::Tensor;

    #[test]
    fn extents_of_indices_are_limited_unless_there_are_no_indices() {
        let of = |shape: [usize; 2]| {
            let zeros = Tensor::from_i64s(&vec![0; shape[0] * shape[1]]).reshaped(shape.to_vec());
            let indices = zeros.expect("the zeros fill the shape");
            run("GatherElements", 13, &[floats(&[2, 3], &[0.0; 6]), indices], 1)
        };
        assert_eq!(of([0, 5]).expect("the node is valid")[0].shape(), [0, 5]);
        assert_eq!(of([1, 5]).unwrap_err().label, Some(rule::INDICES_FIT_DATA));
    }
}
