use crate::families::select::{End, arg_extremum};
use crate::prelude::*;

/// ArgMax-1, -11: ties are open (B2). ArgMax-12, -13: `select_last_index`. Axis: C1; no elements: C2, B4; NaN: B1;
/// `keepdims`: B3.
pub fn arg_max(call: &Call) -> Answer {
    arg_extremum(call, End::Largest)
}
