//! MatMul, MatMulInteger and Gemm.

use plumbline_tensor::DType;

use super::layout::strides_of;
use super::legacy::broadcast;
use crate::array::{Array, affordable};
use crate::element::{Integer, Number, with_float, with_integer, with_number};
use crate::kernels::element_wise::map2;
use crate::kernels::fold::offsets;
use crate::kernels::lanes::pieces;
use crate::kernels::product::{Matrix, Product, multiply};
use crate::kernels::total::Sum;
use crate::node::{Node, Operator, Outputs, one};
use crate::view::{View, ViewMut};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Gemm", gemm), ("MatMul", mat_mul), ("MatMulInteger", mat_mul_integer)];

/// The sizes and places of the matrices to multiply. Each of the two inputs holds any number of matrices.
pub struct Batches {
    /// Number of rows of a product.
    pub m: usize,
    /// Number of terms in an element of a product.
    pub k: usize,
    /// Number of columns of a product.
    pub n: usize,
    /// The places where the left and the right matrix of each product start.
    pub starts: Vec<(usize, usize)>,
    /// The shape of the output, with all products.
    pub shape: Vec<usize>,
}

impl Batches {
    /// Combines the shapes of the two inputs. An input of rank 1 is a row on the left and a column on the right, and
    /// its extra dimension is dropped from the output.
    pub fn broadcast(a: &[usize], b: &[usize]) -> Result<Batches, Refusal> {
        let wrong = || Refusal::invalid(format!("matrices of shapes {a:?} and {b:?} cannot be multiplied"));
        let (heads, m, k) = match a {
            [] => return Err(wrong()),
            [k] => (&a[..0], 1, *k),
            [heads @ .., m, k] => (heads, *m, *k),
        };
        let (other, inner, n) = match b {
            [] => return Err(wrong()),
            [k] => (&b[..0], *k, 1),
            [heads @ .., k, n] => (heads, *k, *n),
        };
        if inner != k {
            return Err(wrong());
        }
        let batch = broadcast(&[heads, other])?;
        let places = |heads: &[usize], size: usize| {
            let missing = batch.len() - heads.len();
            let own = strides_of(heads);
            let stride = |d: usize| match d.checked_sub(missing) {
                Some(d) if heads[d] != 1 => own[d] * size as isize,
                _ => 0,
            };
            offsets(&(0..batch.len()).map(|d| (batch[d], stride(d))).collect::<Vec<_>>())
        };
        let mut shape = batch.clone();
        shape.extend((a.len() > 1).then_some(m));
        shape.extend((b.len() > 1).then_some(n));
        affordable(&shape)?;
        let pairs = places(heads, m * k).into_iter().zip(places(other, k * n));
        let starts = pairs.map(|(a, b)| (a as usize, b as usize)).collect();
        Ok(Batches { m, k, n, starts, shape })
    }

    /// Computes all products.
    pub fn multiply<T: Product>(&self, a: &[T], b: &[T]) -> Vec<T> {
        let &Batches { m, k, n, .. } = self;
        let mut out = vec![T::zero(); m * n * self.starts.len()];
        let product = |at: usize, out: &mut [T]| {
            let (a_from, b_from) = self.starts[at];
            multiply(out, Matrix::new(&a[a_from..], m, k), Matrix::new(&b[b_from..], k, n));
        };
        if !out.is_empty() && k > 0 {
            pieces(&mut out, m * n, product);
        }
        out
    }
}

/// Rounds accumulated results and makes them an array.
pub fn rounded<T: Sum>(dtype: DType, shape: &[usize], totals: &[T::Total]) -> Result<Array, Refusal> {
    Array::written(dtype, shape, |out| {
        out.data.iter_mut().zip(totals).for_each(|(out, &total)| *out = T::of_total(total));
        Ok(())
    })
}

fn mat_mul(node: &Node) -> Outputs {
    let (a, b) = (node.input(0)?, node.input(1)?);
    let batches = Batches::broadcast(a.shape(), b.shape())?;
    one(with_number!(a.dtype(), T => {
        let product = batches.multiply(&T::totals(a.slice::<T>()), &T::totals(b.slice::<T>()));
        rounded::<T>(a.dtype(), &batches.shape, &product)
    })?)
}

/// Converts 8-bit integers to int32.
pub fn widened(a: &Array) -> Vec<i32> {
    match a.dtype() {
        DType::Int8 => a.slice::<i8>().iter().map(|&x| i32::from(x)).collect(),
        _ => a.slice::<u8>().iter().map(|&x| i32::from(x)).collect(),
    }
}

/// Subtracts the zero points from `data`. The zero points are reshaped to `shape` and broadcast to the data.
pub fn centred(data: &Array, zero: Option<&Array>, shape: &[usize]) -> Result<Vec<i32>, Refusal> {
    let numbers = widened(data);
    let Some(zero) = zero else { return Ok(numbers) };
    let points = widened(zero);
    let mut out = vec![0; numbers.len()];
    let (numbers, points) = (View::packed(&numbers, data.shape()), View::packed(&points, shape));
    if points.broadcast(data.shape()).is_none() {
        return Err(Refusal::invalid(format!("zero points of shape {shape:?} do not broadcast to {:?}", data.shape())));
    }
    map2(&mut ViewMut::packed(&mut out, data.shape()), &numbers, &points, |x: i32, zero| x - zero);
    Ok(out)
}

/// Reads the zero point of an input and the shape in which it broadcasts to `data`. `along` says which axis has zero
/// points, counted from the last: 2 for rows, 1 for columns. There may be one zero point for all elements, one for each
/// row or column, or one for each row or column of every matrix.
pub fn points<'a>(
    node: &Node<'a>,
    at: usize,
    data: &Array,
    along: usize,
) -> Result<(Option<&'a Array>, Vec<usize>), Refusal> {
    let Some(zero) = node.optional(at)? else { return Ok((None, Vec::new())) };
    let wrong = || {
        Refusal::invalid(format!(
            "zero points of shape {:?} do not fit a matrix of shape {:?}",
            zero.shape(),
            data.shape()
        ))
    };
    if zero.len() == 1 && zero.rank() <= 1 {
        return Ok((Some(zero), Vec::new()));
    }
    let rank = data.rank();
    let mut whole = data.shape().to_vec();
    if rank >= 2 {
        whole[if along == 2 { rank - 1 } else { rank - 2 }] = 1;
        let list = rank == 2 && zero.shape() == [data.shape()[rank - along]];
        if list || zero.shape() == whole {
            return Ok((Some(zero), whole));
        }
    }
    Err(wrong())
}

fn mat_mul_integer(node: &Node) -> Outputs {
    let (a, b) = (node.input(0)?, node.input(1)?);
    let batches = Batches::broadcast(a.shape(), b.shape())?;
    let (a_zero, a_shape) = points(node, 2, a, 2)?;
    let (b_zero, b_shape) = points(node, 3, b, 1)?;
    let product = batches.multiply(&centred(a, a_zero, &a_shape)?, &centred(b, b_zero, &b_shape)?);
    one(Array::from_elements(DType::Int32, &batches.shape, &product)?)
}

/// Computes Gemm: alpha * A * B + beta * C.
fn gemm(node: &Node) -> Outputs {
    let (a, b, c) = (node.input(0)?, node.input(1)?, node.optional(2)?);
    let (&[rows, columns], &[other_rows, other_columns]) = (a.shape(), b.shape()) else {
        return Err(Refusal::invalid(format!(
            "`A` and `B` have shapes {:?} and {:?}, expected rank 2",
            a.shape(),
            b.shape()
        )));
    };
    let (turn_a, turn_b) = (node.int("transA") != 0, node.int("transB") != 0);
    let (m, k) = if turn_a { (columns, rows) } else { (rows, columns) };
    let (inner, n) = if turn_b { (other_columns, other_rows) } else { (other_rows, other_columns) };
    if k != inner {
        return Err(Refusal::invalid(format!("matrices of {m} x {k} and {inner} x {n} cannot be multiplied")));
    }
    let shape = [m, n];
    let len = affordable(&shape)?;
    if let Some(c) = c {
        let whole = node.since() < 7 && node.int("broadcast") == 0;
        let stands = c.rank() <= 2 && c.shape().iter().rev().zip(shape.iter().rev()).all(|(&c, &s)| c == s || c == 1);
        if whole && c.shape() != shape {
            return Err(Refusal::invalid(format!(
                "`C` has shape {:?}, expected {shape:?} without `broadcast`",
                c.shape()
            )));
        }
        if !stands {
            return Err(Refusal::invalid(format!(
                "`C` of shape {:?} does not broadcast to the product of shape {shape:?}",
                c.shape()
            )));
        }
    }
    let (alpha, beta) = (node.float("alpha"), node.float("beta"));
    let dtype = a.dtype();
    let product = with_number!(dtype, T => {
        let (a, b) = (T::totals(a.slice::<T>()), T::totals(b.slice::<T>()));
        let (a, b) = (Matrix::new(&a, rows, columns), Matrix::new(&b, other_rows, other_columns));
        let mut product = vec![<T as Sum>::Total::zero(); len];
        multiply(&mut product, if turn_a { a.turned() } else { a }, if turn_b { b.turned() } else { b });
        if dtype.is_float() && size_of::<T>() < 4 {
            // The product stays in the accumulating type until C is added.
            Array::from_elements(DType::Float, &shape, &product)
        } else {
            Array::from_elements(dtype, &shape, &product)
        }
    })?;
    one(match dtype.is_float() {
        true => with_float!(dtype, T => {
            type A = <T as Sum>::Total;
            let (alpha, beta) = (A::from_double(f64::from(alpha)), A::from_double(f64::from(beta)));
            combined(dtype, &product, c, |p: A| T::of_total(alpha * p), |p: A, c: T| T::of_total(alpha * p + beta * c.total()))
        }),
        false => {
            let whole = [alpha, beta].map(|factor| factor.fract() == 0.0 && factor.abs() < 1e18);
            let (by, and) = (alpha as i128, beta as i128);
            let (alpha, beta) = (f64::from(alpha), f64::from(beta));
            with_integer!(dtype, T => combined(
                dtype,
                &product,
                c,
                |p: T| if whole[0] { T::wrap(by * p.to_i128()) } else { T::from_double(alpha * p.to_f64()) },
                |p: T, c: T| match whole {
                    [true, true] => T::wrap(by * p.to_i128() + and * c.to_i128()),
                    _ => T::from_double(alpha * p.to_f64() + beta * c.to_f64()),
                },
            ))
        }
    }?)
}

fn combined<T: Number, A: Number>(
    dtype: DType,
    product: &Array,
    c: Option<&Array>,
    alone: impl Fn(A) -> T + Sync,
    both: impl Fn(A, T) -> T + Sync,
) -> Result<Array, Refusal> {
    Array::written(dtype, product.shape(), |out| {
        match c {
            Some(c) => map2(out, &product.view::<A>(), &c.view::<T>(), both),
            None => crate::kernels::element_wise::map1(out, &product.view::<A>(), alone),
        }
        Ok(())
    })
}
