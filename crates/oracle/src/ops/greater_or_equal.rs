use crate::prelude::*;

/// GreaterOrEqual-12, -16: one meaning; 16 adds bfloat16. Broadcasting (`shapes-broadcast`). NaN: `nan`, zeros: `signed-zero`.
pub fn greater_or_equal(call: &Call) -> Answer {
    call.zip("A", "B", rule::SHAPES_BROADCAST, |a, b| a.compare(b, PartialOrd::ge, PartialOrd::ge))
}
