//! Draws extents that crop an axis, pad it, or leave nothing of it.

use crate::prelude::*;

pub fn center_crop_pad(draw: &mut Draw) {
    let shape = draw.shape(1..=4);
    draw.tensor("input_data", &shape, Values::Any);
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    if draw.give_attribute("axes") {
        let back;
        (axes, back) = draw.some_axes(shape.len());
        draw.ints_attribute("axes", &back);
    }
    let mut extents = Vec::new();
    for axis in axes {
        let extent = shape[axis] as i64;
        let wanted = draw.range((extent - 4).max(0)..=extent + 3);
        if wanted < extent {
            draw.feature("cropped");
        }
        if wanted > extent {
            draw.feature("padded");
        }
        if wanted == 0 && extent > 0 {
            draw.feature("nothing is left");
        }
        extents.push(wanted);
    }
    draw.ints("shape", &extents);
}

fn plain(draw: &mut Draw) {
    draw.tensor("input_data", &[3, 4], Values::Any);
}

pub fn shape_fits_axes(draw: &mut Draw) {
    plain(draw);
    let shape = draw.way_of(&[vec![2], vec![2, 2, 2]]);
    draw.ints("shape", &shape);
}

pub fn axes_in_range(draw: &mut Draw) {
    plain(draw);
    let axis = draw.bad_axis(2, true);
    draw.ints_attribute("axes", &[axis]);
    draw.ints("shape", &[2]);
}

pub fn extents_non_negative(draw: &mut Draw) {
    plain(draw);
    let mut shape = [2, 2];
    let at = draw.way(2);
    shape[at] = draw.under(0);
    draw.ints("shape", &shape);
}
