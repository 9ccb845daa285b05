use crate::prelude::*;

/// Returns whether `A` is greater than or equal to `B`, element by element.
///
/// Versions 12 and 16 have the same meaning; version 16 adds bfloat16. Shapes broadcast (`shapes-broadcast`). NaN:
/// `nan`; zeros of both signs: `signed-zero`.
pub fn greater_or_equal(call: &Call) -> Answer {
    call.zip("A", "B", rule::SHAPES_BROADCAST, |a, b| a.compare(b, PartialOrd::ge, PartialOrd::ge))
}
