use crate::families::traditional::each_in_float;
use crate::prelude::*;

/// Computes `(X - offset) * scale` and returns float.
///
/// The only version is 1. Constraints: both attributes have the same length (`lengths-equal`), which is 1 or the number
/// of features (`lengths-fit-features`). Attributes that are left out: `omitted-attributes`.
pub fn scaler(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let (offset, scale) = (call.optional_float_list("offset"), call.optional_float_list("scale"));
    if let (Some(offset), Some(scale)) = (&offset, &scale)
        && offset.len() != scale.len()
    {
        return Err(Refusal::violates(
            rule::LENGTHS_EQUAL,
            format!("there are {} offsets and {} scales, expected equal numbers", offset.len(), scale.len()),
        ));
    }
    let features = x.shape().last().copied().unwrap_or(1);
    for given in [&offset, &scale].into_iter().flatten() {
        if given.len() != 1 && given.len() != features {
            return Err(Refusal::violates(
                rule::LENGTHS_FIT_FEATURES,
                format!("{} offsets or scales are given, expected 1, or {features}: one for each feature", given.len()),
            ));
        }
    }
    let of_feature = |list: &Option<Vec<f32>>, i: usize| {
        list.as_ref().map(|l| f64::from(if l.len() == 1 { l[0] } else { l[i % features] }))
    };
    if offset.is_none() || scale.is_none() {
        call.leaves_open(rule::OMITTED_ATTRIBUTES);
    }
    let scaled = (0..x.len()).map(|i| {
        each_in_float(x.number(i), |x| {
            let shifted = of_feature(&offset, i).map_or(x, |offset| x - x.like(offset));
            of_feature(&scale, i).map_or(shifted, |scale| shifted * x.like(scale))
        })
    });
    call.answer_as(DType::Float, x.shape().to_vec(), scaled)
}
