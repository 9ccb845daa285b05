use crate::families::activation::{computed, multiply_add, within};
use crate::prelude::*;

/// Computes `max(0, min(1, alpha * x + beta))` for each element.
///
/// Versions 1, 6 and 22 have the same meaning; version 22 adds bfloat16. NaN: `nan`; infinities: `infinity`.
pub fn hard_sigmoid(call: &Call) -> Answer {
    let (alpha, beta) = (call.float("alpha")?, call.float("beta")?);
    let line = |x: f64| f64::from(alpha).mul_add(x, f64::from(beta));
    call.map("X", |x| {
        let y = within(computed(x, line, &[&|x, w| multiply_add(w.attribute(alpha), x, w.attribute(beta))]), 0.0, 1.0);
        if y.is_nan() { y.or(Allowed::either(0.0, 1.0), rule::NAN) } else { y }
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Allowed, Judged};
    use plumbline_tensor::{DType, Tensor};

    /// The default alpha is the float32 nearest to 0.2, for double elements too.
    #[test]
    fn attributes_are_float32() {
        let x = Tensor::from_f64s(DType::Double, vec![1], &[1.0]).expect("the shape has one element");
        let y = &run("HardSigmoid", 6, &[x], 1).expect("the node is valid")[0];
        let judged = |answer| {
            y.judge(&Tensor::from_f64s(DType::Double, vec![1], &[answer]).expect("the shape has one element"), 0)
        };
        assert_eq!(judged(0.5 + f64::from(0.2_f32)), Judged::Accepted);
        assert_eq!(judged(0.7), Judged::Wrong);
    }

    #[test]
    fn nan_may_become_either_bound() {
        let y = &run("HardSigmoid", 6, &[floats(&[2], &[f32::NAN, -3.0])], 1).expect("the node is valid")[0];
        assert_eq!(y.number(0).latitude.map(|l| l.allowed), Some(Allowed::either(0.0, 1.0)));
        assert_eq!(y.tensor.f64_at(1), 0.0);
        assert_eq!(y.number(1).latitude, None);
    }
}
