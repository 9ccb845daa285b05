//! Operators on regions of interest.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// Draws the first and the last coordinate of a region that is divided into `parts` along a dimension of this size, in
/// steps of 1 / `unit`. If there is one part, the region may extend beyond the input; otherwise, every part has an element.
fn corners(d: &mut Drawing, size: u32, parts: u32, unit: u32) -> [i128; 2] {
    let first = d.below(size as usize) as i128;
    let last = first + d.below((size - first as u32) as usize) as i128;
    let goes_beyond = parts == 1 && d.below(3) == 2;
    let beyond = if goes_beyond { [-(d.below(3) as i128), d.below(3) as i128] } else { [0, 0] };
    if goes_beyond {
        d.feature("region beyond the input");
    }
    // A quarter is rounded off; halves are not drawn.
    let mut place = |at: i128| at * i128::from(unit) + if unit == 4 { d.below(3) as i128 - 1 } else { 0 };
    let (low, high) = (place(first + beyond[0]), place(last + beyond[1]));
    [low, high.max(low)]
}

pub(super) fn pooling(d: &mut Drawing) -> Option<()> {
    let (batch, channels) = (d.range(1..=2), d.range(1..=3));
    let (height, width) = (d.range(1..=7), d.range(1..=6));
    let pooled = [d.range(1..=3), d.range(1..=4)];
    let (unit, scale) = d.pick(&[(1, 1.0), (4, 0.25), (2, 0.5)]);
    let count = d.range(1..=3);
    let mut regions = Vec::new();
    for _ in 0..count {
        let of_batch = d.below(batch as usize) as i128;
        let [y1, y2] = corners(d, height, pooled[0], unit);
        let [x1, x2] = corners(d, width, pooled[1], unit);
        regions.extend([of_batch, x1, y1, x2, y2]);
    }
    d.give("SpatialScale", Attribute::Float(scale));
    d.give("PooledSize", Attribute::Size2d { width: pooled[1], height: pooled[0] });
    d.input("InputTensor", &[batch, channels, height, width], Values::Moderate);
    d.input_of("ROITensor", &[1, 1, count, 5], &regions);
    d.output("OutputTensor", &[count, channels, pooled[0], pooled[1]]);
    Some(())
}
