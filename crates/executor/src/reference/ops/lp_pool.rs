use crate::reference::families::norm::{exponent, lp_norm};
use crate::reference::families::pooling::pool_numbers;
use crate::reference::families::reduce::of_reals;
use crate::reference::prelude::*;

/// LpPool-1: `p` is a float. LpPool-2, -11: an integer. LpPool-18: `ceil_mode`, `dilations`. LpPool-22: windows that start behind the last element
/// are left out. Windows: C1, C2, C3, C4, C5, B1, B6; powers that overflow: B2; other exponents: B3; `kernel_shape` in version 1: B4.
pub fn lp_pool(call: &Call) -> Answer {
    let p = exponent(call, B3)?;
    let dtype = call.output_dtype(0)?;
    let said = call.has_attribute("kernel_shape");
    pool_numbers(call, |x, _, _| {
        let norm = of_reals(x, |x| lp_norm(x, p, dtype, B2));
        if said { norm } else { norm.undecided(B4) }
    })
}
