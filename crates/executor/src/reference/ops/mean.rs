use crate::reference::prelude::*;
use crate::reference::sum::sum_in_type;

/// Mean-1, -6: equal shapes (C1). Mean-8, -13: broadcasting (C2). The sum, in any order (B1) and with infinities as IEEE 754
/// adds them (B2), divided by the number of inputs or multiplied by its reciprocal.
pub fn mean(call: &Call) -> Answer {
    let shape =
        if call.since() < 8 { call.equal_shapes("data_0", C1)? } else { call.broadcast_shapes("data_0", C2)? };
    call.across("data_0", shape, |numbers| {
        let (sum, count) = (sum_in_type(numbers), numbers.len() as f64);
        let reciprocal = Number::from(Real::constant(1.0 / count, sum.dtype()).widened(0.5));
        (sum / sum.like(count)).hull(sum * reciprocal)
    })
}
