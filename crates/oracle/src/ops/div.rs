use crate::families::binary::binary;
use crate::prelude::*;
use crate::{Allowed, wrap};

/// Computes the quotient of `A` and `B`, element by element.
///
/// Up to version 6, `B` is expanded to the shape of `A` at a given axis if `broadcast` is set
/// (`legacy-shapes-broadcast`); extents of 1 in `B` are expanded too (`size-one-broadcast`). From version 7 on, both
/// shapes broadcast (`shapes-broadcast`).
///
/// Integers are divided towards zero (`integer-division`). The smallest integer divided by -1: `integer-overflow`;
/// integers divided by zero: `division-by-zero`; floating-point numbers divided by zero: `nan-and-infinity`. The sign
/// of a zero result is left open: `signed-zero`.
pub fn div(call: &Call) -> Answer {
    binary(call, |a, b| match b.kind {
        Kind::Int(_) => a.each_way(|a| {
            b.each_way(|b| if b.mid_int() == 0 { by_zero(a) } else { (a / b).wraps(rule::INTEGER_OVERFLOW) })
        }),
        Kind::Real(_) => a / b,
    })
}

/// Returns what an integer divided by zero may give: processors and languages give 0, all bits set, the dividend, or an
/// end of the range.
fn by_zero(dividend: Number) -> Number {
    let (dtype, value) = (dividend.dtype(), dividend.mid_int());
    let (low, high) = dtype.integer_range().unwrap_or((0, 1));
    let others = [wrap(-1, dtype), value, low, high].into_iter().filter(|&other| other != 0);
    others.fold(Number::int(0, dtype), |zero, other| zero.allowing(Allowed::int(other), rule::DIVISION_BY_ZERO))
}
