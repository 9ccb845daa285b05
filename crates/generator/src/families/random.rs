//! Shapes, types and distributions of random outputs.

use plumbline_spec::TypeStr;

use crate::prelude::*;

/// Draws a shape for a random output: a small one of any rank, or one that is large enough to tell distributions apart.
/// A large sample has about a million elements. So many are needed to tell a mean from one that is off by 1 % of the
/// standard deviation, or a probability from one that is off by 0.003.
pub fn shape(draw: &mut Draw) -> Vec<usize> {
    if draw.large_sample() {
        draw.feature("a large sample");
        return draw.choose(&[vec![1 << 20], vec![1023, 1025], vec![3, 512, 683]]);
    }
    if draw.flag() {
        draw.feature("a large sample");
        return draw.choose(&[vec![1000], vec![30, 40], vec![5, 6, 7, 8], vec![2500]]);
    }
    draw.shape(0..=5)
}

/// Gives `seed`, or leaves it out.
pub fn seed(draw: &mut Draw) {
    if draw.give_attribute("seed") {
        let seed = draw.choose(&[1.0, 0.0, -3.5, 12345.0, 1e30]);
        draw.float_attribute("seed", seed);
    }
}

/// Gives the parameters of a normal distribution and `seed`, or leaves them out.
pub fn mean_and_scale(draw: &mut Draw) {
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

/// Gives the bounds of a uniform distribution and `seed`, or leaves them out.
pub fn low_and_high(draw: &mut Draw) {
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
pub fn dtype_attribute(draw: &mut Draw, output: DType, fallback: Option<DType>) {
    if fallback != Some(output) || draw.give() {
        draw.int_attribute("dtype", i64::from(output.code()));
    }
}

/// Gives the shape and the type of the output as attributes.
pub fn shape_and_dtype(draw: &mut Draw) {
    let output = draw.dtype("T");
    dtype_attribute(draw, output, Some(DType::Float));
    let shape: Vec<i64> = shape(draw).iter().map(|&e| e as i64).collect();
    draw.ints_attribute("shape", &shape);
}

/// Returns the types of the input and of the output. The cell binds at most one of them. The two types are now and then
/// equal, so that `dtype` may be left out.
pub fn input_and_output_types(draw: &mut Draw) -> (DType, DType) {
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

/// Gives an input of which only the shape and the type matter, and `dtype`, which may be left out if the output has the
/// same type.
pub fn input_of_shape(draw: &mut Draw) {
    let (input, output) = input_and_output_types(draw);
    let shape = shape(draw);
    // Large inputs are filled with zeros, because the elements do not matter.
    if shape.iter().product::<usize>() > 256 {
        let zeros = Tensor::zeros(input, shape).expect("a small tensor can be allocated");
        draw.input("input", zeros);
    } else {
        draw.tensor("input", &shape, Values::Any);
    }
    dtype_attribute(draw, output, Some(input));
}

/// Gives a `dtype` that the output does not allow, or a number that stands for no type.
pub fn foreign_dtype(draw: &mut Draw) {
    let bad = draw.foreign_code_or_zero(&[DType::String, DType::Complex64]);
    draw.int_attribute("dtype", bad);
    draw.declare(bad);
}

/// Gives a shape with a negative extent.
pub fn negative_extent(draw: &mut Draw) {
    let output = draw.dtype("T");
    dtype_attribute(draw, output, None);
    let less = draw.under(0);
    let shape = draw.way_of(&[[3, less], [less, 3]]);
    draw.ints_attribute("shape", &shape);
}

/// Returns a tensor that repeats these numbers, for samples that are too large to draw each element.
pub fn repeated(dtype: DType, shape: &[usize], values: &[f64]) -> Tensor {
    let count = shape.iter().product();
    let values: Vec<f64> = values.iter().copied().cycle().take(count).collect();
    Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("there are as many values as the shape has elements")
}
