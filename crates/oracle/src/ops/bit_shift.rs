use crate::prelude::*;

/// Shifts the bits of `X` by the counts in `Y`, to the left or to the right.
///
/// Version 28 adds signed types, with an arithmetic right shift, and defines shifts by a count outside of the type's
/// bits, which version 11 leaves open (`shift-out-of-range`). Constraints: the shapes broadcast (`shapes-broadcast`),
/// and `direction` is known (`direction-known`). Bits that leave the type are lost: `integer-overflow`.
pub fn bit_shift(call: &Call) -> Answer {
    let left = match call.string("direction")?.as_str() {
        "LEFT" => true,
        "RIGHT" => false,
        other => {
            return Err(Refusal::violates(
                rule::DIRECTION_KNOWN,
                format!("`direction` is `{other}`, expected `LEFT` or `RIGHT`"),
            ));
        }
    };
    let since = call.since();
    let shift = |dtype: DType, value: i128, shift: i128| {
        let width = i128::from(dtype.bits().unwrap_or(64));
        let shifted = |value: i128| Number::int(value, dtype).wrapped();
        match shift {
            shift if (0..width).contains(&shift) && left => shifted(value << shift),
            shift if (0..width).contains(&shift) => shifted(value >> shift),
            _ if since < 28 => shifted(0).undecided(rule::SHIFT_OUT_OF_RANGE),
            _ if left => shifted(0),
            _ => shifted(if value < 0 { -1 } else { 0 }),
        }
    };
    call.zip("X", "Y", rule::SHAPES_BROADCAST, |x, y| x.combine_ints(y, |value, by| shift(x.dtype(), value, by)))
}
