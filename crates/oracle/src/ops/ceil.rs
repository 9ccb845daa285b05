use crate::families::rounding::rounded;
use crate::prelude::*;

/// Ceil-1, -6, -13: one meaning; 13 adds bfloat16 and says what happens to ±0, NaN and ±Inf (`signed-zero`, before 13 `nan-and-infinity`).
/// Which zero becomes of a fraction is open (`fraction-to-zero`).
pub fn ceil(call: &Call) -> Answer {
    let itself = (call.since() >= 13).then_some(rule::SIGNED_ZERO);
    call.map("X", |x| rounded(x, itself, Number::ceil))
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};

    /// From version 13 on a zero of the input stays the zero it is; the one that -0.5 becomes may be either.
    #[test]
    fn signs_of_zeros() {
        let judged = |opset, x: f32, answer: f32| {
            let y = &run("Ceil", opset, &[], &[floats(&[1], &[x])], 1).expect("a valid node")[0];
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
