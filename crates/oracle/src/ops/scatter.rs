use super::scatter_elements::along_an_axis;
use crate::prelude::*;

/// Replaces elements of the data along an axis, like ScatterElements-11. Deprecated from version 11 on.
///
/// The constraints (`ranks-equal`, `updates-shape-fits`, `axis-in-range`, `indices-in-range`, `indices-fit-data`) and
/// `duplicate-indices` are the same, but only ScatterElements describes negative indices (`negative-index`) and the
/// bounds of indices.
pub fn scatter(call: &Call) -> Answer {
    let answer = along_an_axis(call)?;
    if call.ints("indices")?.iter().any(|&index| index < 0) {
        call.leaves_open(rule::NEGATIVE_INDEX);
    }
    Ok(answer)
}
