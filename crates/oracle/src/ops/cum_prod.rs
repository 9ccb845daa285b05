use crate::families::{product::product, scan::scan};
use crate::prelude::*;

/// CumProd-26. Axis: `axis-in-range`, `axis-is-scalar`; integer overflow: `integer-overflow`; partial products that overflow or underflow:
/// `intermediate-overflow`.
pub fn cum_prod(call: &Call) -> Answer {
    scan(call, |x, dtype| product(x, dtype, rule::INTEGER_OVERFLOW, rule::INTERMEDIATE_OVERFLOW))
}
