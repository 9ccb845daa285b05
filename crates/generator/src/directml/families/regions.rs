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
    // How regions are stretched to their corners is not said.
    d.give("AlignRegionsToCorners", Attribute::Bool(false));
    let offsets = [("InputPixelOffset", [0.5, 0.0]), ("OutputPixelOffset", [-0.5, 0.0])].map(|(name, options)| {
        if d.operator().field(name).is_none() {
            return f64::from(options[0]);
        }
        let offset = d.pick(&options);
        d.give(name, Attribute::Float(offset));
        f64::from(offset)
    });
    d.attributes();
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
        if d.has("InputTensor") {
            d.input("InputTensor", &of_images, Values::Integers);
        }
        d.input(aligned, &of_parts, Values::Integers);
    } else {
        d.input(images, &of_images, Values::Integers);
    }
    let padded = |counts: std::ops::RangeInclusive<u32>, d: &mut Drawing, used: &[u32]| {
        let count = d.range(counts) as usize;
        [vec![1; count - used.len()].as_slice(), used].concat()
    };
    let counts = d.dimension_counts(&["ROITensor"]);
    let sizes = padded(counts, d, &[regions, 4]);
    d.input_numbers("ROITensor", &sizes, &corners);
    let counts = d.dimension_counts(&["BatchIndicesTensor"]);
    let sizes = padded(counts, d, &[regions]);
    d.input("BatchIndicesTensor", &sizes, Values::Between(0.0, f64::from(batch - 1)));
    d.output(if is_gradient { images } else { aligned }, if is_gradient { &of_images } else { &of_parts });
    Some(())
}
