//! Where RESAMPLE and ROI_ALIGN read, by the fields of a description.

use serde_json::json;

use super::Situation;

/// Returns the scale and the positions in the whole tensor of all positions along each dimension of the sampled one.
pub(super) fn sampled_positions(s: &Situation, sampled: &str) -> Vec<(f64, f64)> {
    let offset = |field: &str, d: usize, otherwise: f64| s.list(field).get(d).copied().unwrap_or(otherwise);
    let mut all = Vec::new();
    for (d, (size, scale)) in s.sizes(sampled).into_iter().zip(s.list("Scales")).enumerate() {
        let (input, output) = (offset("InputPixelOffsets", d, 0.5), offset("OutputPixelOffsets", d, -0.5));
        all.extend((0..size).map(|at| (scale, (at as f64 - output) / scale - input)));
    }
    all
}

pub(super) fn is_half_way(s: &Situation, sampled: &str) -> bool {
    let positions = sampled_positions(s, sampled);
    s.is("InterpolationMode", "NEIGHBOR") && positions.iter().any(|(_, position)| position.rem_euclid(1.0) == 0.5)
}

pub(super) fn half_as_many(s: &mut Situation) {
    s.desc["Scales"][0] = json!(0.5);
    if s.desc.get("InputPixelOffsets").is_some() {
        (s.desc["InputPixelOffsets"][0], s.desc["OutputPixelOffsets"][0]) = (json!(0.5), json!(-0.5));
    }
}

/// A region along one dimension of the image.
pub(super) struct Region {
    pub low: f64,
    pub high: f64,
    pub parts: usize,
    pub image: usize,
}

pub(super) fn regions(s: &Situation) -> Vec<Region> {
    let (image, parts) = match s.desc.get("InputGradientTensor") {
        Some(_) => ("OutputGradientTensor", "InputGradientTensor"),
        None => ("InputTensor", "OutputTensor"),
    };
    let (image, parts) = (s.sizes(image), s.sizes(parts));
    let (x_scale, y_scale) = (s.number("SpatialScaleX"), s.number("SpatialScaleY"));
    let along = |corners: &[f64], at: usize, scale: f64, d: usize| Region {
        low: corners[at] * scale,
        high: corners[at + 2] * scale,
        parts: parts[d],
        image: image[d],
    };
    let of_corners = |corners: &[f64]| [along(corners, 0, x_scale, 3), along(corners, 1, y_scale, 2)];
    s.data("ROITensor").chunks(4).flat_map(of_corners).collect()
}

/// Returns the position of each sample along each dimension, with the last position of the image there.
pub(super) fn sample_positions(s: &Situation) -> Vec<(f64, f64)> {
    let samples = s.number("MinimumSamplesPerOutput");
    let offset = |field: &str, otherwise: f64| s.desc[field].as_f64().unwrap_or(otherwise);
    let (input, output) = (offset("InputPixelOffset", 0.5), offset("OutputPixelOffset", -0.5));
    let mut all = Vec::new();
    for region in regions(s) {
        let count = region.parts as f64 * samples;
        let step = (region.high - region.low) / count;
        let position = |sample: usize| (sample as f64 - output) * step + region.low - input;
        all.extend((0..count as usize).map(|sample| (position(sample), region.image as f64 - 1.0)));
    }
    all
}

/// Moves all regions to where the first sample of an empty region has this position.
pub(super) fn move_regions(s: &mut Situation, position: f64) {
    let input = s.desc["InputPixelOffset"].as_f64().unwrap_or(0.5);
    let scales = [s.number("SpatialScaleX"), s.number("SpatialScaleY")];
    if let Some(corners) = s.inputs.get_mut("ROITensor") {
        let place = |at: usize| (position + input) / scales[at % 2];
        corners.data.iter_mut().enumerate().for_each(|(at, corner)| *corner = place(at % 4));
    }
}
