use crate::families::extremum::extremum;
use crate::prelude::*;

/// Max-1, -6: equal shapes (C1). Max-8 and later: broadcasting (C2). NaN: B1; zeros of both signs: B2.
pub fn max(call: &Call) -> Answer {
    extremum(call, |a, b| a.maximum(b, B1))
}
