use super::group_normalization::stash_type;
use crate::families::normalization::{
    coarsest, constant, deviation, mean_of, of_outcomes, overflow, power_of_scaling, reciprocal, returned, staged,
};
use crate::prelude::*;

/// Divides the elements by the root of their mean square along all axes from `axis` on, then multiplies by `scale`.
///
/// The only version is 23. Constraints: the axis (`axis-in-range`), `scale` that broadcasts to `X`
/// (`scale-broadcasts`), and `stash_type` (`stash-type-allowed`). Inputs of two types: `mixed-types`; squares that
/// overflow: `intermediate-overflow`.
pub fn rms_normalization(call: &Call) -> Answer {
    let (x, scale) = (call.tensor("X")?, call.tensor("scale")?);
    let axis = call.axis(call.int("axis")?, x.rank(), rule::AXIS_IN_RANGE)?;
    let stash = stash_type(call.int("stash_type")?, rule::STASH_TYPE_ALLOWED)?;
    if !shape::broadcasts_to(scale.shape(), x.shape()) {
        return Err(Refusal::violates(
            rule::SCALE_BROADCASTS,
            format!("`scale` of shape {:?} does not broadcast to `X` of shape {:?}", scale.shape(), x.shape()),
        ));
    }
    let at = shape::broadcast_indices(scale.shape(), x.shape());
    // The normalized elements have the type of X, their product with `scale` has the type of `scale` (`mixed-types`).
    let work = coarsest(&[x.dtype(), scale.dtype()]);
    let epsilon = constant(call.float("epsilon")?, stash);
    let row = shape::product(&x.shape()[axis..])?;
    let [y] = of_outcomes(&[x, scale], |read| {
        let mut y = Vec::with_capacity(x.len());
        for start in (0..x.len()).step_by(row.max(1)) {
            let elements: Vec<Real> = (start..start + row).map(|i| staged(read(&x.number(i)), stash)).collect();
            // Elements whose squares overflow are divided by a power of two (`intermediate-overflow`).
            let overflows = overflow(&elements, &[mean_square(&elements, stash)]);
            let power = if overflows { power_of_scaling(&elements, stash) } else { 0 };
            let elements: Vec<Real> = elements.into_iter().map(|x| x.scaled(-power)).collect();
            let root = deviation(mean_square(&elements, stash), epsilon.scaled(-2 * power));
            y.extend((start..).zip(elements).map(|(i, x)| {
                let normalized = Number::from(x.over(root).hull(x.times(reciprocal(root))));
                let normalized = if overflows {
                    normalized.or(normalized.like(0.0), rule::INTERMEDIATE_OVERFLOW)
                } else {
                    normalized
                };
                let second = staged(read(&scale.number(at[i])), work);
                let y = normalized.map_real(|x| returned(x, work)) * second.into();
                // An implementation may divide `scale` by the root, in the type of the root, and multiply by this factor.
                let folded = x.times(staged(second, stash).over(root));
                let y = if overflows { y } else { y.map_real(|y| y.hull(folded.at_precision(work))) };
                y.at_precision(scale.dtype())
            }));
        }
        Ok([y])
    })?;
    call.answer_as(scale.dtype(), x.shape().to_vec(), y)
}

fn mean_square(elements: &[Real], dtype: DType) -> Real {
    let mut squares = Accumulator::new(dtype);
    elements.iter().for_each(|x| squares.add(x.abs().times(x.abs())));
    mean_of(squares, dtype)
}
