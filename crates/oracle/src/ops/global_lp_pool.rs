use crate::families::norm::{exponent, lp_norm};
use crate::families::pooling::pool_all;
use crate::families::reduce::of_reals;
use crate::prelude::*;

/// GlobalLpPool-1: `p` is a float. GlobalLpPool-2, -22: an integer; 22 adds bfloat16. Channels: C1; powers that overflow: B2; other exponents: B3.
pub fn global_lp_pool(call: &Call) -> Answer {
    let p = exponent(call, B3)?;
    let dtype = call.output_dtype(0)?;
    pool_all(call, |x| of_reals(x, |x| lp_norm(x, p, dtype, B2)))
}
