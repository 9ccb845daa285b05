use crate::reference::families::normalization::{
    Spread, constant, deviation, normalized, open, opened, reciprocal, returned, scaled, staged,
};
use crate::reference::prelude::*;

/// LayerNormalization-17. Axis: C1; `Scale` and `B` broadcast: C2, B5; `stash_type`: C3. The variance by the function body: B1; nothing to
/// normalize: B2; float64 computed in float: B3; squares that overflow: B6.
pub fn layer_normalization(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let axis = call.axis(call.int("axis")?, x.rank(), C1)?;
    let dtype = x.dtype();
    let stash = match call.int("stash_type")? {
        1 => DType::Float,
        16 => DType::Bfloat16,
        other => return Err(Refusal::violates(C3, format!("stash_type {other} is neither float (1) nor bfloat16 (16)"))),
    };
    let scale = call.tensor("Scale")?;
    let bias = call.optional_tensor("B")?;
    let at = |t: &Expected| match shape::broadcast(&[t.shape(), x.shape()]).is_some_and(|s| s == x.shape()) {
        true => Ok(shape::broadcast_indices(t.shape(), x.shape())),
        false => Err(Refusal::violates(C2, format!("{:?} does not broadcast to {:?}", t.shape(), x.shape()))),
    };
    let scale_at = at(scale)?;
    let bias_at = bias.map(at).transpose()?;
    let epsilon = constant(call.float("epsilon")?, stash);
    let rows: usize = shape::product(&x.shape()[..axis])?;
    let row = shape::product(&x.shape()[axis..])?;
    let label = open(&[x, scale]).or(bias.and_then(|b| open(&[b])));
    let mut y = Vec::with_capacity(x.len());
    let (mut means, mut inverses) = (vec![], vec![]);
    for start in (0..rows).map(|r| r * row) {
        let elements: Vec<Real> = (start..start + row).map(|i| staged(x.number(i).real(), stash)).collect();
        if elements.is_empty() {
            let nothing = Number::constant(f64::NAN, stash).undecided(B2);
            means.push(nothing);
            inverses.push(nothing);
            continue;
        }
        let spread = Spread::of(&elements, stash);
        let label = label.or(spread.overflows.then_some(B6));
        let by_text = deviation(spread.variance, epsilon);
        let by_body = deviation(spread.by_moments, epsilon);
        means.push(opened(spread.mean.into(), label));
        let inverse = Number::from(reciprocal(by_text)).or_computed(reciprocal(by_body), B1);
        inverses.push(opened(inverse, label));
        for (i, element) in (start..).zip(elements) {
            let second = |deviation: Real| {
                let first = returned(normalized(element, spread.mean, deviation), dtype);
                let added = bias.zip(bias_at.as_ref()).map(|(b, at)| b.number(at[i]).real());
                scaled(first, scale.number(scale_at[i]).real(), added)
            };
            y.push(opened(Number::from(second(by_text)).or_computed(second(by_body), B1), label));
        }
    }
    let reduced: Vec<usize> = (0..x.rank()).map(|d| if d < axis { x.extent(d) } else { 1 }).collect();
    several([
        Expected::from_numbers(dtype, x.shape().to_vec(), y)?,
        Expected::from_numbers(stash, reduced.clone(), means)?,
        Expected::from_numbers(stash, reduced, inverses)?,
    ])
}
