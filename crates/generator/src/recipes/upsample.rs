//! Draws scales of at least 1. Some give a whole extent, and some a fractional one.

use crate::families::resample;
use crate::prelude::*;

pub fn upsample(draw: &mut Draw) {
    let since = draw.since();
    let mut shape = resample::input_shape(draw);
    if since == 1 {
        shape.resize(4, 2);
    }
    let linear = draw.give_attribute("mode") && {
        let linear = resample::can_be_averaged(draw.dtype("T")) && draw.flag();
        let smooth = if since == 1 { "bilinear" } else { "linear" };
        draw.string_attribute("mode", if linear { smooth } else { "nearest" });
        linear
    };
    if draw.once_in(16) {
        shape[0] = 0;
        draw.feature("empty extent");
    }
    resample::input(draw, &shape, !linear);
    let mut target = resample::output_shape(draw, &shape, true);
    target.iter_mut().zip(&shape).filter(|(_, from)| **from == 0).for_each(|(to, _)| *to = 0);
    if since == 1 {
        target[..2].copy_from_slice(&shape[..2]);
    }
    let scales: Vec<f64> = (0..shape.len())
        .map(|a| if target[a] == shape[a] { 1.0 } else { resample::scale(draw, shape[a], target[a]) })
        .collect();
    give_scales(draw, &scales);
}

fn give_scales(draw: &mut Draw, scales: &[f64]) {
    match draw.since() {
        1 => {
            draw.float_attribute("height_scale", scales[2] as f32);
            draw.float_attribute("width_scale", scales[3] as f32);
        }
        7 => draw.floats_attribute("scales", &scales.iter().map(|&s| s as f32).collect::<Vec<_>>()),
        _ => resample::float_list(draw, "scales", scales),
    }
}

pub fn scales_fit_axes(draw: &mut Draw) {
    resample::small_image(draw);
    let scales: &[f64] = if draw.way(2) == 1 { &[1.0, 1.0, 2.0] } else { &[1.0, 1.0, 2.0, 1.0, 2.0] };
    give_scales(draw, scales);
}

pub fn scales_in_range(draw: &mut Draw) {
    resample::small_image(draw);
    let wrong = draw.way_of(&[0.5, 0.0, -1.0]);
    give_scales(draw, &[1.0, 1.0, 2.0, wrong]);
}

pub fn rank_four(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3, 2], vec![1, 1, 2, 2, 2]]);
    draw.tensor("X", &shape, Values::Integers);
    give_scales(draw, &[1.0, 1.0, 2.0, 2.0]);
}

pub fn mode_known(draw: &mut Draw) {
    resample::small_image(draw);
    draw.string_attribute("mode", "cubic");
    give_scales(draw, &[1.0, 1.0, 2.0, 2.0]);
}
