//! Draws regions with corners at elements, between them, and outside of the image, for both modes and both
//! transformations.

use crate::families::regions_of_interest;
use crate::prelude::*;

pub fn roi_align(draw: &mut Draw) {
    let [batches, _, height, width] = regions_of_interest::image(draw);
    let mut half_pixel = draw.since() >= 16;
    if draw.give_attribute("coordinate_transformation_mode") {
        half_pixel = draw.flag();
        draw.string_attribute(
            "coordinate_transformation_mode",
            if half_pixel { "half_pixel" } else { "output_half_pixel" },
        );
        if half_pixel {
            draw.feature("half_pixel");
        }
    }
    if draw.give_attribute("mode") {
        let mode = draw.choose(&["max", "avg"]);
        draw.string_attribute("mode", mode);
        if mode == "max" {
            draw.feature("max");
        }
    }
    for (name, from, to) in [("output_height", 1, 3), ("output_width", 1, 3), ("sampling_ratio", 0, 3)] {
        if draw.give_attribute(name) {
            let value = draw.range(from..=to);
            draw.int_attribute(name, value);
        }
    }
    let scale = regions_of_interest::spatial_scale(draw);
    let count = regions_of_interest::region_count(draw);
    let shift = if half_pixel { 0.5 } else { 0.0 };
    let (mut rois, mut indices) = (Vec::new(), Vec::new());
    for _ in 0..count {
        indices.push(draw.below(batches) as i64);
        let steps = draw.choose(&[1, 4, 10]);
        let ((top, bottom), (left, right)) = (
            regions_of_interest::corners(draw, height - 1, steps),
            regions_of_interest::corners(draw, width - 1, steps),
        );
        let mut roi = [left, top, right, bottom].map(|x| (x + shift) / scale);
        if draw.once_in(8) {
            if right + 2.0 > width as f64 - 1.0 {
                draw.feature("a region outside");
            }
            roi[2] += 2.0 / scale;
        }
        rois.extend(roi);
    }
    regions_of_interest::numbers(draw, "rois", &[count, 4], &rois);
    draw.input("batch_indices", Tensor::from_i64s(&indices));
}

fn inputs(draw: &mut Draw, shape: &[usize], rois: &[usize], indices: &[i64]) {
    draw.tensor("X", shape, Values::Moderate);
    let count: usize = rois.iter().product();
    regions_of_interest::numbers(draw, "rois", rois, &[[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 2.0]].concat()[..count]);
    draw.input("batch_indices", Tensor::from_i64s(indices));
}

pub fn rank_four(draw: &mut Draw) {
    let shape: &[usize] = draw.way_of(&[&[1, 2, 4][..], &[1, 2, 4, 4, 4]]);
    inputs(draw, shape, &[1, 4], &[0]);
}

pub fn rois_shape_fits(draw: &mut Draw) {
    if draw.way(2) == 1 { inputs(draw, &[1, 2, 4, 4], &[1, 3], &[0]) } else { inputs(draw, &[1, 2, 4, 4], &[4], &[0]) }
}

pub fn batch_indices_fit_rois(draw: &mut Draw) {
    let indices: &[i64] = draw.way_of(&[&[0][..], &[0, 0, 0], &[]]);
    inputs(draw, &[1, 2, 4, 4], &[2, 4], indices);
}

pub fn batch_indices_in_range(draw: &mut Draw) {
    let index = draw.beyond(0, 0);
    inputs(draw, &[1, 2, 4, 4], &[1, 4], &[index]);
}

pub fn mode_known(draw: &mut Draw) {
    let mode = draw.way_of(&["average", "MAX", ""]);
    draw.string_attribute("mode", mode);
    inputs(draw, &[1, 2, 4, 4], &[1, 4], &[0]);
}

pub fn transformation_mode_known(draw: &mut Draw) {
    if draw.since() < 16 {
        return draw.decline();
    }
    let mode = draw.way_of(&["pixel", "HALF_PIXEL", ""]);
    draw.string_attribute("coordinate_transformation_mode", mode);
    inputs(draw, &[1, 2, 4, 4], &[1, 4], &[0]);
}
