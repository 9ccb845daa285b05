use crate::families::activation::{computed, exact_softplus, log_of_sum, softplus_of_magnitude, within};
use crate::prelude::*;

/// Computes `ln(e^x + 1)` for each element.
///
/// Versions 1 and 22 have the same meaning; version 22 adds bfloat16. A power e^x that overflows:
/// `intermediate-overflow`; NaN and infinities: `nan-and-infinity`.
pub fn softplus(call: &Call) -> Answer {
    call.map("X", |x| {
        let y =
            computed(x, exact_softplus, &[&|x, w| short_of_overflow(x, w.limit()), &|x, _| softplus_of_magnitude(x)]);
        let overflows = x.exp().real().high == f64::INFINITY && x.mid().is_finite();
        if overflows { y.or(x.like(f64::INFINITY), rule::INTERMEDIATE_OVERFLOW) } else { y }
    })
}

/// Computes the formula. If the power e^x may overflow, it is limited to `largest`; if it certainly overflows, the
/// result is computed from the magnitude of `x` instead.
fn short_of_overflow(x: Number, largest: f64) -> Number {
    let power = x.exp();
    if power.real().low > largest && x.mid().is_finite() {
        return softplus_of_magnitude(x);
    }
    log_of_sum(if x.mid().is_finite() { within(power, 0.0, largest) } else { power })
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};
    use plumbline_tensor::{DType, Tensor};

    /// e^100 overflows float. An implementation returns 100, or infinity if it follows the steps of the formula, and
    /// nothing in between.
    #[test]
    fn softplus_is_finite_where_the_power_overflows() {
        let y = &run("Softplus", 22, &[floats(&[1], &[100.0])], 1).expect("the node is valid")[0];
        let judged = |answer| y.judge(&floats(&[1], &[answer]), 0);
        assert_eq!(judged(100.0), Judged::Accepted);
        assert!(matches!(judged(f32::INFINITY), Judged::Latitude(_)));
        assert_eq!(judged(100.001), Judged::Wrong);
        assert_eq!(judged(f32::NAN), Judged::Wrong);
    }

    /// The same holds for other types. In float16, e^x overflows at 11.1 already, but not in an implementation that
    /// computes in float.
    #[test]
    fn softplus_of_16_bit_elements_is_finite_where_the_power_overflows() {
        for (dtype, x, wrong) in
            [(DType::Float16, 65504.0, 11.09), (DType::Float16, 20.0, 20.03), (DType::Bfloat16, 1e38, 89.0)]
        {
            let tensor = |x: f64| Tensor::from_f64s(dtype, vec![1], &[x]).expect("the shape has one element");
            let y = &run("Softplus", 22, &[tensor(x)], 1).expect("the node is valid")[0];
            assert_eq!(y.judge(&tensor(x), 0), Judged::Accepted);
            assert!(matches!(y.judge(&tensor(f64::INFINITY), 0), Judged::Latitude(_)));
            assert_eq!(y.judge(&tensor(wrong), 0), Judged::Wrong);
        }
    }

    /// 1 + e^-20 is 1 in float, so the steps of the formula give 0. No formula gives less.
    #[test]
    fn small_results_may_be_rounded_to_zero() {
        let y = &run("Softplus", 22, &[floats(&[1], &[-20.0])], 1).expect("the node is valid")[0];
        let judged = |answer| y.judge(&floats(&[1], &[answer]), 0);
        assert_eq!(judged(2.061_153_6e-9), Judged::Accepted);
        assert_eq!(judged(0.0), Judged::Accepted);
        assert_eq!(judged(-1e-9), Judged::Wrong);
        assert_eq!(judged(1e-6), Judged::Wrong);
    }
}
