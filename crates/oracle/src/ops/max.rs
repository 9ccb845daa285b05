use crate::families::extremum::extremum;
use crate::prelude::*;

/// Max-1, -6: equal shapes (`shapes-equal`). Max-8 and later: broadcasting (`shapes-broadcast`). NaN: `nan`; zeros of both signs: `signed-zero`.
pub fn max(call: &Call) -> Answer {
    extremum(call, |a, b| a.maximum(b, rule::NAN))
}
