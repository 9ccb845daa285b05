//! Draws whole and one-sided transforms of real and complex samples, and their inverses. The transform is as long as
//! the axis, shorter, or longer.

use crate::families::fourier;
use crate::prelude::*;

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
    draw.limit_extents(1025);
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
    let values = fourier::samples(draw);
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
    let needs_length = inverse && onesided && extent == 1;
    if needs_length || draw.give_input("dft_length") {
        let length = match draw.below(3) {
            0 if !needs_length => extent,
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
    let written = axis as i64 - if from_back { rank as i64 } else { 0 };
    let as_attribute = draw.has_attribute("axis") && given;
    let as_input = !as_attribute && draw.has_input("axis") && (axis != rank - 2 || draw.give_input("axis"));
    if from_back && (as_attribute || as_input) {
        draw.feature("negative axis");
    }
    if as_attribute {
        draw.int_attribute("axis", written);
    } else if as_input {
        draw.int_scalar("axis", written);
    }
}

/// Gives a signal of shape `[2, 4, parts]`; each sample has `parts` numbers. With this rank the default axis is 1 in
/// every version.
fn signal(draw: &mut Draw, parts: usize) {
    draw.tensor("input", &[2, 4, parts], Values::Integers);
}

pub fn samples_real_or_complex(draw: &mut Draw) {
    signal(draw, 3);
}

/// Gives the last axis, or an axis out of range.
pub fn axis_in_range(draw: &mut Draw) {
    signal(draw, 1);
    let axis = draw.way_of(&[2, -1, 3, -4, 1000, i64::MAX, i64::MIN]);
    if draw.has_attribute("axis") {
        draw.int_attribute("axis", axis);
    } else {
        draw.int_scalar("axis", axis);
    }
}

pub fn onesided_samples_fit(draw: &mut Draw) {
    let inverse = draw.way(2) == 1;
    signal(draw, if inverse { 1 } else { 2 });
    draw.int_attribute("onesided", 1);
    draw.int_attribute("inverse", i64::from(inverse));
}

pub fn onesided_known(draw: &mut Draw) {
    signal(draw, 1);
    let onesided = draw.way_of(&[2, -1]);
    draw.int_attribute("onesided", onesided);
}

pub fn dft_length_positive(draw: &mut Draw) {
    signal(draw, 1);
    let length = draw.way_of(&[0, -1]);
    draw.int_scalar("dft_length", length);
}
