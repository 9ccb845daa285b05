use super::scatter_elements::along_an_axis;
use crate::prelude::*;

/// Scatter-9: as ScatterElements-11, C1 to C5 and B1; index bounds and negative indices are written down only there (B2). Deprecated from 11 on.
pub fn scatter(call: &Call) -> Answer {
    along_an_axis(call)
}
