//! Recipes for MatMulInteger and QLinearMatMul.

use plumbline_tensor::{DType, Tensor};

use crate::draw::Draw;
use crate::values::Values;

/// The shapes of the two factors (`factors`), and of the scales and zero points that belong to them (`lanes`): one for
/// all, one for each row of the left factor, or one for each column of the right factor.
struct Shapes {
    factors: [Vec<usize>; 2],
    lanes: [Vec<usize>; 2],
}

fn extent(draw: &mut Draw) -> usize {
    draw.choose(&[2, 3, 5, 4, 1, 7])
}

fn shapes(draw: &mut Draw) -> Shapes {
    let mut extents = [extent(draw), extent(draw), extent(draw)];
    if draw.once_in(14) {
        let at = draw.below(3);
        extents[at] = 0;
        draw.feature("an empty matrix");
    }
    draw.enlarge(&mut extents, 1);
    draw.costs(extents.iter().product());
    let [m, k, n] = extents;
    let (mut a, mut b) = (vec![m, k], vec![k, n]);
    match draw.below(6) {
        0..=2 => {}
        3 if draw.flag() => {
            a = vec![k];
            draw.feature("a list on the left");
        }
        3 => {
            b = vec![k];
            draw.feature("a list on the right");
        }
        _ => {
            let batches = draw.broadcastable(2, 1..=2);
            a = [&batches[0][..], &[m, k]].concat();
            b = [&batches[1][..], &[k, n]].concat();
            draw.feature("batches");
        }
    }
    let lane = |draw: &mut Draw, shape: &[usize], summed: usize| {
        let rank = shape.len();
        if rank < 2 || draw.below(3) == 0 {
            return if draw.once_in(3) { vec![1] } else { vec![] };
        }
        draw.feature("one a row or column");
        match rank {
            2 => vec![shape[1 - summed]],
            _ => {
                let mut lanes = shape.to_vec();
                lanes[rank - 2 + summed] = 1;
                lanes
            }
        }
    };
    let lanes = [lane(draw, &a, 1), lane(draw, &b, 0)];
    Shapes { factors: [a, b], lanes }
}

/// Draws the elements of a factor, or its zero points.
fn elements(draw: &mut Draw, dtype: DType, shape: &[usize]) -> Tensor {
    let values = match dtype.is_float() {
        true => draw.choose(&[Values::Integers, Values::Moderate]),
        false => draw.choose(&[Values::Any, Values::Integers]),
    };
    draw.elements(dtype, shape, values)
}

fn factor(draw: &mut Draw, input: &str, shape: &[usize]) {
    let dtype = draw.input_dtype(input);
    let tensor = elements(draw, dtype, shape);
    draw.input(input, tensor);
}

pub fn mat_mul_integer(draw: &mut Draw) {
    let Shapes { factors: [a, b], lanes: [of_row, of_column] } = shapes(draw);
    factor(draw, "A", &a);
    factor(draw, "B", &b);
    if draw.give_input("a_zero_point") {
        factor(draw, "a_zero_point", &of_row);
    }
    if draw.give_input("b_zero_point") {
        factor(draw, "b_zero_point", &of_column);
    }
}

/// Draws the shapes of two factors that cannot be multiplied: one of rank 0, inner extents that differ, or batches that
/// do not broadcast.
fn bad_factors(draw: &mut Draw, which: usize) -> [Vec<usize>; 2] {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    match which {
        1 if draw.way(2) == 1 => [vec![], vec![k, n]],
        1 => [vec![m, k], vec![]],
        2 => [vec![m, k], vec![if k == 1 { 2 } else { draw.way_of(&[k + 1, k - 1, 1]) }, n]],
        _ => {
            let (a, b) = draw.unbroadcastable();
            [[&a[..], &[m, k]].concat(), [&b[..], &[k, n]].concat()]
        }
    }
}

fn bad_integers(draw: &mut Draw, which: usize) {
    let [a, b] = bad_factors(draw, which);
    factor(draw, "A", &a);
    factor(draw, "B", &b);
}

pub fn mat_mul_integer_rank_at_least_one(draw: &mut Draw) {
    bad_integers(draw, 1);
}

pub fn mat_mul_integer_inner_extents_equal(draw: &mut Draw) {
    bad_integers(draw, 2);
}

pub fn mat_mul_integer_batch_shapes_broadcast(draw: &mut Draw) {
    bad_integers(draw, 3);
}

/// Chooses a shape that is neither one element nor one element for each row of a matrix with 2 rows and 3 columns.
fn bad_lanes(draw: &mut Draw) -> Vec<usize> {
    draw.way_of(&[vec![3], vec![3, 1], vec![2, 2], vec![4], vec![2, 3], vec![2, 1, 1]])
}

pub fn mat_mul_integer_a_zero_point_fits(draw: &mut Draw) {
    factor(draw, "A", &[2, 3]);
    factor(draw, "B", &[3, 2]);
    let lanes = bad_lanes(draw);
    factor(draw, "a_zero_point", &lanes);
}

pub fn mat_mul_integer_b_zero_point_fits(draw: &mut Draw) {
    factor(draw, "A", &[2, 3]);
    factor(draw, "B", &[3, 2]);
    let lanes = draw.way_of(&[vec![3], vec![1, 3], vec![2, 2], vec![4], vec![3, 2], vec![1, 1, 2]]);
    factor(draw, "b_zero_point", &lanes);
}

fn scale(draw: &mut Draw, input: &str, shape: &[usize], powers: bool) {
    const SCALES: [f64; 8] = [1.0, 0.5, 2.0, 0.25, 0.1, 0.037, 0.7, 0.003];
    let dtype = draw.input_dtype(input);
    let choices = draw.block(shape.iter().product(), if powers { 4 } else { 8 }).into_iter();
    let values: Vec<f64> = choices.map(|c| SCALES[c as usize]).collect();
    let tensor = Tensor::from_f64s(dtype, shape.to_vec(), &values).expect("as many as the shape says");
    draw.input(input, tensor);
}

/// Gives a zero point. For floating-point types it is mostly 0.
fn zero(draw: &mut Draw, input: &str, shape: &[usize]) {
    let dtype = draw.input_dtype(input);
    let tensor = match dtype.is_float() && !draw.once_in(8) {
        true => Tensor::zeros(dtype, shape.to_vec()).expect("a small tensor"),
        false => elements(draw, dtype, shape),
    };
    draw.input(input, tensor);
}

/// Gives all inputs: the factors with these shapes, their scales, their zero points of the shapes `zeros`, and the
/// scale and zero point of the result with the shapes `of_y`.
fn quantized(draw: &mut Draw, shapes: &Shapes, zeros: [&[usize]; 2], of_y: [&[usize]; 2]) {
    let powers = draw.flag();
    let [a, b] = &shapes.factors;
    factor(draw, "a", a);
    scale(draw, "a_scale", &shapes.lanes[0], powers);
    zero(draw, "a_zero_point", zeros[0]);
    factor(draw, "b", b);
    scale(draw, "b_scale", &shapes.lanes[1], powers);
    zero(draw, "b_zero_point", zeros[1]);
    if powers {
        draw.feature("powers of two: ties");
    }
    // Some of these scales are so large that the results spread over the range of the type.
    let dtype = draw.input_dtype("y_scale");
    let of_scale = draw.choose(&[1.0, 64.0, 8.0, 700.0, 3000.0, 0.37]);
    let count = of_y[0].iter().product();
    let tensor = Tensor::from_f64s(dtype, of_y[0].to_vec(), &vec![of_scale; count]).expect("one");
    draw.input("y_scale", tensor);
    zero(draw, "y_zero_point", of_y[1]);
}

pub fn q_linear_mat_mul(draw: &mut Draw) {
    let shapes = shapes(draw);
    let one: &[usize] = if draw.once_in(3) { &[1] } else { &[] };
    let lanes = shapes.lanes.clone();
    quantized(draw, &shapes, [&lanes[0], &lanes[1]], [one, one]);
}

fn bad_quantized(draw: &mut Draw, which: usize) {
    let factors = bad_factors(draw, which);
    quantized(draw, &Shapes { factors, lanes: [vec![], vec![]] }, [&[], &[]], [&[], &[]]);
}

pub fn q_linear_mat_mul_rank_at_least_one(draw: &mut Draw) {
    bad_quantized(draw, 1);
}

pub fn q_linear_mat_mul_inner_extents_equal(draw: &mut Draw) {
    bad_quantized(draw, 2);
}

pub fn q_linear_mat_mul_batch_shapes_broadcast(draw: &mut Draw) {
    bad_quantized(draw, 3);
}

pub fn q_linear_mat_mul_scale_shape_fits(draw: &mut Draw) {
    let lanes = bad_lanes(draw);
    quantized(draw, &square([&lanes, &[]]), [&lanes, &[]], [&[], &[]]);
}

/// Returns a left factor of two rows and a right factor of two columns, with scales of these shapes.
fn square(lanes: [&[usize]; 2]) -> Shapes {
    Shapes { factors: [vec![2, 3], vec![3, 2]], lanes: lanes.map(<[usize]>::to_vec) }
}

/// Gives a zero point of another shape than its scale.
pub fn q_linear_mat_mul_zero_point_matches_scale(draw: &mut Draw) {
    let (one, lanes): (&[usize], &[usize]) = (&[], &[2]);
    // The zero point belongs to the left factor, to the right factor or to the result. It has one element too many or
    // too few, or one number of another rank.
    let wrong: &[usize] = draw.way_of(&[&[3][..], &[1], &[]]);
    let (factors, lanes) = match draw.way(3) {
        0 => ([lanes, one], [wrong, one]),
        1 => ([one, lanes], [one, wrong]),
        _ => {
            let of_y: [&[usize]; 2] = draw.way_of(&[[&[], &[1]], [&[1], &[]]]);
            return quantized(draw, &square([one, one]), [one, one], of_y);
        }
    };
    quantized(draw, &square(factors), lanes, [one, one]);
}

pub fn q_linear_mat_mul_y_quantization_per_tensor(draw: &mut Draw) {
    let of_y: &[usize] = draw.way_of(&[&[2], &[1, 1], &[2, 2]]);
    quantized(draw, &square([&[], &[]]), [&[], &[]], [of_y, of_y]);
}
