use plumbline_tensor::RoundMode;

use crate::families::cast::{Cast, cast};
use crate::families::maps::{integer, map, scalars, values_of};
use crate::prelude::*;

/// Converts a map to a tensor of rank 1. The dense form lists the values in the order of their keys; the sparse form
/// puts each value at the index that its key names.
///
/// The only version is 1. Constraints: the names of types and forms (`attribute-values-known`) and, in the sparse form,
/// keys from 0 to `max_map` - 1 (`keys-in-range`). Conversion of the values: `conversion`; places without a key:
/// `missing-key`. The output has rank 1 in both forms (`output-shape`).
pub fn cast_map(call: &Call) -> Answer {
    let x = call.operand("X")?;
    let (keys, items) = map(x)?;
    let to = match call.string("cast_to")?.as_str() {
        "TO_FLOAT" => DType::Float,
        "TO_INT64" => DType::Int64,
        "TO_STRING" => DType::String,
        other => {
            return Err(Refusal::violates(
                rule::ATTRIBUTE_VALUES_KNOWN,
                format!("`cast_to` is `{other}`, expected `TO_FLOAT`, `TO_INT64` or `TO_STRING`"),
            ));
        }
    };
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&i, &j| keys[i].cmp(&keys[j]));
    let values = scalars(items, values_of(x))?;
    let converted = cast(&values, Cast { since: 13, to, saturate: true, round_mode: RoundMode::Up })?;
    // The latitude of Cast names rules of Cast. In CastMap, the rule `conversion` covers all of them.
    let latitude =
        converted.latitude.into_iter().map(|(i, l)| (i, crate::Latitude { label: rule::CONVERSION, ..l })).collect();
    let converted = Expected { latitude, ..converted };
    match call.string("map_form")?.as_str() {
        "DENSE" => one(converted.rearranged(vec![order.len()], |i| order[i])?),
        "SPARSE" => {
            let length = usize::try_from(call.int("max_map")?).unwrap_or(0);
            shape::affordable(&[length])?;
            let mut sources = vec![None; length];
            for (i, key) in keys.iter().enumerate() {
                let at = usize::try_from(integer(key)).ok().filter(|&at| at < length);
                let at = at.ok_or_else(|| {
                    Refusal::violates(
                        rule::KEYS_IN_RANGE,
                        format!("key {} is outside [0, {length}), the range that `max_map` gives", integer(key)),
                    )
                })?;
                sources[at] = Some(i);
            }
            let fill = Expected::zero(to, rule::MISSING_KEY)?;
            one(Expected::assembled(vec![length], &[&converted, &fill], |i| sources[i].map_or((1, 0), |s| (0, s)))?)
        }
        other => Err(Refusal::violates(
            rule::ATTRIBUTE_VALUES_KNOWN,
            format!("`map_form` is `{other}`, expected `DENSE` or `SPARSE`"),
        )),
    }
}
