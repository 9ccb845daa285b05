use crate::families::optimizer::{optimize, regularized, root};
use crate::prelude::*;

/// Adagrad-1. Number of inputs: `input-count-fits`; shapes: `tensors-match-optimized`; scalars: `r-and-t-scalar`. Two types: `mixed-types`.
pub fn adagrad(call: &Call) -> Answer {
    optimize(call, |s, [x, g, h]| {
        let attribute = |name| s.attribute(call, name);
        let one = s.constant(1.0);
        let rate = s.rate.over(one.plus(s.constant(s.count as f64).times(attribute("decay_factor")?)));
        let g = regularized(g, attribute("norm_coefficient")?, x);
        let h = h.plus(g.abs().times(g.abs()));
        let adaptive = root(h).plus(attribute("epsilon")?);
        let step = rate.times(g).over(adaptive).hull(rate.times(g.over(adaptive))).hull(g.times(rate.over(adaptive)));
        Ok([x.minus(step), h])
    })
}
