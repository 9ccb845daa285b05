use crate::families::traditional::rows;
use crate::prelude::*;

/// FeatureVectorizer-1: inputs side by side, as float. Rank: C1; as many examples: C2; `inputdimensions`: C3. Conversion: B1.
pub fn feature_vectorizer(call: &Call) -> Answer {
    let inputs = call.tensors("X")?;
    let sizes: Vec<(usize, usize)> = inputs.iter().map(|x| rows(x.shape(), C1)).collect::<Result<_, _>>()?;
    let examples = sizes.first().map_or(0, |size| size.0);
    if sizes.iter().any(|size| size.0 != examples) {
        return Err(Refusal::violates(C2, format!("inputs of {sizes:?}")));
    }
    let widths: Vec<usize> = sizes.iter().map(|size| size.1).collect();
    if let Some(given) = call.optional_int_list("inputdimensions")
        && given != widths.iter().map(|&w| w as i64).collect::<Vec<_>>()
    {
        return Err(Refusal::violates(C3, format!("`inputdimensions` is {given:?}, the sizes are {widths:?}")));
    }
    let mut numbers = Vec::new();
    for row in 0..examples {
        for (x, &width) in inputs.iter().zip(&widths) {
            numbers.extend((0..width).map(|column| x.number(row * width + column).to_float(DType::Float)));
        }
    }
    call.answer_as(DType::Float, vec![examples, widths.iter().sum()], numbers)
}
