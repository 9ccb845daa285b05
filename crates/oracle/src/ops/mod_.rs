use crate::prelude::*;

/// Computes the remainder of `A` divided by `B`, element by element. Their shapes broadcast (`shapes-broadcast`).
///
/// With `fmod` = 0, the remainder has the sign of the divisor; with `fmod` = 1, it has the sign of the dividend. Before
/// version 28, floats need `fmod` = 1 (`fmod-set-for-floats`); from version 13 on, the attribute is 0 or 1
/// (`fmod-known`). In releases before 1.19, version 13 has the text of version 10.
///
/// Integers divided by zero: `division-by-zero`; a float dividend or divisor of zero in version 10: `zero-dividend`;
/// signs of zeros: `signed-zero`, `sign-of-zero-open` and `sign-of-divisor`; NaN and infinities: `nan-and-infinity`.
/// Integers are not rejected with `fmod` = 1 (`integers-with-fmod`). Other values of `fmod` in version 10:
/// `other-flag-values`.
pub fn mod_(call: &Call) -> Answer {
    let since = call.since();
    let fmod = call.int("fmod")?;
    let is_float = call.tensor("A")?.dtype().is_float();
    // Whether the text is that of version 10, in which floats of zero and other values of `fmod` are left open.
    let oldest = (is_float || fmod != 0 && fmod != 1) && call.follows(rule::ZERO_DIVIDEND);
    if !oldest && fmod != 0 && fmod != 1 {
        return Err(Refusal::violates(rule::FMOD_KNOWN, format!("`fmod` is {fmod}, expected 0 or 1")));
    }
    if since < 28 && fmod != 1 && is_float {
        return Err(Refusal::violates(
            rule::FMOD_SET_FOR_FLOATS,
            format!("`fmod` is {fmod}, expected 1 for floating-point inputs"),
        ));
    }
    let truncates = call.flag("fmod");
    call.zip("A", "B", rule::SHAPES_BROADCAST, |a, b| {
        let result = match (a.kind, b.kind) {
            (NumberKind::Int(_), NumberKind::Int(divisor)) if divisor.mid == 0 => {
                a.like(0.0).undecided(rule::DIVISION_BY_ZERO)
            }
            (NumberKind::Int(_), _) if truncates => a.combine(b, |x, y| x % y, Real::fmod),
            (NumberKind::Int(_), _) => a.combine(b, floor_remainder, Real::fmod),
            _ if truncates => truncated_remainder(a, b, if oldest { 10 } else { since }),
            _ => floored_remainder(a, b),
        };
        // The result depends on the platform if a float dividend or divisor is zero.
        match oldest && is_float && (a.mid() == 0.0 || b.mid() == 0.0) {
            true => result
                .or(a.like(0.0), rule::ZERO_DIVIDEND)
                .or(a.like(f64::NAN), rule::ZERO_DIVIDEND)
                .or(a, rule::ZERO_DIVIDEND),
            false => result,
        }
    })
}

/// Computes `x - floor(x / y) * y`, like Python's `%`.
fn floor_remainder(x: i128, y: i128) -> i128 {
    let remainder = x % y;
    if remainder != 0 && (remainder < 0) != (y < 0) { remainder + y } else { remainder }
}

/// Computes C's `fmod`, which is exact and has the sign of `x`. From version 13 on, zeros have that sign too
/// (`signed-zero`). If `x` is -0, the sign stays open: for any `y` in version 13, for a positive `y` in version 28.
fn truncated_remainder(x: Number, y: Number, since: u32) -> Number {
    let remainder = x.fmod(y);
    let negative_zero = x.mid() == 0.0 && x.mid().is_sign_negative();
    let free = since < 13 || negative_zero && (since < 28 || y.mid() > 0.0) || !remainder.is_point();
    if free { remainder } else { remainder.with_signed_zero(rule::SIGNED_ZERO) }
}

/// Computes the remainder of a division that rounds down. It is exact except for one addition, and zeros have the sign
/// of `y` (`sign-of-divisor`). If `y` is infinite, the result is `x` for equal signs and `y` otherwise.
fn floored_remainder(x: Number, y: Number) -> Number {
    let remainder = x.fmod(y);
    let (value, divisor) = (remainder.mid(), y.mid());
    if !remainder.is_point() {
        // What is added to a remainder of the other sign lies between it and the divisor.
        return remainder.hull(remainder + y).hull(y).with_any_zero();
    }
    if value == 0.0 {
        let zero = remainder.like(0.0f64.copysign(divisor));
        return zero.with_signed_zero(rule::SIGN_OF_DIVISOR);
    }
    if value.is_nan() || (value < 0.0) == (divisor < 0.0) { remainder } else { remainder + y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judged;
    use crate::testing::{floats, run_by_both};

    fn number(x: f32) -> Number {
        Real::exact(f64::from(x), DType::Float).into()
    }

    /// Returns whether a zero of this sign is accepted.
    fn takes(x: Number, zero: f64) -> bool {
        x.real().accepts(zero)
    }

    #[test]
    fn zeros_have_the_sign_that_each_version_gives() {
        // With `fmod` = 1, a zero has the sign of the dividend. If the dividend is -0, either sign is accepted, except
        // for a negative divisor in version 28.
        let multiple = truncated_remainder(number(-4.0), number(2.0), 13);
        assert_eq!((takes(multiple, -0.0), takes(multiple, 0.0)), (true, false));
        for (divisor, since, either) in [(3.0, 13, true), (-3.0, 13, true), (3.0, 28, true), (-3.0, 28, false)] {
            let zero = truncated_remainder(number(-0.0), number(divisor), since);
            assert_eq!((takes(zero, -0.0), takes(zero, 0.0)), (true, either), "{divisor} {since}");
        }
        // With `fmod` = 0, a zero has the sign of the divisor.
        for (x, y) in [(-4.0, 2.0), (4.0, 2.0), (-0.0, 2.0)] {
            let zero = floored_remainder(number(x), number(y));
            assert_eq!((takes(zero, -0.0), takes(zero, 0.0)), (false, true), "{x}");
            let zero = floored_remainder(number(x), number(-y));
            assert_eq!((takes(zero, -0.0), takes(zero, 0.0)), (true, false), "{x}");
        }
    }

    #[test]
    fn infinities_and_nan_have_the_remainders_of_each_mode() {
        let infinity = f32::INFINITY;
        for (x, y, want) in
            [(-3.0, infinity, infinity), (3.0, infinity, 3.0), (1.0, -infinity, -infinity), (-1.0, -infinity, -1.0)]
        {
            assert_eq!(floored_remainder(number(x), number(y)).mid(), f64::from(want), "{x} {y}");
            assert_eq!(truncated_remainder(number(x), number(y), 28).mid(), f64::from(x), "{x} {y}");
        }
        for (x, y) in [(infinity, 2.0), (1.0, 0.0), (f32::NAN, 2.0), (1.0, f32::NAN)] {
            assert!(
                floored_remainder(number(x), number(y)).is_nan()
                    && truncated_remainder(number(x), number(y), 13).is_nan()
            );
        }
    }

    #[test]
    fn remainders_are_exact_but_for_one_addition() {
        let x = truncated_remainder(number(1e30), number(3.0), 28);
        // As a float32, 1e30 is 1000000015047466219876688855040. Its digits add up to 111, so the remainder by 3 is 0.
        assert_eq!((x.mid(), x.is_point()), (0.0, true));
        // The exact remainder of -2^-25 by 3 is 3 - 2^-25, which rounds to 3.
        let y = floored_remainder(number(-(2f32.powi(-25))), number(3.0));
        assert!(y.real().accepts(3.0) && !y.real().accepts(f64::from(3f32.next_down())));
        assert_eq!(
            [
                floor_remainder(-7, 3),
                floor_remainder(7, -3),
                floor_remainder(-6, 3),
                floor_remainder(i128::from(i64::MIN), -1)
            ],
            [2, -2, 0, 0]
        );
    }

    #[test]
    fn the_first_text_of_version_13_is_that_of_version_10() {
        let inputs = [floats(&[2], &[0.0, 5.0]), floats(&[2], &[3.0, 0.0])];
        let (new, old) = run_by_both("1.18", "Mod <fmod = 1>", 13, &inputs, 1).expect("the node is valid");
        let old = old.expect("the texts differ");
        let dividends = floats(&[2], &[0.0, 5.0]);
        assert_eq!(new[0].judge(&dividends, 1), Judged::Wrong);
        assert!(matches!(old[0].judge(&dividends, 1), Judged::Latitude(_)));
    }
}
