use crate::families::p_norm::{exponent, lp_norm};
use crate::families::pooling::pool_all;
use crate::families::reduce::of_reals;
use crate::prelude::*;

/// Computes the p-norm of each channel over all spatial axes.
///
/// In version 1, `p` is a float; from version 2 on, it is an integer. Version 22 adds bfloat16. The input has channels
/// (`input-has-channels`). Powers that overflow: `intermediate-overflow`; exponents below 1: `exponent-below-one`.
pub fn global_lp_pool(call: &Call) -> Answer {
    let p = exponent(call, rule::EXPONENT_BELOW_ONE)?;
    let dtype = call.output_dtype(0)?;
    pool_all(call, |x| of_reals(x, |x| lp_norm(x, p, dtype, rule::INTERMEDIATE_OVERFLOW)))
}
