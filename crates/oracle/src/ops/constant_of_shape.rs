use crate::prelude::*;

/// ConstantOfShape-9 to -25: one meaning, the versions add types. `input` is 1-D (C1) without negatives (C2); empty, it makes a scalar (B2).
/// `value` is one element (C3), of whatever rank (B3), of a type of the version (C4); left out, it is 0 as float (B1).
pub fn constant_of_shape(call: &Call) -> Answer {
    if call.tensor("input")?.rank() != 1 {
        return Err(Refusal::violates(C1, "`input` is not 1-D"));
    }
    let shape = call.ints("input")?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
    let shape = shape.map_err(|_| Refusal::violates(C2, "`input` has a negative extent"))?;
    let value = match call.optional_tensor_attribute("value")? {
        Some(value) => value,
        None => Tensor::zeros(DType::Float, vec![])?,
    };
    if value.len() != 1 {
        return Err(Refusal::violates(C3, format!("`value` has {} elements", value.len())));
    }
    let known = |t: &plumbline_spec::TypeStr| *t == plumbline_spec::TypeStr::Tensor(value.dtype());
    if call.version().types.get("T2").is_some_and(|types| !types.iter().any(known)) {
        return Err(Refusal::violates(C4, format!("{} is no output type of this version", value.dtype())));
    }
    shape::affordable(&shape)?;
    one(Expected::from(value).rearranged(shape, |_| 0)?)
}
