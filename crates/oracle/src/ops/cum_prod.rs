use crate::families::{cumulative::scan, product::product};
use crate::prelude::*;

/// Computes cumulative products along an axis.
///
/// The only version is 26. Constraints: `axis` has one element (`axis-is-scalar`), which is in range
/// (`axis-in-range`). Integer overflow: `integer-overflow`; partial products that overflow or underflow:
/// `intermediate-overflow`.
pub fn cum_prod(call: &Call) -> Answer {
    scan(call, |x, dtype| product(x, dtype, rule::INTEGER_OVERFLOW, rule::INTERMEDIATE_OVERFLOW))
}
