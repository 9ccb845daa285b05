//! Recipes for AveragePool, MaxPool and LpPool.

use super::conv::as_ints;
use super::windows::{Spatial, bad_auto_pad, bad_numbers, pads_twice, rank, spatial};
use crate::draw::Draw;
use crate::values::Values;
use plumbline_spec::AttributeKind;

/// Gives a tensor over which windows slide, and the attributes of the windows.
fn pooled(draw: &mut Draw, values: &[Values]) -> Spatial {
    let rank = rank(draw);
    let spatial = spatial(draw, rank, true);
    draw.ints_attribute("kernel_shape", &as_ints(&spatial.kernel));
    let mut channels = [draw.choose(&[1, 2]), draw.choose(&[2, 1, 3])];
    let work = [&spatial.extents[..], &spatial.kernel].concat().iter().product();
    draw.enlarge(&mut channels, work);
    if draw.once_in(16) {
        let at = draw.below(2);
        channels[at] = 0;
        draw.feature("no channels");
    }
    let values = draw.choose(values);
    draw.tensor("X", &[&channels[..], &spatial.extents].concat(), values);
    spatial
}

pub fn average_pool(draw: &mut Draw) {
    pooled(draw, &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Integers, Values::Finite, Values::Any]);
    if draw.give_attribute("count_include_pad") {
        let include = draw.range(0..=1);
        draw.int_attribute("count_include_pad", include);
        if include == 1 {
            draw.feature("padding counts");
        }
    }
}

pub fn max_pool(draw: &mut Draw) {
    pooled(draw, &[Values::Moderate, Values::Integers, Values::Any, Values::Finite]);
    let mut outputs = vec![true];
    if draw.version().output("Indices").is_some() {
        outputs.push(draw.turn(&[false, true, true, false]));
        if outputs[1] {
            draw.feature("indices");
        }
    }
    if let Some(order) = draw.turn_attribute("storage_order", &[1, 0, 1]) {
        draw.int_attribute("storage_order", order);
        if order == 1 && outputs.get(1) == Some(&true) {
            draw.feature("columns first");
        }
    }
    draw.outputs(&outputs);
}

/// Gives the exponent of the norm.
pub(super) fn exponent(draw: &mut Draw) {
    if !draw.give_attribute("p") {
        return;
    }
    let p = draw.choose(&[2, 1, 3, 4]);
    match p {
        1 => draw.feature("the 1-norm"),
        2 => {}
        _ => draw.feature("another norm"),
    }
    if draw.version().attribute("p").is_some_and(|a| a.kind == AttributeKind::Float) {
        draw.float_attribute("p", if p == 4 { 1.5 } else { p as f32 });
    } else {
        draw.int_attribute("p", p);
    }
}

pub fn lp_pool(draw: &mut Draw) {
    exponent(draw);
    if draw.since() == 1 && draw.once_in(10) {
        draw.feature("no kernel_shape");
        let shape = draw.full_shape(3..=5);
        draw.tensor("X", &shape, Values::Moderate);
        return;
    }
    pooled(draw, &[Values::Moderate, Values::Between(-1.0, 1.0), Values::Integers, Values::Finite, Values::Any]);
}

/// Gives a tensor with two spatial axes and this kernel.
fn plain(draw: &mut Draw, kernel: &[i64]) {
    draw.ints_attribute("kernel_shape", kernel);
    draw.tensor("X", &[1, 2, 5, 4], Values::Moderate);
    draw.outputs(&[true]);
}

fn pool_input_has_spatial_axes(draw: &mut Draw) {
    let shape: &[usize] = draw.way_of(&[&[2, 3][..], &[3], &[]]);
    draw.ints_attribute("kernel_shape", &[]);
    draw.tensor("X", shape, Values::Moderate);
    draw.outputs(&[true]);
}

fn pool_window_attributes_valid(draw: &mut Draw) {
    let kernel = bad_numbers(draw, 2);
    plain(draw, &kernel);
}

fn pool_auto_pad_known(draw: &mut Draw) {
    bad_auto_pad(draw);
    plain(draw, &[2, 2]);
}

fn pool_pads_without_auto_pad(draw: &mut Draw) {
    pads_twice(draw, 2);
    plain(draw, &[2, 2]);
}

fn pool_window_fits_axis(draw: &mut Draw) {
    let mut kernel = [2, 2];
    let at = draw.way(2);
    // A kernel larger by one leaves no window, and the output extent 0 is valid.
    kernel[at] = [5, 4][at] + if draw.once_in(4) { 3 } else { 2 };
    plain(draw, &kernel);
}

pub fn average_pool_input_has_spatial_axes(draw: &mut Draw) {
    pool_input_has_spatial_axes(draw);
}

pub fn average_pool_window_attributes_valid(draw: &mut Draw) {
    pool_window_attributes_valid(draw);
}

pub fn average_pool_auto_pad_known(draw: &mut Draw) {
    pool_auto_pad_known(draw);
}

pub fn average_pool_pads_without_auto_pad(draw: &mut Draw) {
    pool_pads_without_auto_pad(draw);
}

pub fn average_pool_window_fits_axis(draw: &mut Draw) {
    pool_window_fits_axis(draw);
}

pub fn max_pool_input_has_spatial_axes(draw: &mut Draw) {
    pool_input_has_spatial_axes(draw);
}

pub fn max_pool_window_attributes_valid(draw: &mut Draw) {
    pool_window_attributes_valid(draw);
}

pub fn max_pool_auto_pad_known(draw: &mut Draw) {
    pool_auto_pad_known(draw);
}

pub fn max_pool_pads_without_auto_pad(draw: &mut Draw) {
    pool_pads_without_auto_pad(draw);
}

pub fn max_pool_window_fits_axis(draw: &mut Draw) {
    pool_window_fits_axis(draw);
}

pub fn lp_pool_input_has_spatial_axes(draw: &mut Draw) {
    pool_input_has_spatial_axes(draw);
}

pub fn lp_pool_window_attributes_valid(draw: &mut Draw) {
    pool_window_attributes_valid(draw);
}

pub fn lp_pool_auto_pad_known(draw: &mut Draw) {
    pool_auto_pad_known(draw);
}

pub fn lp_pool_pads_without_auto_pad(draw: &mut Draw) {
    pool_pads_without_auto_pad(draw);
}

pub fn lp_pool_window_fits_axis(draw: &mut Draw) {
    pool_window_fits_axis(draw);
}
