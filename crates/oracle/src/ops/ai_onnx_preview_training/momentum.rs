use crate::families::optimizer::{optimize, regularized};
use crate::prelude::*;

/// Updates tensors by stochastic gradient descent with momentum, in standard or Nesterov form.
///
/// The only version is 1. Constraints: the number of inputs (`input-count-fits`), the shapes and types of the
/// tensors that belong to one optimized tensor (`tensors-match-optimized`), scalars `R` and `T` (`r-and-t-scalar`), and
/// the mode (`mode-known`). `R` of another type than the tensors: `mixed-types`.
pub fn momentum(call: &Call) -> Answer {
    let nesterov = match call.string("mode")?.as_str() {
        "nesterov" => true,
        "standard" => false,
        other => {
            return Err(Refusal::violates(
                rule::MODE_KNOWN,
                format!("`mode` is `{other}`, expected `nesterov` or `standard`"),
            ));
        }
    };
    optimize(call, |s, [x, g, v]| {
        let attribute = |name| s.attribute(call, name);
        let alpha = attribute("alpha")?;
        let beta = if s.count > 0 { attribute("beta")? } else { s.constant(1.0) };
        let g = regularized(g, attribute("norm_coefficient")?, x);
        let v = alpha.times(v).plus(beta.times(g));
        let step = if nesterov { g.plus(alpha.times(v)) } else { v };
        Ok([x.minus(s.rate.times(step)), v])
    })
}
