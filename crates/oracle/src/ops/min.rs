use crate::families::extremum::extremum;
use crate::prelude::*;

/// Min-1, -6: equal shapes (`shapes-equal`). Min-8 and later: broadcasting (`shapes-broadcast`). NaN: `nan`; zeros of both signs: `signed-zero`.
pub fn min(call: &Call) -> Answer {
    extremum(call, |a, b| a.minimum(b, rule::NAN))
}
