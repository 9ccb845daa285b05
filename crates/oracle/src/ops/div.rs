use crate::families::binary::binary;
use crate::prelude::*;

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
        Kind::Int(_) => a.each_way(|a| b.each_way(|b| integer_quotient(a, b))),
        Kind::Real(_) => a / b,
    })
}

fn integer_quotient(a: Number, b: Number) -> Number {
    let quotient = a / b;
    match b.mid_int() {
        0 => quotient.undecided(rule::DIVISION_BY_ZERO),
        _ if quotient.wrapped() == quotient => quotient,
        _ => quotient.wrapped().undecided(rule::INTEGER_OVERFLOW),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_quotients_that_no_text_defines_may_have_any_value() {
        let quotient = |a: i128, b: i128| integer_quotient(Number::int(a, DType::Int8), Number::int(b, DType::Int8));
        let allowed = |x: Number| x.latitude.map(|latitude| (latitude.label, latitude.allowed));
        for (a, b, label) in
            [(0, 0, rule::DIVISION_BY_ZERO), (5, 0, rule::DIVISION_BY_ZERO), (-128, -1, rule::INTEGER_OVERFLOW)]
        {
            assert_eq!(allowed(quotient(a, b)), Some((label, Allowed::Anything)), "{a} / {b}");
        }
        for (a, b, want) in [(-7, 2, -3), (-128, 1, -128), (-127, -1, 127), (-128, 2, -64)] {
            assert_eq!(quotient(a, b), Number::int(want, DType::Int8), "{a} / {b}");
        }
    }
}
