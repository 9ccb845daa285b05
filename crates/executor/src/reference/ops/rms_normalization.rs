use super::group_normalization::stash_type;
use crate::reference::families::normalization::{
    coarsest, constant, deviation, mean_of, open, opened, overflow, reciprocal, returned, staged,
};
use crate::reference::prelude::*;

/// RMSNormalization-23. Axis: C1; `scale` broadcasts: C2; `stash_type`: C3. Two types: B1; squares that overflow: B3.
pub fn rms_normalization(call: &Call) -> Answer {
    let (x, scale) = (call.tensor("X")?, call.tensor("scale")?);
    let axis = call.axis(call.int("axis")?, x.rank(), C1)?;
    let stash = stash_type(call.int("stash_type")?, C3)?;
    if shape::broadcast(&[scale.shape(), x.shape()]).is_none_or(|s| s != x.shape()) {
        return Err(Refusal::violates(C2, format!("{:?} does not broadcast to {:?}", scale.shape(), x.shape())));
    }
    let at = shape::broadcast_indices(scale.shape(), x.shape());
    // Normalized has the type of X, the product that of scale: B1.
    let work = coarsest(&[x.dtype(), scale.dtype()]);
    let epsilon = constant(call.float("epsilon")?, stash);
    let label = open(&[x, scale]);
    let row = shape::product(&x.shape()[axis..])?;
    let mut y = Vec::with_capacity(x.len());
    for start in (0..x.len()).step_by(row.max(1)) {
        let elements: Vec<Real> = (start..start + row).map(|i| staged(x.number(i).real(), stash)).collect();
        let mut squares = Accumulator::new(stash);
        elements.iter().for_each(|x| squares.add(x.abs().times(x.abs())));
        let mean = mean_of(squares, stash);
        let label = label.or(overflow(&elements, &[mean]).then_some(B3));
        let root = deviation(mean, epsilon);
        y.extend((start..).zip(elements).map(|(i, x)| {
            let normalized = x.over(root).hull(x.times(reciprocal(root)));
            let scaled = returned(normalized, work).times(staged(scale.number(at[i]).real(), work));
            opened(Number::from(scaled.at_precision(scale.dtype())), label)
        }));
    }
    call.answer_as(scale.dtype(), x.shape().to_vec(), y)
}
