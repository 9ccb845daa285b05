use crate::families::select::{End, arg_extremum};
use crate::prelude::*;

/// ArgMin-1, -11: ties are open (`ties`). ArgMin-12, -13: `select_last_index`. Axis: `axis-in-range`; no elements: `data-not-empty`, `empty-axis`;
/// NaN: `nan`; `keepdims`: `keepdims`.
pub fn arg_min(call: &Call) -> Answer {
    arg_extremum(call, End::Smallest)
}
