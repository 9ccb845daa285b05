//! Matrix products. Each element is a dot product that is summed in any order.

use plumbline_tensor::FloatFormat;

use super::tiles::{LEAST_PRODUCTS, Tiles};
use crate::prelude::*;
use crate::sum::Side;
use crate::{Accumulator, accumulation, lowest_bit, precision, steps};

/// The place of a matrix in a tensor.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// The index of its first element.
    pub start: usize,
    /// The numbers of rows and columns.
    pub extents: (usize, usize),
    /// The distance between neighbours in a column, and in a row.
    pub steps: (usize, usize),
}

impl Matrix {
    /// Returns a row-major matrix that begins at `start`.
    pub fn row_major(start: usize, rows: usize, columns: usize) -> Matrix {
        Matrix { start, extents: (rows, columns), steps: (columns, 1) }
    }

    /// Returns the matrix with rows and columns exchanged.
    pub fn transposed(self) -> Matrix {
        let ((rows, columns), (down, right)) = (self.extents, self.steps);
        Matrix { extents: (columns, rows), steps: (right, down), ..self }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.start + row * self.steps.0 + column * self.steps.1
    }
}

/// How two tensors are multiplied by the rules of NumPy's matmul.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The extents of the product.
    pub shape: Vec<usize>,
    /// The extents before the last two, of both factors.
    pub batches: [Vec<usize>; 2],
    /// The extents of the matrices: the rows of the left ones, the extent that is summed over, and the columns of the
    /// right ones.
    pub extents: [usize; 3],
    /// For each matrix of the product, the matrix of the left factor and the matrix of the right factor.
    pub pairs: Vec<(usize, usize)>,
}

impl Layout {
    /// Returns the layout for factors of these shapes. `labels` name the rules for a factor of rank 0, for the inner
    /// extents, and for the dimensions before the last two.
    pub fn broadcast(a: &[usize], b: &[usize], labels: [Label; 3]) -> Result<Layout, Refusal> {
        if a.is_empty() || b.is_empty() {
            return Err(Refusal::violates(labels[0], "an input is a scalar, expected rank 1 or more"));
        }
        // A one-dimensional factor counts as one row on the left, and as one column on the right.
        let (batch_a, rows, inner) = split(a, |extent| (1, extent));
        let (batch_b, inner_b, columns) = split(b, |extent| (extent, 1));
        if inner != inner_b {
            return Err(Refusal::violates(
                labels[1],
                format!("matrices of shapes {a:?} and {b:?} cannot be multiplied: the inner extents differ"),
            ));
        }
        let batch = shape::broadcast(&[batch_a, batch_b]).ok_or_else(|| {
            Refusal::violates(labels[2], format!("the batch shapes {batch_a:?} and {batch_b:?} do not broadcast"))
        })?;
        let mut shape = batch.clone();
        shape.extend((a.len() > 1).then_some(rows));
        shape.extend((b.len() > 1).then_some(columns));
        shape::affordable(&shape)?;
        let (left, right) = (shape::broadcast_indices(batch_a, &batch), shape::broadcast_indices(batch_b, &batch));
        let pairs = left.into_iter().zip(right).collect();
        Ok(Layout { shape, batches: [batch_a.to_vec(), batch_b.to_vec()], extents: [rows, inner, columns], pairs })
    }

    /// Iterates over the two matrices of each pair.
    pub fn matrices(&self) -> impl Iterator<Item = (Matrix, Matrix)> {
        let [rows, inner, columns] = self.extents;
        self.pairs.iter().map(move |(i, j)| {
            let a = Matrix::row_major(i * rows * inner, rows, inner);
            (a, Matrix::row_major(j * inner * columns, inner, columns))
        })
    }
}

/// Splits a shape into the dimensions before the last two, and the last two. If there is one extent only, `promote`
/// makes two of it.
fn split(shape: &[usize], promote: impl Fn(usize) -> (usize, usize)) -> (&[usize], usize, usize) {
    match shape {
        [batch @ .., rows, columns] => (batch, *rows, *columns),
        [extent] => (&[], promote(*extent).0, promote(*extent).1),
        [] => (&[], 1, 1),
    }
}

/// A factor of a matrix product: the tensor, and its elements as float64 if they are certain and of a type no wider
/// than float.
pub struct Factor<'a> {
    tensor: &'a Expected,
    values: Option<Vec<f64>>,
}

impl<'a> Factor<'a> {
    /// Reads a tensor as a factor. Its elements are not read as float64 if implementations may round them first.
    pub fn new(tensor: &'a Expected) -> Factor<'a> {
        let dtype = tensor.dtype();
        let plain = dtype.is_float() && dtype != DType::Double && precision::keeps_products(dtype);
        let fast = plain && tensor.is_certain();
        Factor { tensor, values: fast.then(|| tensor.tensor.to_f64s()) }
    }

    /// Returns the tensor.
    pub fn tensor(&self) -> &'a Expected {
        self.tensor
    }

    /// Returns the elements if they are certain and of a type no wider than float.
    pub fn values(&self) -> Option<&[f64]> {
        self.values.as_deref()
    }
}

/// A sum of products that covers all outcomes of the elements, for sums in which the specification leaves some elements
/// open.
#[derive(Clone)]
pub struct Opened {
    /// The sum of products, with an interval that covers all outcomes.
    pub sum: Accumulator,
    /// The rule that leaves one of the elements open.
    pub label: Label,
}

impl Opened {
    /// Adds the product of two numbers to the preferred sum. If one of them or an earlier number has several outcomes,
    /// also adds to the opened sum the product that covers all outcomes of the two numbers.
    pub fn add(preferred: &mut Accumulator, opened: &mut Option<Opened>, a: Number, b: Number) {
        if let (None, Some(latitude)) = (&opened, a.latitude.or(b.latitude)) {
            *opened = Some(Opened { sum: preferred.clone(), label: latitude.label });
        }
        preferred.add_product(a.real(), b.real());
        if let Some(opened) = opened {
            opened.sum.add_product(a.widest(), b.widest());
        }
    }

    /// Accepts the opened sum, finished by `finish`, beside the number.
    pub fn or(opened: Option<Opened>, number: Number, finish: impl FnOnce(Accumulator) -> Real) -> Number {
        match opened {
            Some(opened) => number.or(finish(opened.sum).overflowing(), opened.label),
            None => number,
        }
    }
}

/// A sum of products before it is rounded. If the specification leaves an element in it open, a second sum that covers
/// all outcomes comes with it.
pub type Sum = (Accumulator, Option<Opened>);

/// Appends to `out` the number that `number` makes of each sum of products of pairs of floating-point matrices, which
/// have the same extents. The sums are in row-major order, and `number` gets the pair, the row and the column of each.
pub fn collect(
    out: &mut Collected,
    a: &Factor,
    b: &Factor,
    pairs: &[(Matrix, Matrix)],
    number: impl Fn([usize; 3], Sum) -> Number + Sync,
) {
    let Some(&(left, right)) = pairs.first() else { return };
    let ((rows, inner), columns, dtype) = (left.extents, right.extents.1, a.tensor.dtype());
    let are_certain = a.values.is_some() && b.values.is_some();
    let products = [inner, columns].into_iter().fold(rows, usize::saturating_mul);
    // For few rows, it takes longer to arrange the right matrix than to multiply it.
    let is_large = products >= LEAST_PRODUCTS && (!are_certain || rows.min(columns) >= 8);
    let sides = if is_large { sides(a, b) } else { None };
    let Some((x, y)) = sides else {
        for (pair, &(left, right)) in pairs.iter().enumerate() {
            for (i, sum) in sums(a, left, b, right).into_iter().enumerate() {
                out.push(number([pair, i / columns, i % columns], sum));
            }
        }
        return;
    };
    let tiles = Tiles {
        dtype,
        count: pairs.len(),
        extents: [rows, inner, columns],
        left: &|pair, rows| {
            let matrix = pairs[pair].0;
            x.gather(rows.flat_map(move |row| (0..inner).map(move |k| Some(matrix.at(row, k)))))
        },
        right: &|pair, columns| {
            let matrix = pairs[pair].1;
            y.gather((0..inner).flat_map(move |k| columns.clone().map(move |column| Some(matrix.at(k, column)))))
        },
        terms: &|_| inner,
    };
    tiles.collect(out, |[pair, row, column], sum| {
        let (left, right) = pairs[pair];
        let sum = sum.map_or_else(|| by_products(a, left, b, right, (row, column)), |sum| (sum, None));
        number([pair, row, column], sum)
    });
}

/// Returns the elements of both factors for sums in blocks. `None` for types without them.
pub fn sides(a: &Factor, b: &Factor) -> Option<(Side, Side)> {
    match (&a.values, &b.values) {
        (Some(a), Some(b)) => Some((Side::certain(a.clone()), Side::certain(b.clone()))),
        _ => Some((Side::of_tensor(a.tensor)?, Side::of_tensor(b.tensor)?)),
    }
}

/// Computes one sum product by product.
fn by_products(a: &Factor, left: Matrix, b: &Factor, right: Matrix, (row, column): (usize, usize)) -> Sum {
    let mut sum = Accumulator::new(a.tensor.dtype());
    let mut opened = None;
    for k in 0..left.extents.1 {
        let (x, y) = (a.tensor.number(left.at(row, k)), b.tensor.number(right.at(k, column)));
        Opened::add(&mut sum, &mut opened, x, y);
    }
    (sum, opened)
}

/// Returns the sums of products of two floating-point matrices, in row-major order.
fn sums(a: &Factor, left: Matrix, b: &Factor, right: Matrix) -> Vec<Sum> {
    let (rows, inner) = left.extents;
    let columns = right.extents.1;
    let dtype = a.tensor.dtype();
    let slow = |row: usize, column: usize| by_products(a, left, b, right, (row, column));
    let (Some(x), Some(y)) = (&a.values, &b.values) else {
        return (0..rows * columns).map(|i| slow(i / columns, i % columns)).collect();
    };
    let most = FloatFormat::for_dtype(accumulation(dtype)).map_or(0.0, FloatFormat::max_finite) / 2.0;
    let bits = |values: &mut dyn Iterator<Item = f64>| lowest_bit(values.filter(|v| v.is_finite()));
    let down: Vec<i32> = (0..columns).map(|j| bits(&mut (0..inner).map(|k| y[right.at(k, j)]))).collect();
    // The rows of the right matrix are taken one after the other, so that the inner loop runs over neighbours.
    let gathered: Vec<f64> = (0..inner * columns).map(|i| y[right.at(i / columns, i % columns)]).collect();
    let mut out = Vec::with_capacity(rows * columns);
    let (mut sum, mut magnitude) = (vec![0.0; columns], vec![0.0; columns]);
    for row in 0..rows {
        steps::take(inner.saturating_mul(columns));
        sum.fill(0.0);
        magnitude.fill(0.0);
        for (k, others) in gathered.chunks_exact(columns.max(1)).enumerate() {
            let factor = x[left.at(row, k)];
            for ((sum, magnitude), other) in sum.iter_mut().zip(&mut magnitude).zip(others) {
                let product = factor * other;
                *sum += product;
                *magnitude += product.abs();
            }
        }
        let across = bits(&mut (0..inner).map(|k| x[left.at(row, k)]));
        for column in 0..columns {
            // If nothing can overflow, the accumulator needs only the sum of the products and the sum of their
            // magnitudes, not the sign of each product.
            out.push(match magnitude[column] < most {
                true => {
                    let quantum = across.saturating_add(down[column]);
                    (Accumulator::of_products(dtype, inner, sum[column], magnitude[column], quantum), None)
                }
                // A product is an infinity or NaN, or something may overflow.
                false => slow(row, column),
            });
        }
    }
    out
}

/// Returns the exact sums of products of two integer matrices, in row-major order. Sums that leave the range of the
/// type wrap around (`overflow`).
pub fn int_sums(a: &Factor, left: Matrix, b: &Factor, right: Matrix, overflow: Label) -> Vec<Number> {
    let (rows, inner) = left.extents;
    let columns = right.extents.1;
    let dtype = a.tensor.dtype();
    let element = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        let mut sum = Some(0i128);
        let mut wrapped = 0i128;
        let mut certain = true;
        let mut widest = Number::int(0, dtype);
        for k in 0..inner {
            let (x, y) = (a.tensor.number(left.at(row, k)), b.tensor.number(right.at(k, column)));
            if certain && !(x.is_point() && y.is_point()) {
                (certain, widest) = (false, Number::int(wrapped, dtype));
            }
            if !certain {
                widest = widest + x * y;
            }
            let (x, y) = (x.mid_int(), y.mid_int());
            wrapped = wrapped.wrapping_add(x.wrapping_mul(y));
            sum = sum.and_then(|sum| sum.checked_add(x.checked_mul(y)?));
        }
        match sum {
            Some(_) if !certain => widest.wraps(overflow),
            None if !certain => widest.overflowed(overflow),
            Some(sum) => Number::int(sum, dtype).wraps(overflow),
            None => Number::int(wrapped, dtype).overflowed(overflow),
        }
    };
    (0..rows * columns).map(element).collect()
}
