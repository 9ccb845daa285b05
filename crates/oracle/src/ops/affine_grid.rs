use crate::families::interpolate::quotient;
use crate::prelude::*;

/// Computes a grid of sampling positions: places from -1 to 1 along each axis, transformed by one affine matrix for
/// each item of the batch.
///
/// The only version is 20. Coordinates are listed from the innermost axis outwards (`coordinate-order`). Constraints:
/// `theta` has shape [N, 2, 3] or [N, 3, 4] (`theta-shape-fits`), and `size` holds the batch, the channels and the
/// extents (`size-fits-theta`). An axis with one element between aligned corners: `single-element-axis`.
///
/// Values of `align_corners` other than 0 and 1: `other-flag-values`.
pub fn affine_grid(call: &Call) -> Answer {
    let theta = call.tensor("theta")?;
    let (batch, axes) = match *theta.shape() {
        [batch, 2, 3] => (batch, 2),
        [batch, 3, 4] => (batch, 3),
        _ => {
            return Err(Refusal::violates(
                rule::THETA_SHAPE_FITS,
                format!("`theta` has shape {:?}, expected [N, 2, 3] or [N, 3, 4]", theta.shape()),
            ));
        }
    };
    let size = call.ints("size")?;
    let given = call.tensor("size")?.shape();
    let wrong = || {
        Refusal::violates(
            rule::SIZE_FITS_THETA,
            format!("`size` is {size:?} of shape {given:?}, which does not fit `theta` of shape {:?}", theta.shape()),
        )
    };
    let extents = size.iter().map(|&s| usize::try_from(s).map_err(|_| wrong())).collect::<Result<Vec<usize>, _>>()?;
    if size.len() != axes + 2 || extents[0] != batch || given.len() != 1 {
        return Err(wrong());
    }
    let aligned = call.flag("align_corners");
    let dtype = theta.dtype();
    let spatial = &extents[2..];
    let shape = [&[batch][..], spatial, &[axes]].concat();
    let count = shape::affordable(&shape)?;
    let places: Vec<Vec<Vec<Real>>> =
        spatial.iter().map(|&extent| (0..extent).map(|i| places(i, extent, aligned, dtype)).collect()).collect();
    let element = |index: usize| {
        let at = shape::coordinates(index, &shape);
        let row = (at[0] * axes + at[1 + axes]) * (axes + 1);
        // Coordinates start with the innermost axis.
        let along = |k: usize| &places[axes - 1 - k][at[axes - k]];
        let ways = (0..axes).fold(vec![vec![]], |ways: Vec<Vec<Real>>, k| {
            ways.iter().flat_map(|way| along(k).iter().map(move |&place| [&way[..], &[place]].concat())).collect()
        });
        let factors: Vec<Number> = (0..=axes).map(|k| theta.number(row + k)).collect();
        let preferred: Vec<Real> = factors.iter().map(Number::real).collect();
        let sum = |factors: &[Real], way: &[Real]| {
            let mut sum = Accumulator::new(dtype);
            factors.iter().zip(way).for_each(|(&factor, &place)| sum.add_product(factor, place));
            sum.add(factors[axes]);
            sum.finish()
        };
        let of_way =
            |way: &Vec<Real>| Number::from(sum(&preferred, way)).opened_by(&factors, |widest| sum(&widest, way));
        let numbers = ways.iter().map(of_way);
        numbers
            .reduce(|all, other| all.or(other, rule::SINGLE_ELEMENT_AXIS))
            .unwrap_or_else(|| theta.number(row + axes))
    };
    call.answer(shape.clone(), (0..count).map(element))
}

/// Returns the possible positions of element `i` of an axis. With aligned corners, a single element lies in the middle,
/// at either corner, or its position is NaN (`single-element-axis`).
fn places(i: usize, extent: usize, aligned: bool, dtype: DType) -> Vec<Real> {
    if aligned && extent == 1 {
        return [0.0, -1.0, 1.0, f64::NAN].map(|x| Real::constant(x, dtype)).to_vec();
    }
    vec![place(i, extent, aligned, dtype)]
}

/// Computes the position of element `i` of an axis. The positions -1 and 1 are the centres of the outermost elements
/// (aligned corners) or their outer edges. Accepts the results of several formulas: the start plus `i` steps, one
/// division for each element, and the formula of PyTorch.
fn place(i: usize, extent: usize, aligned: bool, dtype: DType) -> Real {
    let constant = |x: f64| Real::constant(x, dtype);
    let (x, n) = (i as f64, extent as f64);
    let (gaps, first) = if aligned { (n - 1.0, 0.0) } else { (n, 0.5) };
    let exact = 2.0 * (x + first) / gaps - 1.0;
    let step = quotient(constant(2.0), constant(gaps));
    let start = constant(-1.0).plus(step.times(constant(first)));
    let stepwise = constant(x).times(step).plus(start);
    let at_once = quotient(constant(2.0 * (x + first)), constant(gaps)).minus(constant(1.0));
    let centred = quotient(constant(2.0 * (x + first) - gaps), constant(gaps));
    // If corners are not aligned, PyTorch takes the positions for aligned corners and then contracts them.
    let drawn = quotient(constant(2.0), constant((n - 1.0).max(1.0))).times(constant(x)).minus(constant(1.0));
    let drawn = drawn.times(quotient(constant(n - 1.0), constant(n)));
    let drawn = if aligned { stepwise } else { drawn };
    let all = stepwise.hull(at_once).hull(centred).hull(drawn);
    Real { low: all.low.min(exact), mid: exact, high: all.high.max(exact), ..all }
}

#[cfg(test)]
mod tests {
    use crate::Judged;
    use crate::testing::{floats, run};
    use plumbline_tensor::Tensor;

    /// The only row lies at 0, -1, 1 or NaN along its axis, and nowhere in between. `theta` adds 0.25 to this position.
    #[test]
    fn the_position_of_one_element_between_aligned_corners_is_open() {
        let theta = floats(&[1, 2, 3], &[1.0, 0.0, 0.0, 0.0, 1.0, 0.25]);
        let y = &run("AffineGrid <align_corners = 1>", 20, &[theta, Tensor::from_i64s(&[1, 1, 1, 2])], 1)
            .expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 2, 2], &[-1.0, 0.25, 1.0, 0.25]));
        let judged = |i: usize, x: f32| y.judge_at(i, &floats(&[1], &[x]), 0);
        assert!([-0.75, 1.25, f32::NAN].iter().all(|&x| matches!(judged(1, x), Judged::Latitude(_))));
        assert!([0.0, -0.5, 1.0].iter().all(|&x| judged(1, x) == Judged::Wrong));
    }
}
