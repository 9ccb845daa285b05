use crate::families::activation::piecewise;
use crate::prelude::*;

/// Returns `x` for elements above alpha, and 0 otherwise.
///
/// Versions 10 and 22 have the same meaning; version 22 adds bfloat16. NaN: `nan`; an alpha that the type cannot
/// represent: `threshold-precision`.
pub fn thresholded_relu(call: &Call) -> Answer {
    let alpha = f64::from(call.float("alpha")?);
    call.map("X", |x| {
        let y = above(x, alpha);
        let rounded = above(x, x.like(alpha).nearest().mid());
        // `y` and `rounded` differ only if `x` is the number to which alpha is rounded.
        if x.is_point() && (y.mid() == 0.0) == (rounded.mid() == 0.0) {
            y
        } else {
            y.or(rounded, rule::THRESHOLD_PRECISION)
        }
    })
}

fn above(x: Number, alpha: f64) -> Number {
    let zero = x.like(0.0);
    // Nothing is above infinity or NaN, and NaN is above nothing.
    if x.is_nan() || alpha.is_nan() || alpha == f64::INFINITY {
        return zero;
    }
    piecewise(x, alpha.next_up(), |_| zero, Number::with_any_zero)
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};
    use plumbline_tensor::{DType, Tensor};

    /// The float16 nearest to 0.3 is above 0.3. It passes a comparison with 0.3, but not one with the rounded alpha.
    #[test]
    fn the_element_that_alpha_is_rounded_to_may_be_above_alpha() {
        let half =
            |values: &[f64]| Tensor::from_f64s(DType::Float16, vec![3], values).expect("the shape has three elements");
        let x = half(&[0.300_048_828_125, 0.300_292_968_75, 0.25]);
        let y = &run("ThresholdedRelu <alpha = 0.3>", 22, std::slice::from_ref(&x), 1).expect("the node is valid")[0];
        assert_eq!(y.judge(&x, 0), Judged::Accepted);
        assert!(matches!(y.judge(&half(&[0.0; 3]), 0), Judged::Latitude(_)));
        assert_eq!(y.judge(&half(&[0.0; 3]), 1), Judged::Wrong);
        assert_eq!(y.judge(&half(&[0.0; 3]), 2), Judged::Accepted);
        assert_eq!(y.judge(&x, 2), Judged::Wrong);
    }

    #[test]
    fn nan_is_not_above_alpha() {
        let y = &run("ThresholdedRelu", 10, &[floats(&[1], &[f32::NAN])], 1).expect("the node is valid")[0];
        assert_eq!(y.judge(&floats(&[1], &[0.0]), 0), Judged::Accepted);
        assert_eq!(y.judge(&floats(&[1], &[f32::NAN]), 0), Judged::Wrong);
    }
}
