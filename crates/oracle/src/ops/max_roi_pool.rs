use crate::families::pooling::{maximum, smallest};
use crate::families::reduce::lowest;
use crate::families::sampling::divided;
use crate::prelude::*;

/// Divides each region of interest into parts and returns the maximum of each part.
///
/// Versions 1 and 22 have the same meaning; version 22 adds bfloat16. Constraints: the rank of `X` (`rank-four`),
/// `pooled_shape` (`pooled-shape-valid`), the shape of the regions (`rois-shape-fits`), and their batches
/// (`batch-indices-in-range`). How a region is divided: `region-division`; a part without elements: `empty-window`;
/// NaN: `nan`.
pub fn max_roi_pool(call: &Call) -> Answer {
    let (x, rois) = (call.tensor("X")?, call.tensor("rois")?);
    let &[batches, channels, height, width] = x.shape() else {
        return Err(Refusal::violates(rule::RANK_FOUR, format!("`X` has shape {:?}, expected rank 4", x.shape())));
    };
    let pooled = call.int_list("pooled_shape")?;
    let sizes: Vec<usize> = pooled.iter().filter_map(|&p| usize::try_from(p).ok().filter(|&p| p > 0)).collect();
    let &[rows, columns] = sizes.as_slice() else {
        return Err(Refusal::violates(
            rule::POOLED_SHAPE_VALID,
            format!("`pooled_shape` is {pooled:?}, expected two positive numbers"),
        ));
    };
    let &[count, 5] = rois.shape() else {
        return Err(Refusal::violates(
            rule::ROIS_SHAPE_FITS,
            format!("`rois` has shape {:?}, expected [n, 5]", rois.shape()),
        ));
    };
    if pooled.len() != 2 {
        return Err(Refusal::violates(
            rule::POOLED_SHAPE_VALID,
            format!("`pooled_shape` is {pooled:?}, expected two positive numbers"),
        ));
    }
    let shape = vec![count, channels, rows, columns];
    shape::affordable(&shape)?;
    // The attribute is a float32. An implementation may round it to the type of the positions.
    let exact = Real::constant(f64::from(call.float("spatial_scale")?), x.dtype());
    let scale = exact.hull(exact.nearest());
    let mut numbers = Vec::with_capacity(shape::product(&shape)?);
    for roi in 0..count {
        let batch = rois.number(roi * 5);
        if !batch.is_point() {
            return Err(Refusal::unsupported("the oracle accepts more than one value for a batch index"));
        }
        let batch = batch.mid();
        if !(batch >= 0.0 && batch < batches as f64 && batch.fract() == 0.0) {
            return Err(Refusal::violates(
                rule::BATCH_INDICES_IN_RANGE,
                format!("batch index {batch} is not an integer in [0, {batches})"),
            ));
        }
        let corner = |i: usize| settled(rois.number(roi * 5 + i), scale);
        let down = bins(corner(2), corner(4), scale, rows, height);
        let across = bins(corner(1), corner(3), scale, columns, width);
        for channel in 0..channels {
            let first = (batch as usize * channels + channel) * height * width;
            for bin in 0..rows * columns {
                let (row, column) = (down.get(bin / columns), across.get(bin % columns));
                numbers.push(match row.zip(column) {
                    Some((row, column)) => over(x, first, width, row, column),
                    None => anywhere(x, first..first + height * width),
                });
            }
        }
    }
    call.answer(shape, numbers)
}

/// The ranges that one part of a region may have along an axis. A range is a pair: the first element, and the element
/// behind the last one. There is one range for each outcome of rounding, the preferred range first.
type Bin = Vec<(usize, usize)>;

/// Returns a corner of a region. It is NaN if accepted values of the corner are further apart than two elements are.
fn settled(corner: Number, scale: Real) -> Real {
    let widest = corner.widest();
    let apart = (widest.high - widest.low) * scale.high.abs() >= 1.0;
    if corner.is_point() || !widest.nan && !apart { widest } else { Real::constant(f64::NAN, corner.dtype()) }
}

/// Divides a region along an axis as Fast R-CNN does. The corners are rounded and belong to the region, which has at
/// least one element. The parts overlap if the length of the region is no multiple of `count`. Returns no parts if a
/// corner is NaN, infinite or too large. No version defines this division (`region-division`).
fn bins(from: Real, to: Real, scale: Real, count: usize, extent: usize) -> Vec<Bin> {
    const LARGEST: f64 = 1e15;
    let round = |x: f64| (x.abs() + 0.5).floor().copysign(x);
    let scaled = |corner: Real| corner.times(scale);
    let (from, to) = (scaled(from), scaled(to));
    let ends = [from.low, from.high, to.low, to.high];
    if ends.iter().any(|e| e.is_nan() || e.abs() >= LARGEST) {
        return vec![];
    }
    let mut bins = vec![vec![]; count];
    for start in [from.mid, from.low, from.high].map(round) {
        for end in [to.mid, to.low, to.high].map(round) {
            let length = (end - start + 1.0).max(1.0);
            let size = divided(Real::constant(length, from.dtype), count);
            let within = |x: f64| (x + start).clamp(0.0, extent as f64) as usize;
            for (i, bin) in bins.iter_mut().enumerate() {
                let times = |i: usize| size.times(Real::constant(i as f64, size.dtype));
                let (low, high) = (times(i), times(i + 1));
                // The exact ends of the part, followed by the ends that rounding may give.
                let (first, behind) = (length * i as f64 / count as f64, length * (i as f64 + 1.0) / count as f64);
                for first in [first, low.low, low.high].map(f64::floor) {
                    for behind in [behind, high.low, high.high].map(f64::ceil) {
                        let range = (within(first), within(behind));
                        if !bin.contains(&range) {
                            bin.push(range);
                        }
                    }
                }
            }
        }
    }
    bins
}

/// Computes the maximum over a part of a region. If rounding may give several ranges, the maximum over each of them is
/// accepted (`region-division`).
fn over(x: &Expected, first: usize, width: usize, down: &Bin, across: &Bin) -> Number {
    let ways = down.iter().flat_map(|rows| across.iter().map(move |columns| (*rows, *columns)));
    let of_way = |((top, bottom), (left, right)): ((usize, usize), (usize, usize))| {
        let rows = (top..bottom).flat_map(|row| (left..right).map(move |column| first + row * width + column));
        let elements: Vec<Number> = rows.map(|i| x.number(i)).collect();
        maximum(&elements, rule::NAN).unwrap_or_else(|| of_none(x.dtype()))
    };
    ways.map(of_way).reduce(|all, other| all.or(other, rule::REGION_DIVISION)).unwrap_or_else(|| of_none(x.dtype()))
}

/// Returns the maximum of no elements: 0, or the number from which a search for the maximum starts (`empty-window`).
fn of_none(dtype: DType) -> Number {
    Number::constant(0.0, dtype).or(lowest(dtype), rule::EMPTY_WINDOW).or(smallest(dtype), rule::EMPTY_WINDOW)
}

/// Returns what is accepted for a region with a corner that is NaN, infinite or too large: any number from the smallest
/// to the largest of the given elements, or the maximum of no elements (`region-division`).
fn anywhere(x: &Expected, elements: std::ops::Range<usize>) -> Number {
    let elements: Vec<Number> = elements.map(|i| x.number(i)).collect();
    let widest = elements.iter().map(Number::widest).reduce(|a, b| a.hull(b));
    widest.map_or(of_none(x.dtype()), |widest| of_none(x.dtype()).or(widest, rule::REGION_DIVISION))
}

#[cfg(test)]
mod tests {
    use crate::testing::{floats, run};

    #[test]
    fn corners_belong_to_the_region_and_parts_may_overlap() {
        let x = floats(&[1, 1, 1, 5], &[1.0, 5.0, 2.0, 4.0, 9.0]);
        let rois = floats(&[1, 5], &[0.0, 1.0, 0.0, 3.0, 0.0]);
        let y = &run("MaxRoiPool <pooled_shape = [1, 2]>", 1, &[x, rois], 1).expect("the node is valid")[0];
        assert_eq!(y.tensor, floats(&[1, 1, 1, 2], &[5.0, 4.0]));
    }
}
