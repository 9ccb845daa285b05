use crate::families::optimizer::{optimize, regularized, root};
use crate::prelude::*;

/// Updates tensors by the Adagrad algorithm, which divides the learning rate by the root of the accumulated squared
/// gradients.
///
/// The only version is 1. Constraints: the number of inputs (`input-count-fits`), the shapes and types of the
/// tensors that belong to one optimized tensor (`tensors-match-optimized`), and scalars `R` and `T` (`r-and-t-scalar`).
/// `R` of another type than the tensors: `mixed-types`.
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
