use crate::families::normalization::{constant, open_label, opened};
use crate::prelude::*;

/// Divides each element by a power of the sum of squares in neighbouring channels (local response normalization).
///
/// Versions 1 and 13 have the same meaning; version 13 adds bfloat16. Constraints: the rank (`input-has-channels`) and
/// `size` (`size-positive`). The region of an even size: `even-size`; channels beyond the edge: `channels-beyond-edge`;
/// NaN and infinities: `nan-and-infinity`; squares that overflow: `intermediate-overflow`.
pub fn lrn(call: &Call) -> Answer {
    let x = call.tensor("X")?;
    let dtype = x.dtype();
    let &[_, channels, ref inner @ ..] = x.shape() else {
        return Err(Refusal::violates(
            rule::INPUT_HAS_CHANNELS,
            format!("`X` has rank {}, expected 2 or more", x.rank()),
        ));
    };
    let size = call.int("size")?;
    if size < 1 {
        return Err(Refusal::violates(rule::SIZE_POSITIVE, format!("`size` is {size}, expected a positive number")));
    }
    let [alpha, beta, bias] = [call.float("alpha")?, call.float("beta")?, call.float("bias")?];
    let (beta, bias) = (constant(beta, dtype), constant(bias, dtype));
    // An implementation may multiply the sum by `alpha / size`, or multiply by `alpha` and divide by `size`.
    let factor = constant(alpha, dtype).over(Real::constant(size as f64, dtype));
    let (before, after) = ((size - 1) / 2, size / 2);
    let each = shape::product(inner)?.max(1);
    let label = open_label(&[x]);
    let numbers = (0..x.len()).map(|i| {
        let channel = i / each % channels;
        let first = channel.saturating_sub(usize::try_from(before).unwrap_or(usize::MAX));
        let last = (channels - 1).min(channel.saturating_add(usize::try_from(after).unwrap_or(usize::MAX)));
        let mut squares = Accumulator::new(dtype);
        let mut finite = true;
        for c in first..=last {
            let x = x.number(i + c * each - channel * each).real().abs();
            finite &= x.low.is_finite();
            squares.add(x.times(x));
        }
        let squares = squares.finish_inside();
        let overflow = (finite && squares.high == f64::INFINITY).then_some(rule::INTERMEDIATE_OVERFLOW);
        let base = bias.plus(factor.times(squares).widened(1.0));
        let own = x.number(i).real();
        let divided = own.over(base.power(beta)).hull(own.times(base.power(beta.neg())));
        opened(divided.into(), label.or(overflow))
    });
    call.answer(x.shape().to_vec(), numbers.collect::<Vec<_>>())
}
