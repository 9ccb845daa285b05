use crate::families::activation::piecewise;
use crate::prelude::*;

/// Computes `slope * x` for elements below zero, and `x` itself from zero on.
///
/// Up to version 6, `slope` has one element, one per channel, or the shape of `X` (`slope-fits-input`). From version 7
/// on, it broadcasts to the shape of `X` (`slope-broadcasts`). Elements that are not negative stay as they are, even if
/// the slope is infinite (`infinity-times-zero`). NaN: `nan`; integer overflow: `integer-overflow`.
pub fn p_relu(call: &Call) -> Answer {
    let (x, slope) = (call.tensor("X")?, call.tensor("slope")?);
    let aligned = if call.since() < 7 { per_channel(x, slope)? } else { broadcast_to(x, slope)? };
    let at = shape::broadcast_indices(&aligned, x.shape());
    let element = |i: usize| {
        x.number(i).each_pair(slope.number(at[i]), |x, slope| match x.kind {
            NumberKind::Int(value) if value.mid < 0 => (slope * x).wraps(rule::INTEGER_OVERFLOW),
            NumberKind::Int(_) => x,
            NumberKind::Real(_) => piecewise(x, 0.0, |x| slope * x, Number::with_any_zero),
        })
    };
    call.answer(x.shape().to_vec(), (0..x.len()).map(element))
}

/// Returns the shape of `slope`, aligned with the shape of `X`. `slope` has one element, one for each channel in
/// dimension 1, or one for each element of `X`.
fn per_channel(x: &Expected, slope: &Expected) -> Result<Vec<usize>, Refusal> {
    if slope.shape() == x.shape() {
        return Ok(x.shape().to_vec());
    }
    let mut aligned = vec![1; x.rank()];
    match slope.shape() {
        [channels] if x.rank() >= 2 && *channels == x.extent(1) => aligned[1] = *channels,
        _ if slope.len() == 1 => {}
        other => {
            let message = format!(
                "`slope` has shape {other:?}, expected one element, one for each channel, or the shape of `X`, {:?}",
                x.shape()
            );
            return Err(Refusal::violates(rule::SLOPE_FITS_INPUT, message));
        }
    }
    Ok(aligned)
}

/// Returns the shape of `slope`, if it broadcasts to `X` and does not change the shape of `X`.
fn broadcast_to(x: &Expected, slope: &Expected) -> Result<Vec<usize>, Refusal> {
    match shape::broadcasts_to(slope.shape(), x.shape()) {
        true => Ok(slope.shape().to_vec()),
        false => Err(Refusal::violates(
            rule::SLOPE_BROADCASTS,
            format!("`slope` of shape {:?} does not broadcast to `X` of shape {:?}", slope.shape(), x.shape()),
        )),
    }
}
