use crate::reference::families::interpolate::quotient;
use crate::reference::prelude::*;

/// AffineGrid-20: positions from -1 to 1 along each axis, innermost axis first (B2), times a matrix a batch. `theta` is [N, 2, 3] or [N, 3, 4] (C1); `size` has the batch, channels and
/// extents (C2). One element between aligned corners: B1.
pub fn affine_grid(call: &Call) -> Answer {
    let theta = call.tensor("theta")?;
    let (batch, axes) = match *theta.shape() {
        [batch, 2, 3] => (batch, 2),
        [batch, 3, 4] => (batch, 3),
        _ => return Err(Refusal::violates(C1, format!("`theta` has shape {:?}", theta.shape()))),
    };
    let size = call.ints("size")?;
    let wrong = || Refusal::violates(C2, format!("`size` is {size:?} for `theta` of shape {:?}", theta.shape()));
    let extents = size.iter().map(|&s| usize::try_from(s).map_err(|_| wrong())).collect::<Result<Vec<usize>, _>>()?;
    if size.len() != axes + 2 || extents[0] != batch || call.tensor("size")?.rank() != 1 {
        return Err(wrong());
    }
    let aligned = call.int("align_corners")? != 0;
    let dtype = theta.dtype();
    let spatial = &extents[2..];
    let shape = [&[batch][..], spatial, &[axes]].concat();
    let count = shape::affordable(&shape)?;
    let places: Vec<Vec<Number>> =
        spatial.iter().map(|&extent| (0..extent).map(|i| place(i, extent, aligned, dtype)).collect()).collect();
    let element = |index: usize| {
        let at = shape::coordinates(index, &shape);
        let row = (at[0] * axes + at[1 + axes]) * (axes + 1);
        let mut sum = Accumulator::new(dtype);
        let mut pairs = Vec::new();
        for k in 0..axes {
            // The innermost axis comes first.
            let axis = axes - 1 - k;
            let (factor, place) = (theta.number(row + k), places[axis][at[1 + axis]]);
            pairs.extend([factor, place]);
            sum.add_product(factor.real(), place.real());
        }
        let last = theta.number(row + axes);
        sum.add(last.real());
        pairs.push(last);
        Number::from(sum.finish()).opened_by(&pairs, |widest| {
            let mut sum = Accumulator::new(dtype);
            widest.chunks(2).for_each(|pair| match *pair {
                [factor, place] => sum.add_product(factor, place),
                _ => pair.iter().for_each(|&last| sum.add(last)),
            });
            sum.finish()
        })
    };
    call.answer(shape.clone(), (0..count).map(element))
}

/// Position `i` of an axis: between the centres of the elements at the ends, or their outer edges. Computed from a start and a step, or at once.
fn place(i: usize, extent: usize, aligned: bool, dtype: DType) -> Number {
    let constant = |x: f64| Real::constant(x, dtype);
    let (x, n) = (i as f64, extent as f64);
    if aligned && extent == 1 {
        let [beginning, nothing] = [-1.0, f64::NAN].map(|x| Number::from(constant(x)));
        return Number::from(constant(0.0)).or(beginning, B1).or(nothing, B1);
    }
    let (gaps, first) = if aligned { (n - 1.0, 0.0) } else { (n, 0.5) };
    let exact = 2.0 * (x + first) / gaps - 1.0;
    let step = quotient(constant(2.0), constant(gaps));
    let start = constant(-1.0).plus(step.times(constant(first)));
    let stepwise = constant(x).times(step).plus(start);
    let at_once = quotient(constant(2.0 * (x + first)), constant(gaps)).minus(constant(1.0));
    let centred = quotient(constant(2.0 * (x + first) - gaps), constant(gaps));
    // As PyTorch has it: between aligned corners, drawn together.
    let drawn = quotient(constant(2.0), constant((n - 1.0).max(1.0))).times(constant(x)).minus(constant(1.0));
    let drawn = drawn.times(quotient(constant(n - 1.0), constant(n)));
    let drawn = if aligned { stepwise } else { drawn };
    let all = stepwise.hull(at_once).hull(centred).hull(drawn);
    Real { low: all.low.min(exact), mid: exact, high: all.high.max(exact), ..all }.into()
}
