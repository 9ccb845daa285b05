//! Recipes for DFT and STFT.

use plumbline_tensor::Tensor;

use crate::draw::Draw;
use crate::values::Values;

fn samples(draw: &mut Draw) -> Values {
    match draw.below(8) {
        0..=3 => Values::Between(-1.0, 1.0),
        4 | 5 => Values::Integers,
        6 => Values::Moderate,
        _ => Values::Mostly(-10.0, 10.0),
    }
}

pub fn dft(draw: &mut Draw) {
    let (inverse, onesided) = (draw.flag(), draw.flag());
    let mut shape = draw.full_shape(1..=3);
    let rank = shape.len() + 1;
    let mut axis = draw.axis(rank - 1, false) as usize;
    let given = draw.since() >= 20 || draw.give_attribute("axis");
    if !given {
        // The default axis is 1, which must not be the last dimension.
        while shape.len() < 2 {
            shape.push(3);
        }
        axis = 1;
    }
    let rank = shape.len() + 1;
    shape[axis] = draw.choose(&[4, 3, 8, 5, 6, 7, 1, 12]);
    draw.at_most(1025);
    let mut others: Vec<usize> = shape.clone();
    others.remove(axis);
    // Each element of the result is a sum over the whole axis.
    shape[axis] = draw.extent(shape[axis], 16 * others.iter().product::<usize>());
    if rank > 2 && draw.once_in(20) {
        let other = (axis + 1) % (rank - 1);
        shape[other] = 0;
        draw.feature("empty extent");
    }
    while !draw.is_larger() && shape.iter().product::<usize>() > 60 {
        let other = (0..shape.len()).filter(|&a| a != axis).max_by_key(|&a| shape[a]).unwrap_or(0);
        if other == axis || shape[other] == 1 {
            break;
        }
        shape[other] -= 1;
    }
    let extent = shape[axis];
    let complex = if onesided { inverse } else { draw.flag() };
    draw.feature(if complex { "complex samples" } else { "real samples" });
    shape.push(if complex { 2 } else { 1 });
    let values = samples(draw);
    draw.tensor("input", &shape, values);
    for (name, value) in [("inverse", inverse), ("onesided", onesided)] {
        // The default is 0, so the attribute is always given for 1 and sometimes for 0.
        if value {
            draw.int_attribute(name, 1);
            draw.feature(if name == "inverse" { "an inverse transform" } else { "half of a spectrum" });
        } else if draw.give_attribute(name) {
            draw.int_attribute(name, 0);
        }
    }
    let alone = inverse && onesided && extent == 1;
    if alone || draw.give_input("dft_length") {
        let length = match draw.below(3) {
            0 if !alone => extent,
            1 if extent > 2 => {
                draw.feature("fewer samples than there are");
                extent - 1 - draw.below(extent - 2)
            }
            _ => {
                draw.feature("more samples than there are");
                extent + 1 + draw.below(3)
            }
        };
        draw.int_scalar("dft_length", length as i64);
        if inverse && onesided && extent > length / 2 + 1 {
            draw.feature("more than half of a spectrum");
        }
    }
    let from_back = draw.flag();
    if from_back {
        draw.feature("negative axis");
    }
    let written = axis as i64 - if from_back { rank as i64 } else { 0 };
    if draw.has_attribute("axis") && given {
        draw.int_attribute("axis", written);
    } else if draw.has_input("axis") && (axis != rank - 2 || draw.give_input("axis")) {
        draw.int_scalar("axis", written);
    }
}

/// Gives a signal of shape `[2, 4, parts]`; each sample has `parts` numbers. With this rank the default axis is 1 in
/// every version.
fn signal(draw: &mut Draw, parts: usize) {
    draw.tensor("input", &[2, 4, parts], Values::Integers);
}

pub fn dft_samples_real_or_complex(draw: &mut Draw) {
    signal(draw, 3);
}

/// Gives the last axis, or an axis out of range.
pub fn dft_axis_in_range(draw: &mut Draw) {
    signal(draw, 1);
    let axis = draw.way_of(&[2, -1, 3, -4, 1000, i64::MAX, i64::MIN]);
    if draw.has_attribute("axis") {
        draw.int_attribute("axis", axis);
    } else {
        draw.int_scalar("axis", axis);
    }
}

pub fn dft_onesided_samples_fit(draw: &mut Draw) {
    let inverse = draw.way(2) == 1;
    signal(draw, if inverse { 1 } else { 2 });
    draw.int_attribute("onesided", 1);
    draw.int_attribute("inverse", i64::from(inverse));
}

pub fn dft_dft_length_positive(draw: &mut Draw) {
    signal(draw, 1);
    let length = draw.way_of(&[0, -1]);
    draw.int_scalar("dft_length", length);
}

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
    let values = samples(draw);
    draw.tensor("signal", &[batch, length, parts], values);
    let frame = draw.range(1..=length.min(9) as i64);
    let step = draw.range(1..=4);
    draw.int_scalar("frame_step", step);
    if (length as i64 - frame) % step != 0 {
        draw.feature("a frame that is not full");
    }
    let with_window = draw.give_input("window");
    if with_window {
        let values = draw.choose(&[Values::Between(0.0, 1.0), Values::Between(-1.0, 1.0)]);
        draw.tensor("window", &[frame as usize], values);
    }
    if draw.give_input("frame_length") {
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

pub fn stft_samples_real_or_complex(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![8, 1], vec![1, 8, 3], vec![1, 1, 8, 1], vec![1, 8, 0]]);
    plain_signal(draw, &shape, 2);
    draw.int_scalar("frame_length", 4);
}

pub fn stft_frame_step_positive(draw: &mut Draw) {
    let step = draw.way_of(&[0, -1]);
    plain_signal(draw, &[1, 8, 1], step);
    draw.int_scalar("frame_length", 4);
}

/// Gives a window of another length, or of rank 2.
pub fn stft_window_fits_frame(draw: &mut Draw) {
    plain_signal(draw, &[1, 8, 1], 2);
    let dtype = draw.input_dtype("signal");
    let shape = draw.way_of(&[vec![3], vec![5], vec![4, 1]]);
    let count = shape.iter().product();
    draw.input("window", Tensor::from_f64s(dtype, shape, &vec![1.0; count]).expect("as many values"));
    draw.int_scalar("frame_length", 4);
}

pub fn stft_onesided_samples_fit(draw: &mut Draw) {
    plain_signal(draw, &[1, 8, 2], 2);
    draw.int_scalar("frame_length", 4);
    if draw.way(2) == 1 {
        draw.int_attribute("onesided", 1);
    }
}

pub fn stft_frame_fits_signal(draw: &mut Draw) {
    plain_signal(draw, &[1, 8, 1], 2);
    let length = draw.way_of(&[9, 0, -1]);
    draw.int_scalar("frame_length", length);
}
