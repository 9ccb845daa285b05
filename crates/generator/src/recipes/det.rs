//! Draws a square matrix of up to 5 rows, or a batch of such matrices, which may be empty. Some matrices are singular.

use crate::prelude::*;

pub fn det(draw: &mut Draw) {
    let n = draw.choose(&[2, 3, 1, 4, 5]);
    draw.set_cost(n * n);
    let mut shape = draw.shape(0..=2);
    while !draw.is_larger() && shape.iter().product::<usize>() > 16 {
        shape.pop();
    }
    let batches: usize = shape.iter().product();
    shape.extend([n, n]);
    let ways = [Values::Integers, Values::Moderate, Values::Between(-1.0, 1.0), Values::Finite, Values::Any];
    let values = draw.choose(&ways);
    let dtype = draw.dtype("T");
    let mut elements = draw.elements(dtype, &shape, values).to_f64s();
    if n > 1 && batches > 0 && draw.once_in(4) {
        draw.feature("a singular matrix");
        // The second row is twice the first one.
        (0..n).for_each(|j| elements[n + j] = 2.0 * elements[j]);
    }
    let x = Tensor::from_f64s(dtype, shape, &elements).expect("there are as many values as the shape has elements");
    draw.input("X", x);
}

pub fn rank_at_least_two(draw: &mut Draw) {
    let shape = draw.full_shape(0..=1);
    draw.tensor("X", &shape, Values::Integers);
}

pub fn matrices_square(draw: &mut Draw) {
    let mut shape = draw.full_shape(1..=3);
    let last = shape[shape.len() - 1];
    shape.push(if last == 1 { 2 } else { draw.way_of(&[last + 1, last - 1]) });
    draw.tensor("X", &shape, Values::Integers);
}
