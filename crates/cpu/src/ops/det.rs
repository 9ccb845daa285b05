//! Det, the determinant of square matrices.

use super::normalization::narrowed;
use crate::element::{Float, Number, Wide, with_float};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Det", det)];

/// Computes the determinant by elimination with the largest element of a column as pivot. If a column has a NaN, the
/// NaN is the pivot, so that the result is NaN. With a zero of that column as pivot, the elimination would end with the
/// result zero.
fn determinant<W: Wide>(matrix: &mut [W], n: usize) -> W {
    let mut product = W::one();
    for column in 0..n {
        let size = |row: usize| matrix[row * n + column].abs();
        let larger = |row: usize, most: usize| size(row) > size(most) || size(row).is_nan();
        let largest = (column + 1..n).fold(column, |most, row| if larger(row, most) { row } else { most });
        if largest != column {
            (column..n).for_each(|at| matrix.swap(largest * n + at, column * n + at));
            product = product.neg();
        }
        let pivot = matrix[column * n + column];
        product = product.mul(pivot);
        if pivot == W::zero() {
            return product;
        }
        let (above, below) = matrix.split_at_mut((column + 1) * n);
        let own = &above[column * n..];
        for row in below.chunks_mut(n) {
            let factor = row[column].div(pivot);
            for at in column + 1..n {
                row[at] = row[at].sub(factor.mul(own[at]));
            }
        }
    }
    product
}

fn det(node: &Node) -> Outputs {
    let x = node.input(0)?;
    let (batch, n) = match x.shape() {
        [batch @ .., rows, columns] if rows == columns => (batch, *rows),
        shape => return Err(Refusal::invalid(format!("shape {shape:?} does not end in square matrices"))),
    };
    let count: usize = batch.iter().product();
    let found: Vec<f64> = with_float!(x.dtype(), T => {
        let mut numbers: Vec<<T as Float>::Wide> = x.slice::<T>().iter().map(|x| x.wide()).collect();
        Ok((0..count).map(|at| determinant(&mut numbers[at * n * n..(at + 1) * n * n], n).to_f64()).collect())
    })?;
    one(narrowed(x.dtype(), batch, &found)?)
}
