use plumbline_tensor::RoundMode;

use crate::families::cast as conversion;
use crate::ops::cast::settings;
use crate::prelude::*;

/// Converts each element to the type of `target_type`; the elements of that input are ignored.
///
/// Versions 15 to 25 have the same meaning as Cast in their opset. For float8e8m0, `round_mode` is one of three
/// (`round-mode-known`); other types do not use it (`unused-round-mode`). The function bodies of versions 24 and 25 do
/// not pass it on (`round-mode-in-body`).
///
/// Values of `saturate` other than 0 and 1: `other-flag-values`.
pub fn cast_like(call: &Call) -> Answer {
    let input = call.tensor("input")?;
    let to = call.tensor("target_type")?.dtype();
    let asked = settings(call, to, rule::ROUND_MODE_KNOWN)?;
    if to != DType::Float8e8m0 || asked.round_mode == RoundMode::Up || input.dtype() == to {
        return one(conversion::cast(input, asked)?);
    }
    let body = conversion::Cast { round_mode: RoundMode::Up, ..asked };
    let element = |i: usize| {
        let (asked, body) = (asked.element(input, i), body.element(input, i));
        match asked == body || asked.is_nan() && body.is_nan() {
            true => asked,
            false => asked.or(body, rule::ROUND_MODE_IN_BODY),
        }
    };
    call.answer_as(to, input.shape().to_vec(), (0..input.len()).map(element))
}
