use crate::families::norm::{exponent, lp_norm};
use crate::families::pooling::pool_all;
use crate::families::reduce::of_reals;
use crate::prelude::*;

/// GlobalLpPool-1: `p` is a float. GlobalLpPool-2, -22: an integer; 22 adds bfloat16. Channels: `input-has-channels`; powers that overflow:
/// `intermediate-overflow`; other exponents: `exponent-below-one`.
pub fn global_lp_pool(call: &Call) -> Answer {
    let p = exponent(call, rule::EXPONENT_BELOW_ONE)?;
    let dtype = call.output_dtype(0)?;
    pool_all(call, |x| of_reals(x, |x| lp_norm(x, p, dtype, rule::INTERMEDIATE_OVERFLOW)))
}
