//! Adagrad, Adam and Momentum. They optimize several tensors side by side, each with its gradient and with what earlier
//! gradients have accumulated.
//!
//! All three operators have these rules:
//!
//! - `input-count-fits`: the number of inputs fits the number of tensors that are optimized.
//! - `tensors-match-optimized`: the tensors that belong together have the same shape and element type.
//! - `r-and-t-scalar`: `R` and `T` have one element.
//! - `mixed-types`: the result if the inputs have two element types.
//! - `scalar-rank`: whether `R` and `T` may be one-dimensional tensors of one element.

use crate::families::normalization::{coarsest, constant, of_outcomes, staged};
use crate::prelude::*;

/// The learning rate, the number of updates, and the type in which to compute.
pub struct Schedule {
    /// The learning rate, which is the input `R`.
    pub rate: Real,
    /// The number of updates, which is the input `T`.
    pub count: i64,
    work: DType,
}

impl Schedule {
    /// Returns a FLOAT attribute in the type of the computation.
    pub fn attribute(&self, call: &Call, name: &str) -> Result<Real, Refusal> {
        Ok(constant(call.float(name)?, self.work))
    }

    /// Returns a constant of the formula in the type of the computation.
    pub fn constant(&self, value: f64) -> Real {
        Real::constant(value, self.work)
    }
}

/// Optimizes every tensor. At each place, `step` computes the elements of N - 1 outputs from the elements of N inputs
/// (the tensor, its gradient, ...). The outputs are the new values of these inputs, without the gradient, in the same
/// order.
pub fn optimize<const N: usize, const M: usize>(
    call: &Call,
    step: impl Fn(&Schedule, [Real; N]) -> Result<[Real; M], Refusal>,
) -> Answer {
    let tensors = call.tensors("inputs")?;
    if tensors.is_empty() || !tensors.len().is_multiple_of(N) {
        return Err(Refusal::violates(
            rule::INPUT_COUNT_FITS,
            format!("{} tensors are given, expected {N} for each optimized tensor", tensors.len()),
        ));
    }
    let scalar = |name: &str| match call.tensor(name)? {
        t if t.len() == 1 && t.rank() <= 1 => Ok(t),
        t => Err(Refusal::violates(
            rule::R_AND_T_SCALAR,
            format!("`{name}` has shape {:?}, expected a scalar or [1]", t.shape()),
        )),
    };
    let rate = scalar("R")?;
    if rate.rank() + scalar("T")?.rank() > 0 {
        call.leaves_open(rule::SCALAR_RANK);
    }
    let dtypes: Vec<DType> = tensors.iter().map(|t| t.dtype()).chain([rate.dtype()]).collect();
    let work = coarsest(&dtypes);
    let count = call.ints("T")?[0];
    let each = tensors.len() / N;
    let mut outputs: Vec<Vec<Expected>> = vec![vec![]; M];
    for at in 0..each {
        let group: Vec<&Expected> = (0..N).map(|k| tensors[k * each + at]).collect();
        if let Some(other) = group.iter().find(|t| t.shape() != group[0].shape() || t.dtype() != group[0].dtype()) {
            return Err(Refusal::violates(
                rule::TENSORS_MATCH_OPTIMIZED,
                format!(
                    "a gradient or state differs from its tensor in shape or type: the shapes are {:?} and {:?}",
                    other.shape(),
                    group[0].shape()
                ),
            ));
        }
        let inputs: Vec<&Expected> = group.iter().copied().chain([rate]).collect();
        let columns: [Vec<Number>; M] = of_outcomes(&inputs, |read| {
            let schedule = Schedule { rate: staged(read(&rate.number(0)), work), count, work };
            let mut columns: [Vec<Number>; M] = std::array::from_fn(|_| Vec::with_capacity(group[0].len()));
            for i in 0..group[0].len() {
                let elements = std::array::from_fn(|k| staged(read(&group[k].number(i)), work));
                let next = step(&schedule, elements)?;
                for (column, x) in columns.iter_mut().zip(next) {
                    column.push(x.at_precision(group[0].dtype()).into());
                }
            }
            Ok(columns)
        })?;
        for (output, column) in outputs.iter_mut().zip(columns) {
            output.push(Expected::from_numbers(group[0].dtype(), group[0].shape().to_vec(), column)?);
        }
    }
    several(outputs.into_iter().flatten())
}

/// Computes `G + norm_coefficient * X`.
pub fn regularized(gradient: Real, coefficient: Real, x: Real) -> Real {
    coefficient.times(x).plus(gradient)
}

/// Computes the square root.
pub fn root(x: Real) -> Real {
    Number::from(x).sqrt().real()
}
