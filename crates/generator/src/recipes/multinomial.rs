//! Draws unnormalized logarithms of probabilities for up to eight classes, and from one sample to thousands.

use crate::families::random;
use crate::prelude::*;

pub fn multinomial(draw: &mut Draw) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let rows = if draw.once_in(16) { 0 } else { draw.range(1..=3) as usize };
    if rows == 0 {
        draw.feature("no rows");
    }
    let classes = draw.choose(&[3, 1, 2, 5, 8]);
    let logs: Vec<f64> = draw.block(rows * classes, 25).into_iter().map(|l| (l as f64 - 12.0) / 4.0).collect();
    draw.input("input", random::repeated(input, &[rows, classes], &logs));
    let large = draw.large_sample();
    if large || draw.give_attribute("sample_size") {
        let samples = if large { 100_000 } else { draw.choose(&[1, 7, 1000, 3000]) };
        if samples >= 1000 {
            draw.feature("many samples of a row");
        }
        draw.int_attribute("sample_size", samples);
    }
    random::dtype_attribute(draw, output, Some(DType::Int32));
    random::seed(draw);
}

pub fn rank_two(draw: &mut Draw) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let shape = draw.way_of(&[&[3][..], &[1, 1, 3]]);
    draw.input("input", random::repeated(input, shape, &[0.5]));
    random::dtype_attribute(draw, output, None);
}

pub fn dtype_allowed(draw: &mut Draw) {
    let input = draw.dtype("T1");
    draw.input("input", random::repeated(input, &[1, 3], &[0.5]));
    let bad = draw.foreign_code_or_zero(&[DType::Float]);
    draw.int_attribute("dtype", bad);
    draw.declare(bad);
}

pub fn sample_size_non_negative(draw: &mut Draw) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    draw.input("input", random::repeated(input, &[1, 3], &[0.5]));
    random::dtype_attribute(draw, output, None);
    let size = draw.under(0);
    draw.int_attribute("sample_size", size);
}
