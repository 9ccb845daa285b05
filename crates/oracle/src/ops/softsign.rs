use crate::families::activation::{Formula, computed, or_limit, within};
use crate::prelude::*;

/// Computes `x / (1 + |x|)` for each element.
///
/// Versions 1 and 22 have the same meaning; version 22 adds bfloat16. Infinities: `infinity`; NaN: `nan`.
pub fn softsign(call: &Call) -> Answer {
    call.map("input", |x| {
        let divisor = |x: Number| x.like(1.0) + x.abs();
        let reciprocal = |x: Number| x.like(1.0) / divisor(x);
        let formulas: [Formula; 2] = [&|x, _| x / divisor(x), &|x, _| x * reciprocal(x)];
        let y = computed(x, |x| x / (1.0 + x.abs()), &formulas);
        // The reciprocal of a large divisor is subnormal and loses digits, so that its product with x may exceed 1.
        let loses_digits = reciprocal(x).real().low < x.dtype().float_format().map_or(0.0, |f| f.min_normal());
        let y = if loses_digits { y } else { within(y, -1.0, 1.0) };
        or_limit(y, x, x.mid().signum(), rule::INFINITY)
    })
}
