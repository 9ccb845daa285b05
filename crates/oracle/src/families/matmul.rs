//! Matrix products: every element a dot product in any order.

use plumbline_tensor::FloatFormat;

use crate::prelude::*;
use crate::{Accumulator, accumulation, lowest_bit};

/// Where a matrix lies in a tensor.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Its first element.
    pub start: usize,
    /// Rows and columns.
    pub extents: (usize, usize),
    /// Distance between neighbours of a column, and of a row.
    pub steps: (usize, usize),
}

impl Matrix {
    /// A row-major matrix that begins at `start`.
    pub fn row_major(start: usize, rows: usize, columns: usize) -> Matrix {
        Matrix { start, extents: (rows, columns), steps: (columns, 1) }
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Matrix {
        let ((rows, columns), (down, right)) = (self.extents, self.steps);
        Matrix { extents: (columns, rows), steps: (right, down), ..self }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.start + row * self.steps.0 + column * self.steps.1
    }
}

/// How two tensors multiply by the rules of NumPy's matmul.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Extents of the product.
    pub shape: Vec<usize>,
    /// Extents before the last two, of both factors.
    pub batches: [Vec<usize>; 2],
    /// Extents of the matrices: rows of the left ones, what is summed over, columns of the right ones.
    pub extents: [usize; 3],
    /// Which matrix of the left factor meets which one of the right.
    pub pairs: Vec<(usize, usize)>,
}

impl Layout {
    /// Of factors of these shapes. `labels`: a factor of rank 0; inner extents; the dimensions before the last two.
    pub fn of(a: &[usize], b: &[usize], labels: [Label; 3]) -> Result<Layout, Refusal> {
        if a.is_empty() || b.is_empty() {
            return Err(Refusal::violates(labels[0], "a factor of rank 0"));
        }
        // A list counts as one row on the left, as one column on the right.
        let (batch_a, rows, inner) = split(a, |extent| (1, extent));
        let (batch_b, inner_b, columns) = split(b, |extent| (extent, 1));
        if inner != inner_b {
            return Err(Refusal::violates(labels[1], format!("{a:?} and {b:?} do not multiply")));
        }
        let batch = shape::broadcast(&[batch_a, batch_b])
            .ok_or_else(|| Refusal::violates(labels[2], format!("{batch_a:?} and {batch_b:?} do not broadcast")))?;
        let mut shape = batch.clone();
        shape.extend((a.len() > 1).then_some(rows));
        shape.extend((b.len() > 1).then_some(columns));
        shape::affordable(&shape)?;
        let (left, right) = (shape::broadcast_indices(batch_a, &batch), shape::broadcast_indices(batch_b, &batch));
        let pairs = left.into_iter().zip(right).collect();
        Ok(Layout { shape, batches: [batch_a.to_vec(), batch_b.to_vec()], extents: [rows, inner, columns], pairs })
    }

    /// The two matrices of each pair.
    pub fn matrices(&self) -> impl Iterator<Item = (Matrix, Matrix)> {
        let [rows, inner, columns] = self.extents;
        self.pairs.iter().map(move |(i, j)| {
            let a = Matrix::row_major(i * rows * inner, rows, inner);
            (a, Matrix::row_major(j * inner * columns, inner, columns))
        })
    }
}

/// The dimensions before the last two, and the last two, which are made of one extent by `promote` where there is one only.
fn split(shape: &[usize], promote: impl Fn(usize) -> (usize, usize)) -> (&[usize], usize, usize) {
    match shape {
        [batch @ .., rows, columns] => (batch, *rows, *columns),
        [extent] => (&[], promote(*extent).0, promote(*extent).1),
        [] => (&[], 1, 1),
    }
}

/// A factor of matrix products: the tensor, and its elements as float64 where they are certain and no wider than float.
pub struct Factor<'a> {
    tensor: &'a Expected,
    values: Option<Vec<f64>>,
}

impl<'a> Factor<'a> {
    /// Reads a tensor.
    pub fn of(tensor: &'a Expected) -> Factor<'a> {
        let fast = tensor.is_certain() && tensor.dtype().is_float() && tensor.dtype() != DType::Double;
        Factor { tensor, values: fast.then(|| tensor.tensor.to_f64s()) }
    }

    /// The tensor itself.
    pub fn tensor(&self) -> &'a Expected {
        self.tensor
    }

    /// Its elements, where they are certain and no wider than float.
    pub fn values(&self) -> Option<&[f64]> {
        self.values.as_deref()
    }
}

/// A sum of products in which elements are not decided: of all their outcomes, and the label of one of them.
#[derive(Clone)]
pub struct Opened {
    /// The sum of products of all outcomes.
    pub sum: Accumulator,
    /// The label.
    pub label: Label,
}

impl Opened {
    /// Adds the product of two numbers to the sum of what is preferred, and, from the first one on of which outcomes are open, to that of
    /// all outcomes.
    pub fn add(preferred: &mut Accumulator, opened: &mut Option<Opened>, a: Number, b: Number) {
        if let (None, Some(latitude)) = (&opened, a.latitude.or(b.latitude)) {
            *opened = Some(Opened { sum: preferred.clone(), label: latitude.label });
        }
        preferred.add_product(a.real(), b.real());
        if let Some(opened) = opened {
            opened.sum.add_product(a.widest(), b.widest());
        }
    }

    /// What `finish` makes of the sum is an outcome, too.
    pub fn or(opened: Option<Opened>, number: Number, finish: impl FnOnce(Accumulator) -> Real) -> Number {
        match opened {
            Some(opened) => number.or_computed(finish(opened.sum), opened.label),
            None => number,
        }
    }
}

/// The sums of products of two matrices of a floating-point type, row-major, before they are rounded; and where the specification does
/// not decide on an element that goes in, that of all outcomes.
pub fn sums(a: &Factor, left: Matrix, b: &Factor, right: Matrix) -> Vec<(Accumulator, Option<Opened>)> {
    let (rows, inner) = left.extents;
    let columns = right.extents.1;
    let dtype = a.tensor.dtype();
    let slow = |row: usize, column: usize| {
        let mut sum = Accumulator::new(dtype);
        let mut opened = None;
        for k in 0..inner {
            let (x, y) = (a.tensor.number(left.at(row, k)), b.tensor.number(right.at(k, column)));
            Opened::add(&mut sum, &mut opened, x, y);
        }
        (sum, opened)
    };
    let (Some(x), Some(y)) = (&a.values, &b.values) else {
        return (0..rows * columns).map(|i| slow(i / columns, i % columns)).collect();
    };
    let most = FloatFormat::of(accumulation(dtype)).map_or(0.0, FloatFormat::max_finite) / 2.0;
    let bits = |values: &mut dyn Iterator<Item = f64>| lowest_bit(values.filter(|v| v.is_finite()));
    let down: Vec<i32> = (0..columns).map(|j| bits(&mut (0..inner).map(|k| y[right.at(k, j)]))).collect();
    // One row of the right matrix after the other, so that the inner loop runs over neighbours.
    let gathered: Vec<f64> = (0..inner * columns).map(|i| y[right.at(i / columns, i % columns)]).collect();
    let mut out = Vec::with_capacity(rows * columns);
    let (mut sum, mut magnitude) = (vec![0.0; columns], vec![0.0; columns]);
    for row in 0..rows {
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
            // Where nothing can overflow, only what the sum of magnitudes comes to counts, not which of them are negative.
            out.push(match magnitude[column] < most {
                true => {
                    let quantum = across.saturating_add(down[column]);
                    (Accumulator::of_products(dtype, inner, sum[column], magnitude[column], quantum), None)
                }
                // An infinity or a NaN among them, or an overflow to one.
                false => slow(row, column),
            });
        }
    }
    out
}

/// The exact sums of products of two integer matrices, row-major: wrapped where they leave the range of the type (`overflow`).
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
            _ if !certain => widest.wraps(overflow),
            Some(sum) => Number::int(sum, dtype).wraps(overflow),
            None => Number::int(wrapped, dtype).overflowed(overflow),
        }
    };
    (0..rows * columns).map(element).collect()
}
