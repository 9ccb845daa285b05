use crate::families::activation::{Formula, computed, or_limit, within};
use crate::prelude::*;

/// Computes `x / (1 + |x|)` for each element.
///
/// Versions 1 and 22 have the same meaning; version 22 adds bfloat16. Infinities: `infinity`; NaN: `nan`.
pub fn softsign(call: &Call) -> Answer {
    call.map("input", |x| {
        let divisor = |x: Number| x.like(1.0) + x.abs();
        let formulas: [Formula; 2] = [&|x, _| x / divisor(x), &|x, _| x * (x.like(1.0) / divisor(x))];
        let y = computed(x, |x| x / (1.0 + x.abs()), &formulas);
        or_limit(within(y, -1.0, 1.0), x, x.mid().signum(), rule::INFINITY)
    })
}
