use crate::families::select::{End, arg_extremum};
use crate::prelude::*;

/// Returns the index of the smallest element along an axis.
///
/// Up to version 11, the choice between equal elements is left open (`ties`); version 12 adds `select_last_index`,
/// which decides it. Constraints: the axis (`axis-in-range`) and, in version 11, data that is not empty
/// (`data-not-empty`). An axis without elements: `empty-axis`; NaN: `nan`; whether the axis stays with extent 1:
/// `keepdims`.
pub fn arg_min(call: &Call) -> Answer {
    arg_extremum(call, End::Smallest)
}
