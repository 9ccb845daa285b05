use crate::families::{product::product, reduce::reduce};
use crate::prelude::*;

/// Computes the product along some axes.
///
/// Up to version 13, `axes` is an attribute; in version 18, it is an input. The axes are in range (`axes-in-range`).
/// Reductions over no elements: `empty-reduction`; integer overflow: `integer-overflow`; partial products that overflow
/// or underflow: `intermediate-overflow`.
pub fn reduce_prod(call: &Call) -> Answer {
    reduce(call, |x, dtype| product(x, dtype, rule::INTEGER_OVERFLOW, rule::INTERMEDIATE_OVERFLOW))
}
