use crate::families::select::{End, arg_extremum};
use crate::prelude::*;

/// ArgMax-1, -11: ties are open (`ties`). ArgMax-12, -13: `select_last_index`. Axis: `axis-in-range`; no elements: `data-not-empty`, `empty-axis`;
/// NaN: `nan`; `keepdims`: `keepdims`.
pub fn arg_max(call: &Call) -> Answer {
    arg_extremum(call, End::Largest)
}
