//! Windows, norms and negative cases of pooling operators.

use plumbline_spec::AttributeKind;

use crate::families::{convolution, sliding_window};
use crate::prelude::*;

/// Gives a tensor of which all spatial axes are pooled.
pub fn global(draw: &mut Draw, values: &[Values]) {
    let shape = draw.shape(3..=5);
    if shape[2..].contains(&0) {
        draw.feature("nothing to pool");
    }
    let values = draw.choose(values);
    draw.tensor("X", &shape, values);
}

/// Gives a tensor without an axis for channels.
pub fn no_channels(draw: &mut Draw) {
    let shape = draw.full_shape(0..=1);
    draw.tensor("X", &shape, Values::Moderate);
}

/// Gives a tensor over which windows slide, and the attributes of the windows.
pub fn pooled(draw: &mut Draw, values: &[Values]) -> sliding_window::Spatial {
    let rank = sliding_window::rank(draw);
    let spatial = sliding_window::spatial(draw, rank, true);
    draw.ints_attribute("kernel_shape", &convolution::as_ints(&spatial.kernel));
    let mut channels = [draw.choose(&[1, 2]), draw.choose(&[2, 1, 3])];
    let work = [&spatial.extents[..], &spatial.kernel].concat().iter().product();
    draw.enlarge(&mut channels, work);
    if draw.once_in(16) {
        let at = draw.below(2);
        channels[at] = 0;
        if at == 1 {
            draw.feature("no channels");
        }
    }
    let values = draw.choose(values);
    draw.tensor("X", &[&channels[..], &spatial.extents].concat(), values);
    spatial
}

/// Gives the exponent of the norm.
pub fn exponent(draw: &mut Draw) {
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

/// Gives a tensor with two spatial axes and this kernel.
fn small_image(draw: &mut Draw, kernel: &[i64]) {
    draw.ints_attribute("kernel_shape", kernel);
    draw.tensor("X", &[1, 2, 5, 4], Values::Moderate);
    draw.outputs(&[true]);
}

/// Gives an input without spatial axes.
pub fn input_has_spatial_axes(draw: &mut Draw) {
    let shape: &[usize] = draw.way_of(&[&[2, 3][..], &[3], &[]]);
    draw.ints_attribute("kernel_shape", &[]);
    draw.tensor("X", shape, Values::Moderate);
    draw.outputs(&[true]);
}

/// Gives an attribute of the window with the wrong length or an element out of range.
pub fn window_attributes_valid(draw: &mut Draw) {
    let kernel = sliding_window::wrong_attribute(draw, 2);
    small_image(draw, &kernel);
}

/// Gives an unknown `auto_pad`.
pub fn auto_pad_known(draw: &mut Draw) {
    sliding_window::unknown_auto_pad(draw);
    small_image(draw, &[2, 2]);
}

/// Gives `pads` together with `auto_pad`.
pub fn pads_without_auto_pad(draw: &mut Draw) {
    sliding_window::pads_and_auto_pad(draw, 2);
    small_image(draw, &[2, 2]);
}

/// Gives a window that is larger than the input.
pub fn window_fits_axis(draw: &mut Draw) {
    let mut kernel = [2, 2];
    let at = draw.way(2);
    // A kernel that is larger than the input by only one would give the output extent 0, which is valid.
    kernel[at] = [5, 4][at] + if draw.once_in(4) { 3 } else { 2 };
    small_image(draw, &kernel);
}
