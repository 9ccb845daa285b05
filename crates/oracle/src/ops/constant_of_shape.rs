use crate::prelude::*;

/// Returns a tensor of the shape in `input`, filled with `value`.
///
/// Versions 9 to 25 have the same meaning; later ones add types. `input` has rank 1 (`shape-rank-one`) and no negative
/// extents (`extents-non-negative`); an empty `input` gives a scalar (`empty-shape`). `value` has one element
/// (`value-has-one-element`) of an output type of the version (`value-type-allowed`) and any rank (`value-rank`), and
/// defaults to the float 0 (`default-value`).
pub fn constant_of_shape(call: &Call) -> Answer {
    if call.tensor("input")?.rank() != 1 {
        return Err(Refusal::violates(rule::SHAPE_RANK_ONE, "`input` does not have rank 1"));
    }
    let shape = call.ints("input")?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
    let shape = shape.map_err(|_| Refusal::violates(rule::EXTENTS_NON_NEGATIVE, "`input` has a negative extent"))?;
    let value = match call.optional_tensor_attribute("value")? {
        Some(value) => value,
        None => Tensor::zeros(DType::Float, vec![1])?,
    };
    if value.len() != 1 {
        return Err(Refusal::violates(
            rule::VALUE_HAS_ONE_ELEMENT,
            format!("`value` has {} elements, expected one", value.len()),
        ));
    }
    if value.rank() != 1 {
        call.leaves_open(rule::VALUE_RANK);
    }
    let known = |t: &plumbline_spec::TypeStr| *t == plumbline_spec::TypeStr::Tensor(value.dtype());
    if call.version().types.get("T2").is_some_and(|types| !types.iter().any(known)) {
        return Err(Refusal::violates(
            rule::VALUE_TYPE_ALLOWED,
            format!("the value has type {}, which is not an output type of this version", value.dtype()),
        ));
    }
    shape::affordable(&shape)?;
    one(Expected::from(value).rearranged(shape, |_| 0)?)
}
