use crate::families::optimizer::{optimize, regularized};
use crate::prelude::*;

/// Momentum-1. Number of inputs: `input-count-fits`; shapes: `tensors-match-optimized`; scalars: `r-and-t-scalar`; mode: `mode-known`. Two types:
/// `mixed-types`.
pub fn momentum(call: &Call) -> Answer {
    let nesterov = match call.string("mode")?.as_str() {
        "nesterov" => true,
        "standard" => false,
        other => return Err(Refusal::violates(rule::MODE_KNOWN, format!("there is no mode `{other}`"))),
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
