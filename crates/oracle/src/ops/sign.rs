use crate::prelude::*;

/// Returns the sign of each element: -1, 0 or 1.
///
/// Versions 9 and 13 have the same meaning; version 13 adds bfloat16. NaN: `nan`; zeros: `signed-zero`.
pub fn sign(call: &Call) -> Answer {
    call.map("input", |x| match x.is_nan() {
        true => x.or(x.like(0.0), rule::NAN),
        false => x.sign().with_any_zero(),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Judged, Latitude};

    #[test]
    fn the_sign_of_zeros_is_zero_and_that_of_nan_is_nan_or_zero() {
        let y = &run("Sign", 13, &[floats(&[3], &[-0.0, f32::NAN, -7.5])], 1).expect("the node is valid")[0];
        let judged = |at, answer| y.judge(&floats(&[3], &[answer; 3]), at);
        assert_eq!(judged(0, 0.0), Judged::Accepted);
        assert_eq!(judged(0, -1.0), Judged::Wrong);
        assert_eq!(judged(1, f32::NAN), Judged::Accepted);
        assert!(matches!(judged(1, 0.0), Judged::Latitude(Latitude { .. })));
        assert_eq!(judged(1, 1.0), Judged::Wrong);
        assert_eq!(judged(2, -1.0), Judged::Accepted);
    }
}
