use crate::families::extremum::extremum;
use crate::prelude::*;

/// Computes the element-wise minimum of all inputs.
///
/// Up to version 6, the inputs have equal shapes (`shapes-equal`); from version 8 on, they broadcast
/// (`shapes-broadcast`). NaN: `nan`; zeros of both signs: `signed-zero`.
pub fn min(call: &Call) -> Answer {
    extremum(call, |a, b| a.minimum(b, rule::NAN))
}
