use crate::prelude::*;

/// Computes the absolute value of each element.
///
/// Versions 1, 6 and 13 have the same meaning; version 6 adds integers, version 13 bfloat16. The smallest signed
/// integer: `integer-overflow`; zeros: `signed-zero`; NaN and infinities: `nan-and-infinity`.
pub fn abs(call: &Call) -> Answer {
    call.map("X", |x| x.abs().with_any_zero().wraps(rule::INTEGER_OVERFLOW))
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};
    use crate::{Allowed, Judged};
    use plumbline_tensor::{DType, Tensor};

    #[test]
    fn the_smallest_integer_wraps_or_saturates() {
        let x = Tensor::from_i128s(DType::Int8, vec![2], &[-128, -127]).expect("two values fill the shape");
        let y = &run("Abs", 13, &[x], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor.to_i128s(), [-128, 127]);
        assert_eq!(y.number(0).latitude.map(|l| l.allowed), Some(Allowed::int(-128).with(Allowed::int(127))));
        assert_eq!(y.number(1).latitude, None);
    }

    #[test]
    fn the_absolute_value_of_zero_may_have_either_sign() {
        let y = &run("Abs", 13, &[floats(&[1], &[-0.0])], 1).expect("the node is valid")[0];
        assert_eq!(y.judge(&floats(&[1], &[-0.0]), 0), Judged::Accepted);
        assert_eq!(y.judge(&floats(&[1], &[0.0]), 0), Judged::Accepted);
    }
}
