//! Draws regions. After scaling, the corners of most regions lie at whole elements, those of the others at quarters of
//! an element. Some regions go beyond the bottom of the image.

use crate::families::regions_of_interest;
use crate::prelude::*;

pub fn max_roi_pool(draw: &mut Draw) {
    let [batches, _, height, width] = regions_of_interest::image(draw);
    let pooled = [draw.range(1..=3), draw.range(1..=3)];
    draw.ints_attribute("pooled_shape", &pooled);
    let scale = regions_of_interest::spatial_scale(draw);
    let count = regions_of_interest::region_count(draw);
    let count = if count > 0 { draw.extent(count, 8) } else { 0 };
    let mut rois = Vec::new();
    for _ in 0..count {
        let batch = draw.below(batches);
        // A corner at a whole element does not depend on how corners are rounded, so most regions have such corners.
        // One in four has corners at quarters of an element.
        let steps = if draw.once_in(4) { 4 } else { 1 };
        let ((top, bottom), (left, right)) = (
            regions_of_interest::corners(draw, height - 1, steps),
            regions_of_interest::corners(draw, width - 1, steps),
        );
        rois.extend([batch as f64, left / scale, top / scale, right / scale, bottom / scale]);
        if draw.once_in(8) {
            if bottom + 4.0 >= height as f64 {
                draw.feature("a region outside");
            }
            let last = rois.len();
            rois[last - 1] += 4.0 / scale;
        }
    }
    regions_of_interest::numbers(draw, "rois", &[count, 5], &rois);
}

fn inputs(draw: &mut Draw, shape: &[usize], sizes: &[i64], rois: &[usize], values: &[f64]) {
    draw.tensor("X", shape, Values::Moderate);
    draw.ints_attribute("pooled_shape", sizes);
    regions_of_interest::numbers(draw, "rois", rois, values);
}

/// A valid region: the index of the image in the batch, x and y of the first corner, x and y of the last.
const ROI: [f64; 5] = [0.0, 0.0, 0.0, 2.0, 2.0];

pub fn rank_four(draw: &mut Draw) {
    let shape: &[usize] = draw.way_of(&[&[1, 2, 4][..], &[1, 2, 4, 4, 4]]);
    inputs(draw, shape, &[2, 2], &[1, 5], &ROI);
}

pub fn pooled_shape_valid(draw: &mut Draw) {
    let less = draw.under(1);
    let sizes = draw.way_of(&[vec![2], vec![2, 2, 2], vec![less, 2], vec![2, less]]);
    inputs(draw, &[1, 2, 4, 4], &sizes, &[1, 5], &ROI);
}

pub fn rois_shape_fits(draw: &mut Draw) {
    if draw.way(2) == 1 {
        inputs(draw, &[1, 2, 4, 4], &[2, 2], &[1, 4], &ROI[..4]);
    } else {
        inputs(draw, &[1, 2, 4, 4], &[2, 2], &[5], &ROI);
    }
}

pub fn batch_indices_in_range(draw: &mut Draw) {
    let mut roi = ROI;
    roi[0] = draw.way_of(&[1.0, -1.0, 7.0]);
    inputs(draw, &[1, 2, 4, 4], &[2, 2], &[1, 5], &roi);
}
