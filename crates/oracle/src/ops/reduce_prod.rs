use crate::families::{product::product, reduce::reduce};
use crate::prelude::*;

/// ReduceProd-1, -11, -13: `axes` is an attribute. ReduceProd-18: an input. Axes: `axes-in-range`; empty sets: `empty-reduction`; integer overflow:
/// `integer-overflow`; partial products that overflow or underflow: `intermediate-overflow`.
pub fn reduce_prod(call: &Call) -> Answer {
    reduce(call, |x, dtype| product(x, dtype, rule::INTEGER_OVERFLOW, rule::INTERMEDIATE_OVERFLOW))
}
