//! Products of matrices.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder};

use super::super::element::Number;
use super::super::threads;

/// A thread that gets fewer multiplications than this costs more than it saves.
const GRAIN: usize = 1 << 18;

/// A matrix in memory, with a stride for rows and one for columns.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a, T> {
    data: &'a [T],
    rows: usize,
    columns: usize,
    strides: (usize, usize),
}

impl<'a, T> Matrix<'a, T> {
    /// Creates a row-major matrix of `rows * columns` elements.
    pub fn new(data: &'a [T], rows: usize, columns: usize) -> Matrix<'a, T> {
        Matrix { data: &data[..rows * columns], rows, columns, strides: (columns, 1) }
    }

    /// Transposes the matrix, without a copy.
    pub fn turned(self) -> Matrix<'a, T> {
        Matrix { rows: self.columns, columns: self.rows, strides: (self.strides.1, self.strides.0), ..self }
    }

    fn rows_from(self, first: usize, rows: usize) -> Matrix<'a, T> {
        Matrix { data: &self.data[first * self.strides.0..], rows, ..self }
    }

    fn columns_from(self, first: usize, columns: usize) -> Matrix<'a, T> {
        Matrix { data: &self.data[first * self.strides.1..], columns, ..self }
    }
}

/// A number type for which products of matrices are implemented.
pub trait Product: Number {
    /// Computes `out` (row-major) = `a` times `b` in this thread. None of the three may be empty.
    fn product(out: &mut [Self], a: Matrix<Self>, b: Matrix<Self>);
}

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Product for $t {
            fn product(out: &mut [$t], a: Matrix<$t>, b: Matrix<$t>) {
                let view = |m: &Matrix<'_, $t>| (m.rows, m.columns).strides(m.strides);
                let views = (
                    ArrayView2::from_shape(view(&a), a.data),
                    ArrayView2::from_shape(view(&b), b.data),
                    ArrayViewMut2::from_shape((a.rows, b.columns), out),
                );
                match views {
                    (Ok(a), Ok(b), Ok(mut out)) => general_mat_mul(1.0, &a, &b, 0.0, &mut out),
                    _ => by_rows(out, a, b),
                }
            }
        }
    )*};
}
floats! { f32 f64 }

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Product for $t {
            fn product(out: &mut [$t], a: Matrix<$t>, b: Matrix<$t>) {
                by_rows(out, a, b);
            }
        }
    )*};
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// Computes `out` (row-major) = `a` times `b`: each row of `out` is a sum of rows of `b`, each multiplied by an element
/// of `a`.
fn by_rows<T: Number>(out: &mut [T], a: Matrix<T>, b: Matrix<T>) {
    for (i, out) in out.chunks_mut(b.columns).enumerate() {
        out.fill(T::zero());
        for p in 0..a.columns {
            let factor = a.data[i * a.strides.0 + p * a.strides.1];
            let from = p * b.strides.0;
            if b.strides.1 == 1 {
                let row = &b.data[from..from + b.columns];
                out.iter_mut().zip(row).for_each(|(out, &x)| *out = out.add(factor.mul(x)));
            } else {
                for (j, out) in out.iter_mut().enumerate() {
                    *out = out.add(factor.mul(b.data[from + j * b.strides.1]));
                }
            }
        }
    }
}

/// Computes `out` (row-major) = `a` times `b`. An empty sum is 0. Large products are split between threads.
pub fn multiply<T: Product>(out: &mut [T], a: Matrix<T>, b: Matrix<T>) {
    let (m, n, k) = (a.rows, b.columns, a.columns);
    if m == 0 || n == 0 || k == 0 {
        return out.fill(T::zero());
    }
    let threads = rayon::current_num_threads();
    let work = m.saturating_mul(n).saturating_mul(k);
    if threads == 1 || work < 2 * GRAIN {
        return T::product(out, a, b);
    }
    if m >= 4 * threads {
        let rows = m.div_ceil(threads).next_multiple_of(8);
        return threads::pieces(out, rows * n, Some(1), &|part, out| {
            T::product(out, a.rows_from(part * rows, out.len() / n), b);
        });
    }
    let columns = n.div_ceil(threads).next_multiple_of(16);
    by_columns(out, n, columns, &|first, count, part| T::product(part, a, b.columns_from(first, count)));
}

/// A function that writes columns of a matrix, row-major, given the first column and the number of columns.
type Columns<'f, T> = &'f (dyn Fn(usize, usize, &mut [T]) + Sync);

/// Computes `out`, which has `n` columns, in several threads. Each call of `part` writes `step` columns, and the last
/// call those that remain. Then the columns of all calls are copied into `out`.
pub fn by_columns<T: Number>(out: &mut [T], n: usize, step: usize, part: Columns<T>) {
    let rows = out.len() / n;
    let mut parts = vec![T::zero(); out.len()];
    let count = |first: usize| step.min(n - first);
    threads::pieces(&mut parts, rows * step, Some(1), &|at, out| part(at * step, count(at * step), out));
    for (first, part) in (0..n).step_by(step).zip(parts.chunks(rows * step)) {
        for (row, line) in part.chunks(count(first)).enumerate() {
            out[row * n + first..][..line.len()].copy_from_slice(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares products of floats and of integers with plain sums. The numbers are small, so that float sums are exact
    /// in any order.
    #[test]
    fn float_and_integer_products_equal_plain_sums_in_both_layouts() {
        for (m, k, n) in [(1, 1, 1), (3, 5, 7), (70, 90, 110), (2, 300, 900)] {
            let a: Vec<i64> = (0..m * k).map(|i| (i * 7 % 13) as i64 - 6).collect();
            let b: Vec<i64> = (0..k * n).map(|i| (i * 5 % 11) as i64 - 5).collect();
            let floats = |data: &[i64]| data.iter().map(|&x| x as f32).collect::<Vec<f32>>();
            let (fa, fb) = (floats(&a), floats(&b));
            for (left, right) in [(false, false), (true, false), (false, true), (true, true)] {
                let (mut exact, mut found) = (vec![1; m * n], vec![f32::NAN; m * n]);
                fn seen<T>(data: &[T], rows: usize, columns: usize, turned: bool) -> Matrix<'_, T> {
                    if turned { Matrix::new(data, columns, rows).turned() } else { Matrix::new(data, rows, columns) }
                }
                multiply(&mut exact, seen(&a, m, k, left), seen(&b, k, n, right));
                multiply(&mut found, seen(&fa, m, k, left), seen(&fb, k, n, right));
                let expected = |i: usize, j: usize| -> i64 {
                    let a = |p: usize| if left { a[p * m + i] } else { a[i * k + p] };
                    let b = |p: usize| if right { b[j * k + p] } else { b[p * n + j] };
                    (0..k).map(|p| a(p) * b(p)).sum()
                };
                let expected: Vec<i64> = (0..m * n).map(|at| expected(at / n, at % n)).collect();
                assert_eq!(exact, expected);
                assert_eq!(found, floats(&expected));
            }
        }
    }
}
