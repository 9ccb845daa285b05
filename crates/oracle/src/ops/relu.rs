use crate::prelude::*;

/// Relu-1, -6, -13, -14: one meaning; 13 adds bfloat16, 14 signed integers. `max(0, x)`. NaN: `nan`; zeros: `signed-zero`.
pub fn relu(call: &Call) -> Answer {
    call.map("X", |x| x.maximum(x.like(0.0), rule::NAN))
}
