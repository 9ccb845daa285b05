//! Draws frames of up to nine real or complex samples, or one frame of all samples, with and without a window, for
//! whole and one-sided spectra.

use crate::families::fourier;
use crate::prelude::*;

pub fn stft(draw: &mut Draw) {
    let complex = draw.flag();
    let onesided = !complex && draw.flag();
    draw.feature(if complex { "complex samples" } else { "real samples" });
    let batch = if draw.once_in(20) { 0 } else { draw.range(1..=2) as usize };
    if batch == 0 {
        draw.feature("no signals");
    }
    let length = draw.choose(&[8, 5, 12, 17, 3]);
    let length = draw.extent(length, 9 * batch.max(1));
    let parts = if complex { 2 } else { 1 };
    let values = fourier::samples(draw);
    draw.tensor("signal", &[batch, length, parts], values);
    let frame = draw.range(1..=length.min(9) as i64);
    let step = draw.range(1..=4);
    draw.int_scalar("frame_step", step);
    let with_window = draw.give_input("window");
    if with_window {
        let values = draw.choose(&[Values::Between(0.0, 1.0), Values::Between(-1.0, 1.0)]);
        draw.tensor("window", &[frame as usize], values);
    }
    let with_length = draw.give_input("frame_length");
    if (with_window || with_length) && (length as i64 - frame) % step != 0 {
        draw.feature("a frame that is not full");
    }
    if with_length {
        draw.int_scalar("frame_length", frame);
    } else if !with_window {
        draw.feature("one frame of all samples");
    }
    // The default is 1, which is invalid for complex samples.
    if !onesided || draw.give_attribute("onesided") {
        draw.int_attribute("onesided", i64::from(onesided));
    }
}

fn plain_signal(draw: &mut Draw, shape: &[usize], step: i64) {
    draw.tensor("signal", shape, Values::Integers);
    draw.int_scalar("frame_step", step);
}

pub fn samples_real_or_complex(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![8, 1], vec![1, 8, 3], vec![1, 1, 8, 1], vec![1, 8, 0]]);
    plain_signal(draw, &shape, 2);
    draw.int_scalar("frame_length", 4);
}

pub fn frame_step_positive(draw: &mut Draw) {
    let step = draw.way_of(&[0, -1]);
    plain_signal(draw, &[1, 8, 1], step);
    draw.int_scalar("frame_length", 4);
}

/// Gives a window that is shorter or longer than the frame, or a window of rank 2.
pub fn window_fits_frame(draw: &mut Draw) {
    plain_signal(draw, &[1, 8, 1], 2);
    let dtype = draw.input_dtype("signal");
    let shape = draw.way_of(&[vec![3], vec![5], vec![4, 1]]);
    let count = shape.iter().product();
    draw.input(
        "window",
        Tensor::from_f64s(dtype, shape, &vec![1.0; count]).expect("there are as many values as the shape has elements"),
    );
    draw.int_scalar("frame_length", 4);
}

pub fn onesided_samples_fit(draw: &mut Draw) {
    plain_signal(draw, &[1, 8, 2], 2);
    draw.int_scalar("frame_length", 4);
    if draw.way(2) == 1 {
        draw.int_attribute("onesided", 1);
    }
}

pub fn onesided_known(draw: &mut Draw) {
    plain_signal(draw, &[1, 8, 1], 2);
    draw.int_scalar("frame_length", 4);
    let onesided = draw.way_of(&[2, -1]);
    draw.int_attribute("onesided", onesided);
}

pub fn frame_fits_signal(draw: &mut Draw) {
    plain_signal(draw, &[1, 8, 1], 2);
    let length = draw.way_of(&[9, 0, -1]);
    draw.int_scalar("frame_length", length);
}
