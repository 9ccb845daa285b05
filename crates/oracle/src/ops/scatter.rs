use super::scatter_elements::along_an_axis;
use crate::prelude::*;

/// Replaces elements of the data along an axis, like ScatterElements-11. Deprecated from version 11 on.
///
/// The rules `ranks-equal` to `indices-fit-data` and `duplicate-indices` are the same. The bounds of indices, and
/// negative indices, are only described for ScatterElements (`negative-index`).
pub fn scatter(call: &Call) -> Answer {
    along_an_axis(call)
}
