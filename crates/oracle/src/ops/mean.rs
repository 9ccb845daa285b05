use crate::families::reduce::or_overflowed;
use crate::prelude::*;
use crate::sum::sum_in_type;

/// Computes the element-wise mean of all inputs.
///
/// Up to version 6, the inputs have equal shapes (`shapes-equal`); from version 8 on, they broadcast
/// (`shapes-broadcast`). Inputs may be added in any order, and partial sums may overflow or not (`summation-order`);
/// infinities add as in IEEE 754 (`nan-and-infinity`). The sum is divided by the number of inputs, or multiplied by the
/// reciprocal of that number.
pub fn mean(call: &Call) -> Answer {
    let shape = if call.since() < 8 {
        call.equal_shapes("data_0", rule::SHAPES_EQUAL)?
    } else {
        call.broadcast_shapes("data_0", rule::SHAPES_BROADCAST)?
    };
    call.across("data_0", shape, average)
}

fn average(numbers: &[Number]) -> Number {
    let plain = in_type(numbers);
    let (low, high) = (plain.real().low, plain.real().high);
    if low.is_finite() && high.is_finite() || plain.latitude.is_some() || numbers.iter().any(|x| !x.mid().is_finite()) {
        return plain;
    }
    // An implementation may add in a wider type, where the sum does not overflow. The mean itself never overflows.
    // Adding scaled-down numbers, and scaling the mean back, gives the result of such an implementation.
    let power = numbers.len().next_power_of_two().trailing_zeros() as i32 + 1;
    let scaled: Vec<Number> = numbers.iter().map(|x| x.real().scaled(-power).into()).collect();
    let wide = in_type(&scaled).real().scaled(power).to_dtype(plain.dtype());
    or_overflowed(wide.into(), plain.real(), rule::SUMMATION_ORDER)
}

fn in_type(numbers: &[Number]) -> Number {
    let (sum, count) = (sum_in_type(numbers), numbers.len() as f64);
    let reciprocal = Number::from(Real::constant(1.0 / count, sum.dtype()).widened(0.5));
    (sum / sum.like(count)).hull(sum * reciprocal)
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};

    /// The sum overflows in float, but not in a wider type.
    #[test]
    fn a_sum_that_overflows_is_left_open_and_the_mean_is_preferred() {
        let of = |x: &[f32]| {
            let inputs: Vec<_> = x.iter().map(|&x| floats(&[1], &[x])).collect();
            run("Mean", 13, &inputs, 1).expect("the node is valid").remove(0)
        };
        let y = of(&[3.15, f32::MAX, f32::MAX, -1.5]);
        assert_eq!(y.judge(&floats(&[1], &[f32::MAX / 2.0]), 0), Judged::Accepted);
        assert!(matches!(y.judge(&floats(&[1], &[f32::INFINITY]), 0), Judged::Latitude(_)));
        assert_eq!(y.judge(&floats(&[1], &[f32::MAX / 4.0]), 0), Judged::Wrong);
        assert_eq!(y.judge(&floats(&[1], &[f32::NAN]), 0), Judged::Wrong);
        assert_eq!(of(&[f32::INFINITY, 1.0]).judge(&floats(&[1], &[f32::INFINITY]), 0), Judged::Accepted);
        assert_eq!(of(&[4.0, 1.0]).judge(&floats(&[1], &[2.5]), 0), Judged::Accepted);
    }
}
