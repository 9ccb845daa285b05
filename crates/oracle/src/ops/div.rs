use crate::families::binary::binary;
use crate::prelude::*;

/// Computes the quotient of `A` and `B`, element by element.
///
/// Up to version 6, `B` is expanded to the shape of `A` at a given axis if `broadcast` is set
/// (`legacy-shapes-broadcast`); extents of 1 in `B` are expanded too (`size-one-broadcast`). From version 7 on, both
/// shapes broadcast (`shapes-broadcast`).
///
/// Integers are divided towards zero (`integer-division`); the text of earlier releases does not say how quotients are
/// rounded (`integer-rounding`). The smallest integer divided by -1: `integer-overflow`;
/// integers divided by zero: `division-by-zero`; floating-point numbers divided by zero: `nan-and-infinity`. The sign
/// of a zero result is left open: `signed-zero`.
pub fn div(call: &Call) -> Answer {
    let rounded_freely = call.output_dtype(0)?.is_integer() && call.follows(rule::INTEGER_ROUNDING);
    binary(call, |a, b| match b.kind {
        NumberKind::Int(_) => or_rounded_down(integer_quotient(a, b), a, b, rounded_freely),
        NumberKind::Real(_) => a / b,
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

/// Returns a quotient. If it is negative and not exact, and the text leaves the rounding open, it may be one less.
fn or_rounded_down(quotient: Number, a: Number, b: Number, open: bool) -> Number {
    let (a, b, dtype) = (a.mid_int(), b.mid_int(), a.dtype());
    let inexact = b != 0 && a % b != 0 && (a < 0) != (b < 0);
    match inexact && open {
        true => quotient.or(Number::int(quotient.mid_int() - 1, dtype), rule::INTEGER_ROUNDING),
        false => quotient,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_by_both;
    use crate::{Allowed, Judged};
    use plumbline_tensor::Tensor;

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

    #[test]
    fn older_texts_leave_the_rounding_of_quotients_open() {
        let inputs = [Tensor::from_i64s(&[-7, 7, -6]), Tensor::from_i64s(&[2, 2, 2])];
        let (new, old) = run_by_both("1.20", "Div", 14, &inputs, 1).expect("the node is valid");
        assert_eq!(new[0].tensor.to_i64s(), Ok(vec![-3, 3, -3]));
        assert!(new[0].is_certain());
        let old = old.expect("the texts differ");
        let down = Tensor::from_i64s(&[-4, 2, -4]);
        assert!(matches!(old[0].judge(&down, 0), Judged::Latitude(_)));
        assert_eq!((old[0].judge(&down, 1), old[0].judge(&down, 2)), (Judged::Wrong, Judged::Wrong));
    }
}
