use crate::families::reduce::or_overflowed;
use crate::prelude::*;
use crate::sum::sum_in_type;

/// Computes the element-wise sum of all inputs.
///
/// Up to version 6, the inputs have equal shapes (`shapes-equal`); from version 8 on, they broadcast
/// (`shapes-broadcast`). The specification leaves the order of the additions open (`summation-order`). Infinities and
/// NaN add as in IEEE 754 (`nan-and-infinity`).
pub fn sum(call: &Call) -> Answer {
    let shape = if call.since() < 8 {
        call.equal_shapes("data_0", rule::SHAPES_EQUAL)?
    } else {
        call.broadcast_shapes("data_0", rule::SHAPES_BROADCAST)?
    };
    call.across("data_0", shape, total)
}

/// Returns the sum. If only a partial sum overflows, the result of that overflow is accepted too.
fn total(numbers: &[Number]) -> Number {
    let plain = sum_in_type(numbers);
    let real = plain.real();
    if real.low.is_finite() && real.high.is_finite()
        || plain.latitude.is_some()
        || numbers.iter().any(|x| !x.mid().is_finite())
    {
        return plain;
    }
    let power = numbers.len().next_power_of_two().trailing_zeros() as i32 + 1;
    let scaled: Vec<Number> = numbers.iter().map(|x| x.real().scaled(-power).into()).collect();
    or_overflowed(sum_in_type(&scaled).real().scaled(power).to_dtype(plain.dtype()).into(), real, rule::SUMMATION_ORDER)
}
