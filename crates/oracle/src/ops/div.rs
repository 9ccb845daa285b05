use crate::families::binary::binary;
use crate::prelude::*;
use crate::{Allowed, wrap};

/// Div-1, -6: `B` stands inside `A` (`legacy-shapes-broadcast`), its extents of 1 expanded (`size-one-broadcast`). Div-7 and later: broadcasting
/// (`shapes-broadcast`). Integers divide towards zero (`integer-division`); the smallest one by -1: `integer-overflow`; integers by zero:
/// `division-by-zero`; reals by zero: `nan-and-infinity`. The sign of a zero is open (`signed-zero`).
pub fn div(call: &Call) -> Answer {
    binary(call, |a, b| match b.kind {
        Kind::Int(_) => a.each_way(|a| {
            b.each_way(|b| if b.mid_int() == 0 { by_zero(a) } else { (a / b).wraps(rule::INTEGER_OVERFLOW) })
        }),
        Kind::Real(_) => a / b,
    })
}

/// An integer by zero: processors and languages give 0, all bits set, the dividend, or an end of the range.
fn by_zero(dividend: Number) -> Number {
    let (dtype, value) = (dividend.dtype(), dividend.mid_int());
    let (low, high) = dtype.integer_range().unwrap_or((0, 1));
    let others = [wrap(-1, dtype), value, low, high].into_iter().filter(|&other| other != 0);
    others.fold(Number::int(0, dtype), |zero, other| zero.allowing(Allowed::int(other), rule::DIVISION_BY_ZERO))
}
