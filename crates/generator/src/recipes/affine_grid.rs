//! Draws matrices for images and volumes, and an output size with spatial extents that are mostly from 2 to 6. An axis
//! of one element is more frequent without aligned corners than with them.

use crate::prelude::*;

pub fn affine_grid(draw: &mut Draw) {
    let mut batch = draw.range(1..=2) as usize;
    if draw.once_in(16) {
        draw.feature("no matrix");
        batch = 0;
    }
    let spatial = if draw.flag() { vec![3, 2, 5] } else { vec![4, 3] };
    let axes = spatial.len();
    draw.feature(if axes == 2 { "images" } else { "volumes" });
    let aligned = draw.turn_attribute("align_corners", &[1, 0, 1]);
    aligned.into_iter().for_each(|aligned| draw.int_attribute("align_corners", aligned));
    let values = draw.choose(&[Values::Around(-1.5, 1.5), Values::Integers, Values::Moderate]);
    draw.tensor("theta", &[batch, axes, axes + 1], values);
    let mut size = vec![batch as i64, draw.range(1..=3)];
    for &extent in &spatial {
        let usual = (extent + draw.range(-1..=1)).max(2) as usize;
        size.push(draw.extent(usual, 2 * 8usize.pow(axes as u32 - 1)) as i64);
    }
    // With aligned corners, the specification decides little about an axis of one element, so it is less frequent then.
    let single = match aligned {
        Some(1) => draw.once_in(4),
        _ => draw.turn(&[false, false, true, false, true]),
    };
    if single {
        draw.feature("an axis of one element");
        let axis = draw.below(axes);
        size[2 + axis] = 1;
    }
    draw.ints("size", &size);
}

pub fn theta_shape_fits(draw: &mut Draw) {
    let shape =
        draw.way_of(&[vec![1, 2, 4], vec![1, 3, 3], vec![1, 2, 2], vec![1, 1, 3], vec![2, 3], vec![1, 2, 3, 1]]);
    draw.tensor("theta", &shape, Values::Integers);
    draw.ints("size", &[1, 1, 2, 3]);
}

pub fn size_fits_theta(draw: &mut Draw) {
    draw.tensor("theta", &[1, 2, 3], Values::Integers);
    let size = draw.way_of(&[
        vec![1, 1, 2],
        vec![1, 1, 2, 3, 4],
        vec![2, 1, 2, 3],
        vec![1, 1, 2, -1],
        vec![1, 1, -1, 3],
        vec![1, -1, 2, 3],
    ]);
    draw.ints("size", &size);
}
