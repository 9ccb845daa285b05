use crate::families::optimizer::{optimize, regularized, root};
use crate::prelude::*;

/// Updates tensors by the Adam algorithm, which keeps running averages of the gradient and of its square.
///
/// The only version is 1. Constraints: the number of inputs (`input-count-fits`), the shapes and types of the
/// tensors that belong to one optimized tensor (`tensors-match-optimized`), and scalars `R` and `T` (`r-and-t-scalar`).
/// `R` of another type than the tensors: `mixed-types`.
pub fn adam(call: &Call) -> Answer {
    optimize(call, |s, [x, g, v, h]| {
        let attribute = |name| s.attribute(call, name);
        let one = s.constant(1.0);
        let (alpha, beta) = (attribute("alpha")?, attribute("beta")?);
        let g = regularized(g, attribute("norm_coefficient")?, x);
        let v = alpha.times(v).plus(one.minus(alpha).times(g));
        let squared = g.abs().times(g.abs());
        let rest = one.minus(beta);
        let h = beta.times(h).plus(rest.times(squared).hull(rest.times(g).times(g)));
        let denominator = root(h).plus(attribute("epsilon")?);
        let rate = match s.count {
            1.. => {
                let power = |base: Real| if s.count == 1 { base } else { base.power(s.constant(s.count as f64)) };
                let (corrected, divisor) = (root(one.minus(power(beta))), one.minus(power(alpha)));
                s.rate.times(corrected).over(divisor).hull(s.rate.times(corrected.over(divisor)))
            }
            _ => s.rate,
        };
        let step = rate.times(v).over(denominator).hull(rate.times(v.over(denominator)));
        let next = one.minus(attribute("norm_coefficient_post")?).times(x.minus(step));
        Ok([next, v, h])
    })
}
