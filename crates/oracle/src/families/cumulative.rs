//! CumSum and CumProd, which apply a formula to prefixes along an axis.

use crate::families::select::lanes;
use crate::prelude::*;
use crate::steps;

/// Applies a formula to each prefix along `axis`: to an element and all elements before it. With `exclusive` the prefix
/// excludes the element itself; with `reverse` it begins at the other end.
///
/// The axis is in range (`axis-in-range`). The input `axis` has one element (`axis-is-scalar`), and rank 0 or 1. A
/// `reverse` that is neither 0 nor 1: `other-flag-values`.
pub fn scan(call: &Call, formula: impl Fn(&[Number], DType) -> Number) -> Answer {
    let x = call.tensor("x")?;
    let (axis_shape, axes) = (call.tensor("axis")?.shape(), call.ints("axis")?);
    let (([], [axis]) | ([1], [axis])) = (axis_shape, axes.as_slice()) else {
        return Err(Refusal::violates(
            rule::AXIS_IS_SCALAR,
            format!("`axis` has shape {axis_shape:?}, expected a scalar"),
        ));
    };
    let axis = call.axis(*axis, x.rank(), rule::AXIS_IN_RANGE)?;
    // Anything but 1 includes the element, as the text says.
    let exclusive = call.int("exclusive")? == 1;
    let reverse = call.flag("reverse");
    let mut numbers: Vec<Number> = x.numbers().collect();
    for mut lane in lanes(x.shape(), axis) {
        if reverse {
            lane.reverse();
        }
        let elements: Vec<Number> = lane.iter().map(|&i| x.number(i)).collect();
        for (k, &i) in lane.iter().enumerate() {
            steps::take(k);
            numbers[i] = formula(&elements[..if exclusive { k } else { k + 1 }], x.dtype());
        }
    }
    call.answer(x.shape().to_vec(), numbers)
}
