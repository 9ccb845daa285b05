//! Recipes for operators with random outputs, and Dropout.

use plumbline_spec::TypeStr;
use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::values::Values;

/// Draws a shape for a random output: a small one of any rank, or one that is large enough to tell distributions apart.
fn shape(draw: &mut Draw) -> Vec<usize> {
    if draw.flag() {
        draw.feature("a large sample");
        return draw.choose(&[vec![1000], vec![30, 40], vec![5, 6, 7, 8], vec![2500]]);
    }
    draw.shape(0..=5)
}

fn seed(draw: &mut Draw) {
    if draw.give_attribute("seed") {
        let seed = draw.choose(&[1.0, 0.0, -3.5, 12345.0, 1e30]);
        draw.float_attribute("seed", seed);
    }
}

fn normal(draw: &mut Draw) {
    if draw.give_attribute("mean") {
        let mean = draw.choose(&[2.0, -1.5, 0.0, 100.0]);
        draw.float_attribute("mean", mean);
    }
    if draw.give_attribute("scale") {
        let scale = draw.choose(&[2.0, 0.5, 1.0, 30.0]);
        draw.float_attribute("scale", scale);
    }
    seed(draw);
}

fn uniform(draw: &mut Draw) {
    let (low, high) = (draw.give_attribute("low"), draw.give_attribute("high"));
    if low {
        let low = draw.choose(&[-1.0, 0.5, -10.0]);
        draw.float_attribute("low", low);
    }
    if high {
        let high = draw.choose(&[2.0, 1.0, 20.0]);
        draw.float_attribute("high", high);
    }
    seed(draw);
}

/// Gives the attribute `dtype`. It may be left out if the output has the type `fallback`.
fn dtype(draw: &mut Draw, output: DType, fallback: Option<DType>) {
    if fallback != Some(output) || draw.give() {
        draw.int_attribute("dtype", i64::from(output.code()));
    }
}

fn of_shape(draw: &mut Draw) {
    let output = draw.dtype("T");
    dtype(draw, output, Some(DType::Float));
    let shape: Vec<i64> = shape(draw).iter().map(|&e| e as i64).collect();
    draw.ints_attribute("shape", &shape);
}

pub fn random_normal(draw: &mut Draw) {
    of_shape(draw);
    normal(draw);
}

pub fn random_uniform(draw: &mut Draw) {
    of_shape(draw);
    uniform(draw);
}

/// Returns the types of the input and of the output. If the cell leaves one open, it is now and then the same as the
/// other, so that `dtype` may be left out.
fn types(draw: &mut Draw) -> (DType, DType) {
    let output = draw.binding.get("T2").map(TypeStr::leaf_dtype);
    let input = match output {
        Some(output) if draw.flag() && draw.bind("T1", output) => output,
        _ => draw.dtype("T1"),
    };
    let output = match output {
        Some(output) => output,
        None if draw.flag() && draw.bind("T2", input) => input,
        None => draw.dtype("T2"),
    };
    (input, output)
}

/// Gives an input of which only the shape and the type matter.
fn like(draw: &mut Draw) {
    let (input, output) = types(draw);
    let shape = shape(draw);
    // Large inputs are filled with zeros, because the elements do not matter.
    if shape.iter().product::<usize>() > 256 {
        let zeros = Tensor::zeros(input, shape).expect("a shape of few elements");
        draw.input("input", zeros);
    } else {
        draw.tensor("input", &shape, Values::Any);
    }
    dtype(draw, output, Some(input));
}

pub fn random_normal_like(draw: &mut Draw) {
    like(draw);
    normal(draw);
}

pub fn random_uniform_like(draw: &mut Draw) {
    like(draw);
    uniform(draw);
}

fn bad_dtype(draw: &mut Draw) {
    let bad = draw.foreign_code_or_zero(&[DType::String, DType::Complex64]);
    draw.int_attribute("dtype", bad);
    draw.declare(bad);
}

pub fn random_normal_dtype_allowed(draw: &mut Draw) {
    bad_dtype(draw);
    draw.ints_attribute("shape", &[3]);
}

pub fn random_uniform_dtype_allowed(draw: &mut Draw) {
    bad_dtype(draw);
    draw.ints_attribute("shape", &[3]);
}

fn bad_shape(draw: &mut Draw) {
    let output = draw.dtype("T");
    dtype(draw, output, None);
    let less = draw.under(0);
    let shape = draw.way_of(&[[3, less], [less, 3]]);
    draw.ints_attribute("shape", &shape);
}

pub fn random_normal_extents_non_negative(draw: &mut Draw) {
    bad_shape(draw);
}

pub fn random_uniform_extents_non_negative(draw: &mut Draw) {
    bad_shape(draw);
}

pub fn random_normal_like_dtype_allowed(draw: &mut Draw) {
    draw.tensor("input", &[3], Values::Any);
    bad_dtype(draw);
}

pub fn random_uniform_like_dtype_allowed(draw: &mut Draw) {
    draw.tensor("input", &[3], Values::Any);
    bad_dtype(draw);
}

/// Returns a tensor that repeats these numbers, for samples that are too large to draw each element.
fn tiled(dtype: DType, shape: &[usize], values: &[f64]) -> Tensor {
    let count = shape.iter().product();
    let values: Vec<f64> = values.iter().copied().cycle().take(count).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("as many values as the shape says")
}

pub fn bernoulli(draw: &mut Draw) {
    let (input, output) = types(draw);
    let shape = shape(draw);
    if shape.iter().product::<usize>() > 256 {
        let probabilities = draw.choose(&[&[0.5][..], &[0.25, 0.75], &[0.0, 1.0, 0.125], &[0.9]]);
        draw.input("input", tiled(input, &shape, probabilities));
    } else {
        draw.tensor("input", &shape, Values::Between(0.0, 1.0));
    }
    dtype(draw, output, Some(input));
    seed(draw);
}

/// Gives a number that is not a probability.
pub fn bernoulli_probability_in_range(draw: &mut Draw) {
    let input = draw.dtype("T1");
    // Numbers just outside of 0 to 1 that every type holds exactly, a larger number, and NaN.
    let bad = draw.way_of(&[1.0078125, -0.0078125, 1.5, f64::NAN]);
    draw.input("input", tiled(input, &[3], &[0.5, bad]));
    let output = draw.dtype("T2");
    dtype(draw, output, None);
}

pub fn bernoulli_dtype_allowed(draw: &mut Draw) {
    let input = draw.dtype("T1");
    draw.input("input", tiled(input, &[3], &[0.5]));
    bad_dtype(draw);
}

pub fn multinomial(draw: &mut Draw) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let rows = if draw.once_in(16) { 0 } else { draw.range(1..=3) as usize };
    if rows == 0 {
        draw.feature("no rows");
    }
    let classes = draw.choose(&[3, 1, 2, 5, 8]);
    let logs: Vec<f64> = draw.block(rows * classes, 25).into_iter().map(|l| (l as f64 - 12.0) / 4.0).collect();
    draw.input("input", tiled(input, &[rows, classes], &logs));
    if draw.give_attribute("sample_size") {
        let samples = draw.choose(&[1, 7, 1000, 3000]);
        if samples >= 1000 {
            draw.feature("many samples of a row");
        }
        draw.int_attribute("sample_size", samples);
    }
    dtype(draw, output, Some(DType::Int32));
    seed(draw);
}

pub fn multinomial_rank_two(draw: &mut Draw) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    let shape = draw.way_of(&[&[3][..], &[1, 1, 3]]);
    draw.input("input", tiled(input, shape, &[0.5]));
    dtype(draw, output, None);
}

pub fn multinomial_dtype_allowed(draw: &mut Draw) {
    let input = draw.dtype("T1");
    draw.input("input", tiled(input, &[1, 3], &[0.5]));
    let bad = draw.foreign_code_or_zero(&[DType::Float]);
    draw.int_attribute("dtype", bad);
    draw.declare(bad);
}

pub fn multinomial_sample_size_non_negative(draw: &mut Draw) {
    let (input, output) = (draw.dtype("T1"), draw.dtype("T2"));
    draw.input("input", tiled(input, &[1, 3], &[0.5]));
    dtype(draw, output, None);
    let size = draw.under(0);
    draw.int_attribute("sample_size", size);
}

/// Gives the data of a Dropout. If elements are dropped at random, half of the cases have a large sample without zeros.
fn data(draw: &mut Draw, random: bool) {
    let dtype = draw.dtype("T");
    if random && draw.flag() {
        draw.feature("a large sample");
        let shape = draw.choose(&[vec![1000], vec![30, 40], vec![5, 6, 7, 8]]);
        draw.input("data", tiled(dtype, &shape, &[1.0, -2.0, 0.5, 3.0]));
    } else {
        let shape = draw.shape(0..=6);
        draw.tensor("data", &shape, Values::Any);
    }
}

fn masked(draw: &mut Draw) {
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
        masked(draw);
        draw.legacy();
        return;
    }
    let training = draw.flag();
    data(draw, training);
    if draw.give_input("ratio") {
        // Without training the ratio has no effect.
        let ratio = draw.choose(&[0.25, 0.75, 0.0, 0.5]);
        if ratio == 0.0 {
            draw.feature("nothing to drop");
        }
        let dtype = draw.dtype("T1");
        draw.input("ratio", tiled(dtype, &[], &[ratio]));
    }
    if training || draw.give_input("training_mode") {
        let mode = Tensor::from_i128s(DType::Bool, vec![], &[i128::from(training)]).expect("one element");
        draw.input("training_mode", mode);
        if training {
            draw.feature("training");
        }
    }
    if draw.give_attribute("seed") {
        let seed = draw.choose(&[1, 0, -2, 1000, i64::MAX, i64::MIN]);
        draw.int_attribute("seed", seed);
    }
    masked(draw);
}

fn trained(draw: &mut Draw, ratio: Tensor, mode: Tensor) {
    let dtype = draw.dtype("T");
    draw.input("data", tiled(dtype, &[4], &[1.0]));
    draw.input("ratio", ratio);
    draw.input("training_mode", mode);
    draw.outputs(&[true]);
}

fn yes(rank: usize) -> Tensor {
    Tensor::from_i128s(DType::Bool, vec![1; rank], &[1]).expect("one element")
}

pub fn dropout_ratio_attribute_in_range(draw: &mut Draw) {
    draw.tensor("data", &[4], Values::Moderate);
    let ratio = draw.way_of(&[1.0, -0.0078125, 2.0]);
    draw.float_attribute("ratio", ratio);
    draw.outputs(&[true]);
}

pub fn dropout_ratio_in_range(draw: &mut Draw) {
    let (dtype, ratio) = (draw.dtype("T1"), draw.way_of(&[1.0, -0.0078125, 2.0]));
    trained(draw, tiled(dtype, &[], &[ratio]), yes(0));
}

pub fn dropout_ratio_is_scalar(draw: &mut Draw) {
    let dtype = draw.dtype("T1");
    trained(draw, tiled(dtype, &[2], &[0.5]), yes(0));
}

pub fn dropout_training_mode_is_scalar(draw: &mut Draw) {
    let dtype = draw.dtype("T1");
    let mode = Tensor::from_i128s(DType::Bool, vec![2], &[1, 1]).expect("two elements");
    trained(draw, tiled(dtype, &[], &[0.5]), mode);
}
