//! Draws data with and without training, ratios from 0 to 3/4, and large samples without zeros, in which dropped
//! elements can be counted.

use crate::families::random;
use crate::prelude::*;

/// Gives the data of a Dropout. If elements are dropped at random, half of the cases have a larger sample without
/// zeros.
fn data(draw: &mut Draw, random: bool) {
    let dtype = draw.dtype("T");
    let large = random && draw.large_sample();
    if large || random && draw.flag() {
        draw.feature("a large sample");
        let shapes = if large {
            [vec![100_000], vec![250, 400], vec![10, 100, 101]]
        } else {
            [vec![1000], vec![30, 40], vec![5, 6, 7, 8]]
        };
        let shape = draw.choose(&shapes);
        draw.input("data", random::repeated(dtype, &shape, &[1.0, -2.0, 0.5, 3.0]));
    } else {
        let shape = draw.shape(0..=6);
        draw.tensor("data", &shape, Values::Any);
    }
}

fn name_outputs(draw: &mut Draw) {
    let mask = draw.flag();
    draw.feature(if mask { "with a mask" } else { "without a mask" });
    draw.outputs(if mask { &[true, true] } else { &[true] });
}

pub fn dropout(draw: &mut Draw) {
    if draw.since() < 12 {
        let is_test = draw.give_attribute("is_test");
        let test = is_test && draw.flag();
        data(draw, draw.since() < 7 && !test);
        if is_test {
            draw.int_attribute("is_test", i64::from(test));
        }
        if draw.give_attribute("ratio") {
            let ratio = draw.choose(&[0.25, 0.75, 0.0, 0.5]);
            draw.float_attribute("ratio", ratio);
        }
        name_outputs(draw);
        draw.legacy();
        return;
    }
    let training = draw.flag();
    data(draw, training);
    if draw.give_input("ratio") {
        // Without training the ratio has no effect.
        let ratio = draw.choose(&[0.25, 0.75, 0.0, 0.5]);
        if training && ratio == 0.0 {
            draw.feature("nothing to drop");
        }
        let dtype = draw.dtype("T1");
        draw.input("ratio", random::repeated(dtype, &[], &[ratio]));
    }
    if training || draw.give_input("training_mode") {
        let mode = Tensor::from_i128s(DType::Bool, vec![], &[i128::from(training)])
            .expect("a tensor of one element has one value");
        draw.input("training_mode", mode);
        if training {
            draw.feature("training");
        }
    }
    if draw.give_attribute("seed") {
        let seed = draw.choose(&[1, 0, -2, 1000, i64::MAX, i64::MIN]);
        draw.int_attribute("seed", seed);
    }
    name_outputs(draw);
}

fn training_inputs(draw: &mut Draw, ratio: Tensor, mode: Tensor) {
    let dtype = draw.dtype("T");
    draw.input("data", random::repeated(dtype, &[4], &[1.0]));
    draw.input("ratio", ratio);
    draw.input("training_mode", mode);
    draw.outputs(&[true]);
}

fn true_of_rank(rank: usize) -> Tensor {
    Tensor::from_i128s(DType::Bool, vec![1; rank], &[1]).expect("a tensor of one element has one value")
}

pub fn ratio_attribute_in_range(draw: &mut Draw) {
    draw.tensor("data", &[4], Values::Moderate);
    let ratio = draw.way_of(&[1.0, -0.0078125, 2.0]);
    draw.float_attribute("ratio", ratio);
    draw.outputs(&[true]);
}

pub fn ratio_in_range(draw: &mut Draw) {
    let (dtype, ratio) = (draw.dtype("T1"), draw.way_of(&[1.0, -0.0078125, 2.0]));
    training_inputs(draw, random::repeated(dtype, &[], &[ratio]), true_of_rank(0));
}

pub fn ratio_is_scalar(draw: &mut Draw) {
    let dtype = draw.dtype("T1");
    training_inputs(draw, random::repeated(dtype, &[2], &[0.5]), true_of_rank(0));
}

pub fn training_mode_is_scalar(draw: &mut Draw) {
    let dtype = draw.dtype("T1");
    let mode = Tensor::from_i128s(DType::Bool, vec![2], &[1, 1]).expect("two values fill the shape");
    training_inputs(draw, random::repeated(dtype, &[], &[0.5]), mode);
}
