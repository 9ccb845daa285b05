use crate::families::activation::{computed, or_limit, within};
use crate::prelude::*;

/// Softsign-1, -22: one meaning; 22 adds bfloat16. `x / (1 + |x|)`. Infinities: `infinity`; NaN: `nan`.
pub fn softsign(call: &Call) -> Answer {
    call.map("input", |x| {
        let y = computed(x, |x| x / (1.0 + x.abs()), &[&|x, _| x / (x.like(1.0) + x.abs())]);
        or_limit(within(y, -1.0, 1.0), x, x.mid().signum(), rule::INFINITY)
    })
}
