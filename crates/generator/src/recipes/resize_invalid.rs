//! Negative recipes for Resize.

use super::resize::{floats, plain_image};
use crate::draw::Draw;

/// Gives a batch of images and what else Resize requires, except for the scales and sizes.
fn unsized_image(draw: &mut Draw) -> Vec<usize> {
    let shape = plain_image(draw);
    if draw.since() == 11 {
        floats(draw, "roi", &[]);
    }
    shape
}

/// Gives scales of 2, or the sizes that correspond to them.
fn doubled(draw: &mut Draw, by_scales: bool) {
    if by_scales || draw.since() == 10 {
        return floats(draw, "scales", &[1.0, 1.0, 2.0, 2.0]);
    }
    if draw.since() == 11 {
        floats(draw, "scales", &[]);
    }
    draw.ints("sizes", &[1, 2, 6, 4]);
}

pub fn resize_scales_fit_axes(draw: &mut Draw) {
    unsized_image(draw);
    if draw.since() == 10 || draw.way(2) == 1 {
        let scales: &[f64] = if draw.way(2) == 1 { &[1.0, 2.0, 2.0] } else { &[1.0, 1.0, 1.0, 2.0, 2.0] };
        return floats(draw, "scales", scales);
    }
    if draw.since() == 11 {
        floats(draw, "scales", &[]);
    }
    let sizes: &[i64] = draw.way_of(&[&[1, 2, 6][..], &[1, 2, 6, 4, 1]]);
    draw.ints("sizes", sizes);
}

pub fn resize_scales_in_range(draw: &mut Draw) {
    unsized_image(draw);
    let wrong = draw.way_of(&[0.0, -1.0]);
    if draw.since() == 10 || draw.way(2) == 1 {
        return floats(draw, "scales", &[1.0, 1.0, 2.0, wrong]);
    }
    if draw.since() == 11 {
        floats(draw, "scales", &[]);
    }
    let sizes = draw.way_of(&[[1, 2, -1, 4], [1, 2, 6, -1]]);
    draw.ints("sizes", &sizes);
}

/// Gives both scales and sizes, or neither.
pub fn resize_scales_or_sizes_given(draw: &mut Draw) {
    unsized_image(draw);
    let both = draw.way(2) == 1;
    if both {
        floats(draw, "scales", &[1.0, 1.0, 2.0, 2.0]);
        draw.ints("sizes", &[1, 2, 6, 4]);
    } else if draw.since() == 11 {
        floats(draw, "scales", &[]);
    }
}

pub fn resize_modes_known(draw: &mut Draw) {
    unsized_image(draw);
    let names: &[(&str, &str)] = match draw.since() {
        10 => &[("mode", "cubic"), ("mode", "area")],
        11 => {
            &[("mode", "area"), ("coordinate_transformation_mode", "half_pixel_symmetric"), ("nearest_mode", "round")]
        }
        13 => {
            &[("mode", "area"), ("coordinate_transformation_mode", "tf_half_pixel_for_nn"), ("nearest_mode", "round")]
        }
        _ => &[
            ("mode", "area"),
            ("coordinate_transformation_mode", "tf_half_pixel_for_nn"),
            ("nearest_mode", "round"),
            ("keep_aspect_ratio_policy", "keep"),
        ],
    };
    let (attribute, name) = draw.way_of(names);
    draw.string_attribute(attribute, name);
    doubled(draw, attribute != "keep_aspect_ratio_policy");
}

pub fn resize_axes_in_range(draw: &mut Draw) {
    unsized_image(draw);
    let axis = draw.bad_axis(4, true);
    draw.ints_attribute("axes", &[axis]);
    floats(draw, "scales", &[2.0]);
}

/// Gives no region of interest, or one for too few axes.
pub fn resize_roi_fits_axes(draw: &mut Draw) {
    plain_image(draw);
    draw.string_attribute("coordinate_transformation_mode", "tf_crop_and_resize");
    if draw.since() == 11 || draw.way(2) == 1 {
        let roi: &[f64] = if draw.way(2) == 1 { &[] } else { &[0.0, 0.0, 1.0, 1.0] };
        floats(draw, "roi", roi);
    }
    doubled(draw, true);
}
