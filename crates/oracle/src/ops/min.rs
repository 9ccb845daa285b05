use crate::families::extremum::extremum;
use crate::prelude::*;

/// Min-1, -6: equal shapes (C1). Min-8 and later: broadcasting (C2). NaN: B1; zeros of both signs: B2.
pub fn min(call: &Call) -> Answer {
    extremum(call, |a, b| a.minimum(b, B1))
}
