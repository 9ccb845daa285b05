use crate::families::traditional::rows;
use crate::prelude::*;

/// Concatenates the features of all inputs, converted to float.
///
/// The only version is 1. Constraints: the rank of the inputs (`rank-one-or-two`), the same number of examples in all
/// of them (`first-extents-equal`), and `inputdimensions` (`inputdimensions-fit`). Conversion to float: `conversion`.
pub fn feature_vectorizer(call: &Call) -> Answer {
    let inputs = call.tensors("X")?;
    let sizes: Vec<(usize, usize)> =
        inputs.iter().map(|x| rows(x.shape(), rule::RANK_ONE_OR_TWO)).collect::<Result<_, _>>()?;
    let examples = sizes.first().map_or(0, |size| size.0);
    if sizes.iter().any(|size| size.0 != examples) {
        return Err(Refusal::violates(
            rule::FIRST_EXTENTS_EQUAL,
            format!("the inputs have different numbers of rows; rows and columns are {sizes:?}"),
        ));
    }
    let widths: Vec<usize> = sizes.iter().map(|size| size.1).collect();
    if let Some(given) = call.optional_int_list("inputdimensions")
        && given != widths.iter().map(|&w| w as i64).collect::<Vec<_>>()
    {
        return Err(Refusal::violates(
            rule::INPUTDIMENSIONS_FIT,
            format!("`inputdimensions` is {given:?}, but the inputs have {widths:?} columns"),
        ));
    }
    let mut numbers = Vec::new();
    for row in 0..examples {
        for (x, &width) in inputs.iter().zip(&widths) {
            numbers.extend((0..width).map(|column| x.number(row * width + column).to_float(DType::Float)));
        }
    }
    call.answer_as(DType::Float, vec![examples, widths.iter().sum()], numbers)
}
