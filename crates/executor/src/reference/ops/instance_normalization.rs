use crate::reference::families::normalization::{Spread, constant, Standardization, deviation, open, opened};
use crate::reference::prelude::*;

/// InstanceNormalization-1: rank 4. InstanceNormalization-6, -22: any rank from 2 on. Rank: C1; shapes of the parameters: C2.
/// The variance from moments: B1; what overflows on the way: B2; NaN: B3.
pub fn instance_normalization(call: &Call) -> Answer {
    let x = call.tensor("input")?;
    let dtype = x.dtype();
    let &[instances, channels, ref inner @ ..] = x.shape() else {
        return Err(Refusal::violates(C1, format!("the input has rank {}", x.rank())));
    };
    if call.since() == 1 && inner.len() != 2 {
        return Err(Refusal::violates(C1, format!("the input has rank {}", x.rank())));
    }
    let (scale, bias) = (call.tensor("scale")?, call.tensor("B")?);
    if scale.shape() != [channels] || bias.shape() != [channels] {
        let shapes = (scale.shape(), bias.shape());
        return Err(Refusal::violates(C2, format!("{shapes:?} is given for {channels} channels")));
    }
    let label = open(&[x, scale, bias]);
    let epsilon = constant(call.float("epsilon")?, dtype);
    let count = shape::product(inner)?;
    let mut y = Vec::with_capacity(x.len());
    for group in 0..if x.is_empty() { 0 } else { instances * channels } {
        let elements: Vec<Real> = (group * count..(group + 1) * count).map(|i| x.number(i).real()).collect();
        let (scale, bias) = (scale.number(group % channels).real(), bias.number(group % channels).real());
        let spread = Spread::of(&elements, dtype);
        let label = label.or(spread.overflows.then_some(B2));
        let by = |variance: Real| Standardization::new(spread.mean, deviation(variance, epsilon), scale, bias, B2);
        let (direct, by_moments) = (by(spread.variance), by(spread.by_moments));
        y.extend(elements.iter().map(|&x| opened(direct.of(x).or_computed(by_moments.of(x).real(), B1), label)));
    }
    call.answer(x.shape().to_vec(), y)
}
