use super::scatter_elements::along_an_axis;
use crate::prelude::*;

/// Scatter-9: as ScatterElements-11, `ranks-equal` to `indices-fit-data` and `duplicate-indices`; index bounds and negative indices are written down
/// only there (`negative-index`). Deprecated from 11 on.
pub fn scatter(call: &Call) -> Answer {
    along_an_axis(call)
}
