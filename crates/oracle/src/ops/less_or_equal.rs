use crate::prelude::*;

/// LessOrEqual-12, -16: one meaning; 16 adds bfloat16. Broadcasting (C1). NaN: B1, zeros: B2.
pub fn less_or_equal(call: &Call) -> Answer {
    call.zip("A", "B", C1, |a, b| a.compare(b, PartialOrd::le, PartialOrd::le))
}
