//! Products of matrices.

use super::call::{Call, Dense, Run, Stop, Written, wrong};
use super::element_wise::activation::fused;
use super::element_wise::quantization::quantized;
use super::reduction::rows::fused as fused_over_axes;
use super::types::totals;
use plumbline_cpu::element::Number;
use plumbline_cpu::kernels::product::{Matrix, Product, multiply};

pub const OPERATORS: &[(&str, Run)] = &[
    ("GEMM", gemm),
    ("MATRIX_MULTIPLY_INTEGER", matrix_multiply_integer),
    ("MATRIX_MULTIPLY_INTEGER_TO_FLOAT", matrix_multiply_integer_to_float),
    ("QUANTIZED_LINEAR_MATRIX_MULTIPLY", quantized_linear_matrix_multiply),
];

/// The sizes of the matrices, and the number of products.
struct Sizes {
    count: usize,
    m: usize,
    k: usize,
    n: usize,
}

impl Sizes {
    /// Checks that the sizes of all matrices match.
    fn read(call: &Call, [turn_a, turn_b]: [bool; 2]) -> Result<Sizes, Stop> {
        let (mut a, mut b) = (call.sizes("ATensor")?, call.sizes("BTensor")?);
        let rank = a.len();
        if turn_a {
            a.swap(rank - 1, rank - 2);
        }
        if turn_b {
            b.swap(rank - 1, rank - 2);
        }
        let (m, k, n) = (a[rank - 2], a[rank - 1], b[rank - 1]);
        if b[rank - 2] != k || a[..rank - 2] != b[..rank - 2] {
            return wrong(
                "BTensor",
                format!("has matrices of sizes {b:?}, which cannot be multiplied with {a:?} of ATensor"),
            );
        }
        call.expect("OutputTensor", &[&a[..rank - 2], &[m, n]].concat())?;
        Ok(Sizes { count: a[..rank - 2].iter().product(), m, k, n })
    }

    /// Computes all products.
    fn multiply<T: Product>(&self, a: &[T], b: &[T], [turn_a, turn_b]: [bool; 2]) -> Vec<T> {
        let &Sizes { count, m, k, n } = self;
        let mut out = vec![T::zero(); count * m * n];
        for (at, out) in out.chunks_mut(m * n).enumerate() {
            let (a, b) = (&a[at * m * k..], &b[at * k * n..]);
            let a = if turn_a { Matrix::new(a, k, m).turned() } else { Matrix::new(a, m, k) };
            let b = if turn_b { Matrix::new(b, n, k).turned() } else { Matrix::new(b, k, n) };
            multiply(out, a, b);
        }
        out
    }
}

/// Computes the product in float32, or in float64 for float64 tensors. Then computes alpha times the product plus beta
/// times C, applies the activation in float64, and rounds once.
fn gemm(call: &Call) -> Written {
    let turn = [call.uint("TransA")? == 1, call.uint("TransB")? == 1];
    let (sizes, alpha, beta) = (Sizes::read(call, turn)?, call.float("Alpha")?, call.float("Beta")?);
    let added = call.optional_numbers("CTensor")?;
    let (a, b) = (call.numbers("ATensor")?.data, call.numbers("BTensor")?.data);
    let products: Vec<f64> = totals!(call.dtype("ATensor")?, T => {
        let cast = |x: &f64| T::from_double(*x);
        let (a, b): (Vec<T>, Vec<T>) = (a.iter().map(cast).collect(), b.iter().map(cast).collect());
        sizes.multiply(&a, &b, turn).iter().map(|x| x.to_f64()).collect()
    });
    let sum =
        |(at, product): (usize, &f64)| alpha * product + added.as_ref().map_or(0.0, |added| beta * added.data[at]);
    let mut sums: Vec<f64> = products.iter().enumerate().map(sum).collect();
    if let [activation] = call.called("FusedActivation") {
        sums = match fused_over_axes(activation, &call.sizes("OutputTensor")?, &sums)? {
            Some(found) => found,
            None => sums.into_iter().map(fused(activation)?).collect(),
        };
    }
    Ok(vec![call.put("OutputTensor", &sums)?])
}

/// Zero points or scales for the rows of A or the columns of B: one number for all of them, or one for each.
struct Along {
    values: Dense,
    /// Whether the numbers belong to the columns of B.
    columns: bool,
}

impl Along {
    fn read(call: &Call, field: &str, columns: bool, default: f64) -> Result<Along, Stop> {
        let none = Dense { sizes: vec![1], data: vec![default] };
        let values = call.optional_numbers(field)?.unwrap_or(none);
        let matrix = call.sizes(if columns { "BTensor" } else { "ATensor" })?;
        let wanted = matrix[matrix.len() - if columns { 1 } else { 2 }];
        match values.data.len() {
            1 => Ok(Along { values, columns }),
            count if count == wanted => Ok(Along { values, columns }),
            count => wrong(field, format!("has {count} elements, expected 1 or {wanted}")),
        }
    }

    /// Returns the number for an element at this row and column.
    fn at(&self, row: usize, column: usize) -> f64 {
        self.values.data[if self.columns { column } else { row }.min(self.values.data.len() - 1)]
    }

    /// Subtracts these numbers from the elements of a tensor.
    fn taken_off(&self, tensor: &Dense) -> Vec<i64> {
        let &[.., rows, columns] = tensor.sizes.as_slice() else { return Vec::new() };
        let less = |(at, x): (usize, &f64)| (x - self.at(at / columns % rows, at % columns)) as i64;
        tensor.data.iter().enumerate().map(less).collect()
    }
}

/// Computes the sums of products of integers, after the zero points are subtracted.
fn sums(call: &Call) -> Result<(Vec<i64>, Sizes), Stop> {
    let sizes = Sizes::read(call, [false; 2])?;
    let a = Along::read(call, "AZeroPointTensor", false, 0.0)?.taken_off(&call.numbers("ATensor")?);
    let b = Along::read(call, "BZeroPointTensor", true, 0.0)?.taken_off(&call.numbers("BTensor")?);
    Ok((sizes.multiply(&a, &b, [false; 2]), sizes))
}

fn matrix_multiply_integer(call: &Call) -> Written {
    Ok(vec![call.put_integers("OutputTensor", &sums(call)?.0)?])
}

/// Computes the sums, multiplied by the scales of row and column.
fn scaled(call: &Call) -> Result<Vec<f64>, Stop> {
    let (sums, Sizes { m, n, .. }) = sums(call)?;
    let a = Along::read(call, "AScaleTensor", false, 1.0)?;
    let b = Along::read(call, "BScaleTensor", true, 1.0)?;
    let scaled = |(at, &sum): (usize, &i64)| sum as f64 * a.at(at / n % m, 0) * b.at(0, at % n);
    Ok(sums.iter().enumerate().map(scaled).collect())
}

fn matrix_multiply_integer_to_float(call: &Call) -> Written {
    let mut found = scaled(call)?;
    if let Some(bias) = call.optional_numbers("BiasTensor")? {
        found.iter_mut().zip(bias.data).for_each(|(found, bias)| *found += bias);
    }
    Ok(vec![call.put("OutputTensor", &found)?])
}

fn quantized_linear_matrix_multiply(call: &Call) -> Written {
    let (mut found, columns) = (scaled(call)?, call.sizes("BTensor")?);
    let (rows, columns) = (call.sizes("ATensor")?[columns.len() - 2], columns[columns.len() - 1]);
    let scale = Along::read(call, "OutputScaleTensor", false, 1.0)?;
    let zero = Along::read(call, "OutputZeroPointTensor", false, 0.0)?;
    found.iter_mut().enumerate().for_each(|(at, x)| {
        let row = at / columns % rows;
        *x = quantized(*x, (scale.at(row, 0), zero.at(row, 0)));
    });
    Ok(vec![call.put("OutputTensor", &found)?])
}
