//! Recipes for MaxRoiPool and RoiAlign.

use plumbline_tensor::Tensor;

use crate::draw::Draw;
use crate::values::Values;

/// Gives a tensor of numbers in the element type of the input.
fn numbers(draw: &mut Draw, name: &str, shape: &[usize], values: &[f64]) {
    let dtype = draw.input_dtype(name);
    draw.input(name, Tensor::from_f64s(dtype, shape.to_vec(), values).expect("as many values as the shape says"));
}

/// Draws two corners along an axis of this extent, each a multiple of 1/`steps` of an element.
fn corners(draw: &mut Draw, extent: usize, steps: i64) -> (f64, f64) {
    let most = extent as i64 * steps;
    let from = draw.range(0..=most - 1);
    let to = draw.range(from + 1..=most);
    (from as f64 / steps as f64, to as f64 / steps as f64)
}

fn image(draw: &mut Draw) -> [usize; 4] {
    let mut shape = [draw.choose(&[1, 2]), draw.choose(&[1, 2]), draw.choose(&[4, 5, 3]), draw.choose(&[5, 4, 6])];
    draw.enlarge(&mut shape, 1);
    let values = draw.choose(&[Values::Moderate, Values::Integers, Values::Between(-1.0, 1.0), Values::Any]);
    draw.tensor("X", &shape, values);
    shape
}

fn regions(draw: &mut Draw) -> usize {
    if draw.once_in(16) {
        draw.feature("no regions");
        return 0;
    }
    draw.choose(&[1, 2, 3])
}

fn scale(draw: &mut Draw) -> f64 {
    if !draw.give_attribute("spatial_scale") {
        return 1.0;
    }
    let scale = draw.choose(&[0.5, 1.0, 0.25, 2.0, 0.3]);
    draw.float_attribute("spatial_scale", scale);
    f64::from(scale)
}

pub fn max_roi_pool(draw: &mut Draw) {
    let [batches, _, height, width] = image(draw);
    let pooled = [draw.range(1..=3), draw.range(1..=3)];
    draw.ints_attribute("pooled_shape", &pooled);
    let scale = scale(draw);
    let count = regions(draw);
    let count = if count > 0 { draw.extent(count, 8) } else { 0 };
    let mut rois = Vec::new();
    for _ in 0..count {
        let batch = draw.below(batches);
        // Whole elements are rounded in only one way; now and then the corners are at quarters.
        let steps = if draw.once_in(4) { 4 } else { 1 };
        let ((top, bottom), (left, right)) = (corners(draw, height - 1, steps), corners(draw, width - 1, steps));
        rois.extend([batch as f64, left / scale, top / scale, right / scale, bottom / scale]);
        if draw.once_in(8) {
            draw.feature("a region outside");
            let last = rois.len();
            rois[last - 1] += 4.0 / scale;
        }
    }
    numbers(draw, "rois", &[count, 5], &rois);
}

fn pooled(draw: &mut Draw, shape: &[usize], sizes: &[i64], rois: &[usize], values: &[f64]) {
    draw.tensor("X", shape, Values::Moderate);
    draw.ints_attribute("pooled_shape", sizes);
    numbers(draw, "rois", rois, values);
}

const ROI: [f64; 5] = [0.0, 0.0, 0.0, 2.0, 2.0];

pub fn max_roi_pool_rank_four(draw: &mut Draw) {
    let shape: &[usize] = draw.way_of(&[&[1, 2, 4][..], &[1, 2, 4, 4, 4]]);
    pooled(draw, shape, &[2, 2], &[1, 5], &ROI);
}

pub fn max_roi_pool_pooled_shape_valid(draw: &mut Draw) {
    let less = draw.under(1);
    let sizes = draw.way_of(&[vec![2], vec![2, 2, 2], vec![less, 2], vec![2, less]]);
    pooled(draw, &[1, 2, 4, 4], &sizes, &[1, 5], &ROI);
}

pub fn max_roi_pool_rois_shape_fits(draw: &mut Draw) {
    if draw.way(2) == 1 {
        pooled(draw, &[1, 2, 4, 4], &[2, 2], &[1, 4], &ROI[..4]);
    } else {
        pooled(draw, &[1, 2, 4, 4], &[2, 2], &[5], &ROI);
    }
}

pub fn max_roi_pool_batch_indices_in_range(draw: &mut Draw) {
    let mut roi = ROI;
    roi[0] = draw.way_of(&[1.0, -1.0, 7.0]);
    pooled(draw, &[1, 2, 4, 4], &[2, 2], &[1, 5], &roi);
}

pub fn roi_align(draw: &mut Draw) {
    let [batches, _, height, width] = image(draw);
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
    let scale = scale(draw);
    let count = regions(draw);
    let shift = if half_pixel { 0.5 } else { 0.0 };
    let (mut rois, mut indices) = (Vec::new(), Vec::new());
    for _ in 0..count {
        indices.push(draw.below(batches) as i64);
        let steps = draw.choose(&[1, 4, 10]);
        let ((top, bottom), (left, right)) = (corners(draw, height - 1, steps), corners(draw, width - 1, steps));
        let mut roi = [left, top, right, bottom].map(|x| (x + shift) / scale);
        if draw.once_in(8) {
            draw.feature("a region outside");
            roi[2] += 2.0 / scale;
        }
        rois.extend(roi);
    }
    numbers(draw, "rois", &[count, 4], &rois);
    draw.input("batch_indices", Tensor::from_i64s(&indices));
}

fn aligned(draw: &mut Draw, shape: &[usize], rois: &[usize], indices: &[i64]) {
    draw.tensor("X", shape, Values::Moderate);
    let count: usize = rois.iter().product();
    numbers(draw, "rois", rois, &[[0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 2.0]].concat()[..count]);
    draw.input("batch_indices", Tensor::from_i64s(indices));
}

pub fn roi_align_rank_four(draw: &mut Draw) {
    let shape: &[usize] = draw.way_of(&[&[1, 2, 4][..], &[1, 2, 4, 4, 4]]);
    aligned(draw, shape, &[1, 4], &[0]);
}

pub fn roi_align_rois_shape_fits(draw: &mut Draw) {
    if draw.way(2) == 1 {
        aligned(draw, &[1, 2, 4, 4], &[1, 3], &[0])
    } else {
        aligned(draw, &[1, 2, 4, 4], &[4], &[0])
    }
}

pub fn roi_align_batch_indices_fit_rois(draw: &mut Draw) {
    let indices: &[i64] = draw.way_of(&[&[0][..], &[0, 0, 0], &[]]);
    aligned(draw, &[1, 2, 4, 4], &[2, 4], indices);
}

pub fn roi_align_batch_indices_in_range(draw: &mut Draw) {
    let index = draw.beyond(0, 0);
    aligned(draw, &[1, 2, 4, 4], &[1, 4], &[index]);
}

pub fn roi_align_mode_known(draw: &mut Draw) {
    let mode = draw.way_of(&["average", "MAX", ""]);
    draw.string_attribute("mode", mode);
    aligned(draw, &[1, 2, 4, 4], &[1, 4], &[0]);
}

pub fn roi_align_transformation_mode_known(draw: &mut Draw) {
    if draw.since() < 16 {
        return draw.decline();
    }
    let mode = draw.way_of(&["pixel", "HALF_PIXEL", ""]);
    draw.string_attribute("coordinate_transformation_mode", mode);
    aligned(draw, &[1, 2, 4, 4], &[1, 4], &[0]);
}
