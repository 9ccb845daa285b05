//! Operators that turn rows into rows: softmax and related activations, running sums and products, TOP_K.

use super::super::by_rows::{Rows, rows};
use super::super::call::{Call, Run, Stop, Written, distinct_axes, wrong};
use super::super::movement::picked;
use super::super::types::{comparable, floats, numbers};
use crate::description::OperatorDescription;
use plumbline_cpu::element::Float;
use plumbline_cpu::kernels::row::{self, Cumulation};

pub const OPERATORS: &[(&str, Run)] = &[
    ("ACTIVATION_HARDMAX", |call| activation(call, RowFunction::Hardmax)),
    ("ACTIVATION_HARDMAX1", |call| activation(call, RowFunction::Hardmax)),
    ("ACTIVATION_LOG_SOFTMAX", |call| activation(call, RowFunction::LogSoftmax)),
    ("ACTIVATION_LOG_SOFTMAX1", |call| activation(call, RowFunction::LogSoftmax)),
    ("ACTIVATION_SOFTMAX", |call| activation(call, RowFunction::Softmax)),
    ("ACTIVATION_SOFTMAX1", |call| activation(call, RowFunction::Softmax)),
    ("CUMULATIVE_PRODUCT", |call| cumulated(call, true)),
    ("CUMULATIVE_SUMMATION", |call| cumulated(call, false)),
    ("TOP_K", top_k),
    ("TOP_K1", top_k),
];

#[derive(Clone, Copy)]
enum RowFunction {
    Hardmax,
    LogSoftmax,
    Softmax,
}

impl RowFunction {
    fn run<T: Float>(self, row: &[T], out: &mut [T]) {
        match self {
            RowFunction::Hardmax => row::hardmax(row, out),
            RowFunction::LogSoftmax => row::log_softmax(row, out),
            RowFunction::Softmax => row::softmax(row, out),
        }
    }
}

/// Applies an activation over the axes in `Axes`, or over the tensor's last axis if the operator has no such field.
fn activation(call: &Call, kind: RowFunction) -> Written {
    let rank = call.sizes("InputTensor")?.len();
    let mut axes = match call.description.operator().field("Axes") {
        Some(_) => call.axes("Axes", rank)?,
        None => vec![rank - 1],
    };
    axes.sort_unstable();
    floats!(call.dtype("InputTensor")?, T => {
        let found = rows(call, ("InputTensor", "OutputTensor"), &axes, &|row: &[T], out| kind.run(row, out))?;
        Ok(vec![found])
    })
}

/// Applies an activation over axes to the result of another operator, which has these sizes. Returns `None` for other
/// activations.
pub fn fused(description: &OperatorDescription, sizes: &[usize], result: &[f64]) -> Result<Option<Vec<f64>>, Stop> {
    let axes = match description.name() {
        "ACTIVATION_SOFTMAX" => vec![sizes.len() - 1],
        "ACTIVATION_SOFTMAX1" => distinct_axes(description, "Axes", sizes.len())?,
        _ => return Ok(None),
    };
    let rows = Rows::along(sizes, sizes, &axes);
    Ok(Some(rows.each(result, &|row: &[f64], out: &mut [f64]| RowFunction::Softmax.run(row, out))))
}

fn cumulated(call: &Call, product: bool) -> Written {
    let axis = call.axis("Axis", call.sizes("InputTensor")?.len())?;
    let exclusive = call.bool(if product { "HasExclusiveProduct" } else { "HasExclusiveSum" })?;
    let cumulation = Cumulation { product, exclusive, reverse: call.uint("AxisDirection")? == 1 };
    numbers!(call.dtype("InputTensor")?, T => {
        let run = |row: &[T], out: &mut [T]| cumulation.run(row, out);
        Ok(vec![rows(call, ("InputTensor", "OutputTensor"), &[axis], &run)?])
    })
}

/// Returns the largest elements in descending order. TOP_K1 returns the smallest ones in ascending order if the axis
/// direction is increasing.
fn top_k(call: &Call) -> Written {
    let mut sizes = call.sizes("InputTensor")?;
    let axis = call.axis("Axis", sizes.len())?;
    let k = match call.uint("K")? {
        k if k > 0 && k <= sizes[axis] => k,
        k => return wrong("K", format!("is {k}, expected 1 to {}", sizes[axis])),
    };
    sizes[axis] = k;
    call.expect("OutputValueTensor", &sizes)?;
    call.expect("OutputIndexTensor", &sizes)?;
    let largest = call.description.uint("AxisDirection") != Some(0);
    let rows = Rows::read(call, ("InputTensor", "OutputIndexTensor"), &[axis])?;
    let found = comparable!(call, call.dtype("InputTensor")?, (data: "InputTensor") => {
        rows.each(&data, &|row, out: &mut [i64]| {
            out.iter_mut().zip(row::top(row, k, largest)).for_each(|(out, place)| *out = place as i64);
        })
    });
    let mut next = found.iter();
    let mut values = picked(call, ("InputTensor", "OutputValueTensor"), &mut |index, from| {
        from.copy_from_slice(index);
        from[axis] = next.next().map_or(0, |&place| place as usize);
    })?;
    values.push(call.put_integers("OutputIndexTensor", &found)?);
    Ok(values)
}
