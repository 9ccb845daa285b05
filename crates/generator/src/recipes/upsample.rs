//! Recipes for Upsample.

use super::resize::{averages, data, floats, image, plain_image, scale, targets};
use crate::draw::Draw;
use crate::values::Values;

pub fn upsample(draw: &mut Draw) {
    let since = draw.since();
    let mut shape = image(draw);
    if since == 1 {
        shape.resize(4, 2);
    }
    let linear = draw.give_attribute("mode") && {
        let linear = averages(draw.dtype("T")) && draw.flag();
        let smooth = if since == 1 { "bilinear" } else { "linear" };
        draw.string_attribute("mode", if linear { smooth } else { "nearest" });
        linear
    };
    if draw.once_in(16) {
        shape[0] = 0;
        draw.feature("empty extent");
    }
    data(draw, &shape, !linear);
    let mut target = targets(draw, &shape, true);
    target.iter_mut().zip(&shape).filter(|(_, from)| **from == 0).for_each(|(to, _)| *to = 0);
    if since == 1 {
        target[..2].copy_from_slice(&shape[..2]);
    }
    let scales: Vec<f64> =
        (0..shape.len()).map(|a| if target[a] == shape[a] { 1.0 } else { scale(draw, shape[a], target[a]) }).collect();
    give_scales(draw, &scales);
}

fn give_scales(draw: &mut Draw, scales: &[f64]) {
    match draw.since() {
        1 => {
            draw.float_attribute("height_scale", scales[2] as f32);
            draw.float_attribute("width_scale", scales[3] as f32);
        }
        7 => draw.floats_attribute("scales", &scales.iter().map(|&s| s as f32).collect::<Vec<_>>()),
        _ => floats(draw, "scales", scales),
    }
}

pub fn upsample_scales_fit_axes(draw: &mut Draw) {
    plain_image(draw);
    let scales: &[f64] = if draw.way(2) == 1 { &[1.0, 1.0, 2.0] } else { &[1.0, 1.0, 2.0, 1.0, 2.0] };
    give_scales(draw, scales);
}

pub fn upsample_scales_in_range(draw: &mut Draw) {
    plain_image(draw);
    let wrong = draw.way_of(&[0.5, 0.0, -1.0]);
    give_scales(draw, &[1.0, 1.0, 2.0, wrong]);
}

pub fn upsample_rank_four(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![2, 3, 2], vec![1, 1, 2, 2, 2]]);
    draw.tensor("X", &shape, Values::Integers);
    give_scales(draw, &[1.0, 1.0, 2.0, 2.0]);
}

pub fn upsample_mode_known(draw: &mut Draw) {
    plain_image(draw);
    draw.string_attribute("mode", "cubic");
    give_scales(draw, &[1.0, 1.0, 2.0, 2.0]);
}
