use crate::families::integral::rounded;
use crate::prelude::*;

/// Rounds each element up to an integer.
///
/// Versions 1 and 6 have the same meaning. Version 13 adds bfloat16, and says what zeros, NaN and infinities become,
/// which earlier versions leave open (`signed-zero`, `nan-and-infinity`). The sign of the zero that a fraction becomes
/// is left open: `fraction-to-zero`.
pub fn ceil(call: &Call) -> Answer {
    let itself = (call.since() >= 13).then_some(rule::SIGNED_ZERO);
    call.map("X", |x| rounded(x, itself, Number::ceil))
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};

    /// From version 13 on, a zero keeps its sign. The zero that -0.5 rounds to may have either sign.
    #[test]
    fn zeros_keep_their_sign_from_13_on() {
        let judged = |opset, x: f32, answer: f32| {
            let y = &run("Ceil", opset, &[floats(&[1], &[x])], 1).expect("the node is valid")[0];
            y.judge(&floats(&[1], &[answer]), 0)
        };
        assert_eq!(judged(13, -0.0, -0.0), Judged::Accepted);
        assert_eq!(judged(13, -0.0, 0.0), Judged::Wrong);
        assert_eq!(judged(6, -0.0, 0.0), Judged::Accepted);
        assert_eq!(judged(13, -0.5, 0.0), Judged::Accepted);
        assert_eq!(judged(13, -0.5, -0.0), Judged::Accepted);
        assert_eq!(judged(13, -0.5, -1.0), Judged::Wrong);
    }
}
