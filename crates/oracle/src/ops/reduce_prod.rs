use crate::families::{product::product, reduce::reduce};
use crate::prelude::*;

/// ReduceProd-1, -11, -13: `axes` is an attribute. ReduceProd-18: an input. Axes: C1; empty sets: B2; integer overflow: B3;
/// partial products that overflow or underflow: B4.
pub fn reduce_prod(call: &Call) -> Answer {
    reduce(call, |x, dtype| product(x, dtype, B3, B4))
}
