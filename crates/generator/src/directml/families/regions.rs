//! Regions of images.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// A dimension of the images, and what is read along it.
struct Axis {
    size: u32,
    parts: u32,
    scale: f32,
}

/// Draws where a region begins and ends along a dimension, so that each sample lies within the image, and not half-way
/// between two elements. With `outside`, the region lies far outside of the image. The page does not say what a
/// sample reads that lies beyond the first or last element, but within half an element of it.
fn ends(d: &mut Drawing, axis: &Axis, samples: u32, [input, output]: [f64; 2], outside: bool) -> [f64; 2] {
    let count = f64::from(axis.parts * samples);
    let last = f64::from(axis.size - 1);
    let mut options = Vec::new();
    for step in [1.0, 0.5, 0.25, 0.0] {
        for quarter in 0..4 * axis.size {
            let first = f64::from(quarter) / 4.0;
            let places = (0..axis.parts * samples).map(|at| first + f64::from(at) * step);
            if places.clone().all(|place| place <= last && place.fract() != 0.5) {
                options.push((first, step));
            }
        }
    }
    let (first, step) = d.pick(&options);
    let low = if outside { 64.0 } else { first + input + output * step };
    let scale = f64::from(axis.scale);
    [low / scale, (low + count * step) / scale]
}

/// Each output element has as many samples as `MinimumSamplesPerOutput` says, because the quotient that is the number
/// of samples otherwise is no larger: the page does not say how it is rounded.
pub(super) fn align(d: &mut Drawing) -> Option<()> {
    let is_gradient = d.operator().field("InputGradientTensor").is_some();
    let (images, aligned) = match is_gradient {
        true => ("OutputGradientTensor", "InputGradientTensor"),
        false => ("InputTensor", "OutputTensor"),
    };
    // How regions are stretched to their corners is not said.
    d.give("AlignRegionsToCorners", Attribute::Bool(false));
    d.attributes();
    let is = |d: &Drawing, field: &str, value: &str| match d.attribute_of(field) {
        Some(Attribute::Name(name)) => name.ends_with(value),
        _ => false,
    };
    // The elements of a plane differ then, because the page does not say which of equal samples has the gradient.
    let has_largest = is_gradient && is(d, "ReductionFunction", "_MAX");
    // The oracle cannot tell which of several interpolated samples is the largest.
    if has_largest && is(d, "InterpolationMode", "_LINEAR") {
        d.give("InterpolationMode", Attribute::Name("DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR".to_owned()));
    }
    let (batch, channels, regions) = (d.range(1..=3), d.range(1..=3), d.range(1..=4));
    let samples = d.range(1..=3);
    d.give("MinimumSamplesPerOutput", Attribute::Int(i64::from(samples)));
    let more = d.range(0..=2);
    d.give("MaximumSamplesPerOutput", Attribute::Int(i64::from(samples + more)));
    let axes = ["SpatialScaleY", "SpatialScaleX"].map(|name| {
        let scale = d.pick(&[1.0, 0.5, 2.0]);
        d.give(name, Attribute::Float(scale));
        Axis { size: d.range(2..=7), parts: d.range(1..=3), scale }
    });
    let offsets = [("InputPixelOffset", [0.5, 0.0]), ("OutputPixelOffset", [-0.5, 0.0])].map(|(name, options)| {
        if d.operator().field(name).is_none() {
            return f64::from(options[0]);
        }
        let offset = d.pick(&options);
        d.give(name, Attribute::Float(offset));
        f64::from(offset)
    });
    let mut corners = Vec::new();
    for _ in 0..regions {
        let outside = d.below(5) == 4;
        if outside {
            d.feature("a region outside of the image");
        }
        let [y, x] = [0, 1].map(|at| ends(d, &axes[at], samples, offsets, outside));
        corners.extend([x[0], y[0], x[1], y[1]]);
    }
    let [y, x] = axes;
    let of_images = [batch, channels, y.size, x.size];
    let of_parts = [regions, channels, y.parts, x.parts];
    if is_gradient {
        if has_largest {
            let plane = y.size * x.size;
            let step = if plane.is_multiple_of(7) { 11 } else { 7 };
            let turn = d.range(0..=plane - 1);
            let elements: Vec<i128> =
                (0..batch * channels * plane).map(|at| ((at * step + turn) % plane + at / plane).into()).collect();
            d.input_of("InputTensor", &of_images, &elements);
        } else if d.has("InputTensor") {
            d.input("InputTensor", &of_images, Values::Integers);
        }
        d.input(aligned, &of_parts, Values::Integers);
    } else {
        d.input(images, &of_images, Values::Integers);
    }
    let sizes = d.led("ROITensor", &[regions, 4]);
    d.input_numbers("ROITensor", &sizes, &corners);
    let sizes = d.led("BatchIndicesTensor", &[regions]);
    d.input("BatchIndicesTensor", &sizes, Values::Between(0.0, f64::from(batch - 1)));
    d.output(if is_gradient { images } else { aligned }, if is_gradient { &of_images } else { &of_parts });
    Some(())
}

/// A region in more parts than this is as large as the input.
const MANY_PARTS: u32 = 4;

/// Draws the first and the last coordinate of a region that is divided into `parts` along a dimension of this size, in
/// steps of 1 / `unit`. If there is one part, the region may extend beyond the input; otherwise, every part has an element.
fn corners(d: &mut Drawing, size: u32, parts: u32, unit: u32) -> [i128; 2] {
    let (first, last) = if parts > MANY_PARTS {
        (0, i128::from(size) - 1)
    } else {
        let first = d.below(size as usize);
        (first as i128, (first + d.below(size as usize - first)) as i128)
    };
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
    // 27 rows in 13 parts: the last part ends elsewhere if its quotient is rounded.
    let is_tall = d.below(4) == 3;
    let height = if is_tall { 27 } else { d.range(1..=7) };
    let width = d.range(1..=6);
    let pooled = [if is_tall { 13 } else { d.range(1..=3) }, d.range(1..=4)];
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
