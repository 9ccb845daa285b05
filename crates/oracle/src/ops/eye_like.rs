use crate::prelude::*;

/// Returns a matrix of the input's shape with ones on one diagonal and zeros elsewhere.
///
/// Versions 9 and 22 have the same meaning; version 22 adds bfloat16. The input has rank 2 (`rank-two`). `dtype` is an
/// output type of the version (`dtype-allowed`) and defaults to the input's type (`default-dtype`). A diagonal outside
/// of the matrix gives only zeros (`diagonal-outside`).
pub fn eye_like(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    if input.rank() != 2 {
        return Err(Refusal::violates(rule::RANK_TWO, format!("the input has rank {}, expected 2", input.rank())));
    }
    let dtype = match call.optional_int("dtype") {
        Some(code) => DType::from_code(code),
        None => Some(input.dtype()),
    };
    let known = |d: &DType| {
        let types = call.version().types.get("T2");
        types.is_some_and(|types| types.contains(&plumbline_spec::TypeStr::Tensor(*d)))
    };
    let dtype = dtype
        .filter(known)
        .ok_or_else(|| Refusal::violates(rule::DTYPE_ALLOWED, "`dtype` is not an output type of this version"))?;
    let k = i128::from(call.int("k")?);
    let count = shape::affordable(input.shape())?;
    let on = |i: usize| {
        let at = shape::coordinates(i, input.shape());
        at[1] as i128 == at[0] as i128 + k
    };
    let numbers = (0..count).map(|i| Number::constant(if on(i) { 1.0 } else { 0.0 }, dtype));
    call.answer_as(dtype, input.shape().to_vec(), numbers)
}
