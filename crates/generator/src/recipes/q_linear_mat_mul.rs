//! Draws matrices with scales and zero points for the tensor, for each row, or for each column. With powers of two as
//! scales, some results are halfway between integers.

use crate::families::integer_matmul;
use crate::prelude::*;

/// Gives scales, and returns the smallest one, or infinity if there is none.
fn scale(draw: &mut Draw, input: &str, shape: &[usize], powers: bool) -> f64 {
    const SCALES: [f64; 8] = [1.0, 0.5, 2.0, 0.25, 0.1, 0.037, 0.7, 0.003];
    let dtype = draw.input_dtype(input);
    let choices = draw.block(shape.iter().product(), if powers { 4 } else { 8 }).into_iter();
    let values: Vec<f64> = choices.map(|c| SCALES[c as usize]).collect();
    let tensor =
        Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("there are as many values as the shape has elements");
    draw.input(input, tensor);
    values.into_iter().fold(f64::INFINITY, f64::min)
}

/// Gives a zero point. For floating-point types it is mostly 0.
fn zero(draw: &mut Draw, input: &str, shape: &[usize]) {
    let dtype = draw.input_dtype(input);
    let tensor = match dtype.is_float() && !draw.once_in(8) {
        true => Tensor::zeros(dtype, shape.to_vec()).expect("a small tensor can be allocated"),
        false => integer_matmul::elements(draw, dtype, shape),
    };
    draw.input(input, tensor);
}

/// Gives all inputs. `shapes` has the shapes of the factors and of their scales, `zeros` has the shapes of their zero
/// points, and `of_y` has the shapes of the result's scale and zero point.
fn quantized(draw: &mut Draw, shapes: &integer_matmul::Shapes, zeros: [&[usize]; 2], of_y: [&[usize]; 2]) {
    let powers = draw.flag();
    let [a, b] = &shapes.factors;
    integer_matmul::factor(draw, "a", a);
    let a_scale = scale(draw, "a_scale", &shapes.lanes[0], powers);
    zero(draw, "a_zero_point", zeros[0]);
    integer_matmul::factor(draw, "b", b);
    let b_scale = scale(draw, "b_scale", &shapes.lanes[1], powers);
    zero(draw, "b_zero_point", zeros[1]);
    // Some of these scales are so large that the results spread over the range of the type instead of saturating.
    let dtype = draw.input_dtype("y_scale");
    let of_scale = draw.choose(&[1.0, 64.0, 8.0, 700.0, 3000.0, 0.37]);
    let count = of_y[0].iter().product();
    let tensor = Tensor::from_f64s(dtype, of_y[0].to_vec(), &vec![of_scale; count])
        .expect("there are as many values as the shape has elements");
    draw.input("y_scale", tensor);
    zero(draw, "y_zero_point", of_y[1]);
    // For integer types, a result is an integer times `a_scale * b_scale / of_scale`. If that is a power of two and at
    // least 1, the result has no fraction.
    let floats = ["a", "b", "y_zero_point"].into_iter().any(|input| draw.input_dtype(input).is_float());
    let fractions = floats || a_scale * b_scale < of_scale;
    let empty = a.contains(&0) || b.contains(&0);
    if powers && [1.0, 8.0, 64.0].contains(&of_scale) && fractions && !empty {
        draw.feature("powers of two: ties");
    }
}

pub fn q_linear_mat_mul(draw: &mut Draw) {
    let shapes = integer_matmul::shapes(draw);
    let one: &[usize] = if draw.once_in(3) { &[1] } else { &[] };
    let lanes = shapes.lanes.clone();
    quantized(draw, &shapes, [&lanes[0], &lanes[1]], [one, one]);
}

/// Gives factors of these shapes, each with one scale and zero point.
fn quantized_per_tensor(draw: &mut Draw, factors: [Vec<usize>; 2]) {
    quantized(draw, &integer_matmul::Shapes { factors, lanes: [vec![], vec![]] }, [&[], &[]], [&[], &[]]);
}

pub fn rank_at_least_one(draw: &mut Draw) {
    let shapes = integer_matmul::rank_zero(draw);
    quantized_per_tensor(draw, shapes);
}

pub fn inner_extents_equal(draw: &mut Draw) {
    let shapes = integer_matmul::unequal_inner_extents(draw);
    quantized_per_tensor(draw, shapes);
}

pub fn batch_shapes_broadcast(draw: &mut Draw) {
    let shapes = integer_matmul::unbroadcastable_batches(draw);
    quantized_per_tensor(draw, shapes);
}

pub fn scale_shape_fits(draw: &mut Draw) {
    let lanes = integer_matmul::wrong_lanes(draw);
    quantized(draw, &two_by_two([&lanes, &[]]), [&lanes, &[]], [&[], &[]]);
}

/// Returns the shapes of a left factor of two rows and a right factor of two columns, with `lanes` as the shapes of
/// their scales.
fn two_by_two(lanes: [&[usize]; 2]) -> integer_matmul::Shapes {
    integer_matmul::Shapes { factors: [vec![2, 3], vec![3, 2]], lanes: lanes.map(<[usize]>::to_vec) }
}

/// Gives a zero point whose shape differs from the shape of its scale.
pub fn zero_point_matches_scale(draw: &mut Draw) {
    let (one, lanes): (&[usize], &[usize]) = (&[], &[2]);
    // The zero point belongs to the left factor, to the right factor or to the result. It has one element too many or
    // too few, or it is a single number of the wrong rank.
    let wrong: &[usize] = draw.way_of(&[&[3][..], &[1], &[]]);
    let (factors, lanes) = match draw.way(3) {
        0 => ([lanes, one], [wrong, one]),
        1 => ([one, lanes], [one, wrong]),
        _ => {
            let of_y: [&[usize]; 2] = draw.way_of(&[[&[], &[1]], [&[1], &[]]]);
            return quantized(draw, &two_by_two([one, one]), [one, one], of_y);
        }
    };
    quantized(draw, &two_by_two(factors), lanes, [one, one]);
}

pub fn y_quantization_per_tensor(draw: &mut Draw) {
    let of_y: &[usize] = draw.way_of(&[&[2], &[1, 1], &[2, 2]]);
    quantized(draw, &two_by_two([&[], &[]]), [&[], &[]], [of_y, of_y]);
}
