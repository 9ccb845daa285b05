use crate::prelude::*;

/// Returns the coordinates of all elements that are not zero, one column each, in row-major order.
///
/// Versions 9 and 13 have the same meaning; version 13 adds bfloat16. NaN counts as not zero, -0 as zero
/// (`nan-and-infinity`). A scalar has no coordinates (`scalar-input`). An empty string counts as zero
/// (`zero-of-strings`).
pub fn non_zero(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    if !x.is_certain() {
        return Err(Refusal::unsupported(
            "the oracle accepts more than one value for an element, so that it is open which elements are zero",
        ));
    }
    let found: Vec<Vec<usize>> =
        (0..x.len()).filter(|&i| !is_zero(&x.tensor, i)).map(|i| shape::coordinates(i, x.shape())).collect();
    let rows = (0..x.rank()).flat_map(|d| found.iter().map(move |at| at[d] as i64));
    let tensor = Tensor::from_i64s(&rows.collect::<Vec<_>>());
    one(tensor.reshaped(vec![x.rank(), found.len()])?.into())
}

fn is_zero(x: &Tensor, i: usize) -> bool {
    match x.dtype() {
        DType::String => x.strings()[i].is_empty(),
        DType::Complex64 | DType::Complex128 => x.complex_at(i) == [0.0; 2],
        dtype if dtype.is_float() => x.f64_at(i) == 0.0,
        _ => x.i128_at(i) == 0,
    }
}
