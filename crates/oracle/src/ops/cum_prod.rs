use crate::families::{product::product, scan::scan};
use crate::prelude::*;

/// CumProd-26. Axis: C1, C2; integer overflow: B1; partial products that overflow or underflow: B2.
pub fn cum_prod(call: &Call) -> Answer {
    scan(call, |x, dtype| product(x, dtype, B1, B2))
}
