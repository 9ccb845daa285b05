//! QLinearConv and QLinearMatMul: integers are summed in int32. The sums are scaled in float64 and rounded once.

use plumbline_tensor::DType;

use super::cast::{Manner, converted_to};
use super::convolution::channels;
use super::matmul::{Batches, centred, points};
use super::quantize::numbers;
use super::windows::Windows;
use crate::array::Array;
use crate::kernels::convolution::convolved;
use crate::kernels::element_wise::map2;
use crate::kernels::lanes::pieces;
use crate::kernels::quantize::quantized;
use crate::node::{Node, Operator, Outputs, one};
use crate::view::{View, ViewMut};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("QLinearConv", q_linear_conv), ("QLinearMatMul", q_linear_mat_mul)];

/// Returns the only number of an input.
fn single(node: &Node, at: usize) -> Result<f64, Refusal> {
    let given = node.input(at)?;
    match numbers(given)?[..] {
        [number] if given.rank() <= 1 => Ok(number),
        _ => Err(Refusal::invalid(format!("input {at} has shape {:?}, expected [] or [1]", given.shape()))),
    }
}

/// Quantizes `reals` with this scale and zero point. The result has the type of the zero point.
fn requantized(mut reals: Vec<f64>, shape: &[usize], scale: f64, zero: &Array) -> Result<Array, Refusal> {
    let (to, point) = (zero.dtype(), numbers(zero)?[0]);
    let range = (f64::NEG_INFINITY, f64::INFINITY);
    pieces(&mut reals, 1, |_, real| {
        real[0] = if to.is_float() { real[0] / scale + point } else { quantized(real[0], scale, point, range) };
    });
    converted_to(&Array::from_elements(DType::Double, shape, &reals)?, to, Manner::saturating())
}

fn q_linear_conv(node: &Node) -> Outputs {
    let (x, w) = (node.input(0)?, node.input(3)?);
    let channels = channels(node, x, w, false)?;
    let windows = Windows::read(node, &x.shape()[2..], &w.shape()[2..])?;
    let outputs = w.shape()[0];
    let (x_scale, y_scale) = (single(node, 1)?, single(node, 6)?);
    single(node, 2)?;
    single(node, 7)?;
    let (w_scale, w_zero) = (node.input(4)?, node.input(5)?);
    for given in [w_scale, w_zero] {
        if given.shape() != [outputs] && (given.len() != 1 || given.rank() > 1) {
            return Err(Refusal::invalid(format!(
                "`w_scale` or `w_zero_point` has shape {:?}, expected [], [1] or [{outputs}]",
                given.shape()
            )));
        }
    }
    let bias = match node.optional(8)? {
        Some(bias) if bias.shape() != [outputs] => {
            return Err(Refusal::invalid(format!("the bias has shape {:?}, expected [{outputs}]", bias.shape())));
        }
        bias => bias,
    };
    let mut w_shape = vec![1; w.rank()];
    w_shape[0] = w_zero.len();
    let (x, w) = (centred(x, Some(node.input(2)?), &[])?, centred(w, Some(w_zero), &w_shape)?);
    let (sums, shape) = convolved(&x, &w, &channels, &windows)?;
    let (w_scales, plane) = (numbers(w_scale)?, shape[2..].iter().product::<usize>().max(1));
    let real = |(at, &sum): (usize, &i32)| {
        let channel = at / plane % outputs;
        let sum = f64::from(sum) + bias.map_or(0.0, |bias| f64::from(bias.slice::<i32>()[channel]));
        sum * x_scale * w_scales[channel % w_scales.len()]
    };
    one(requantized(sums.iter().enumerate().map(real).collect(), &shape, y_scale, node.input(7)?)?)
}

/// Subtracts the zero points in float64. The zero points are reshaped to `shape` and broadcast to the data.
fn centred_floats(data: &Array, zero: &Array, shape: &[usize]) -> Result<Vec<f64>, Refusal> {
    let (numbers, points) = (numbers(data)?, numbers(zero)?);
    let mut out = vec![0.0; numbers.len()];
    let (numbers, points) = (View::packed(&numbers, data.shape()), View::packed(&points, shape));
    map2(&mut ViewMut::packed(&mut out, data.shape()), &numbers, &points, |x: f64, zero| x - zero);
    Ok(out)
}

fn q_linear_mat_mul(node: &Node) -> Outputs {
    let (a, b) = (node.input(0)?, node.input(3)?);
    let batches = Batches::broadcast(a.shape(), b.shape())?;
    let side = |data: &Array, at: usize, along: usize| {
        let (zero, shape) = points(node, at + 1, data, along)?;
        let (scale, zero) = (node.input(at)?, zero.ok_or_else(|| Refusal::invalid("a zero point is missing"))?);
        match scale.shape() == zero.shape() {
            true => Ok((numbers(scale)?, zero, shape)),
            false => Err(Refusal::invalid(format!(
                "a zero point has shape {:?} and its scale {:?}, expected equal shapes",
                zero.shape(),
                scale.shape()
            ))),
        }
    };
    let ((a_scales, a_zero, a_shape), (b_scales, b_zero, b_shape)) = (side(a, 1, 2)?, side(b, 4, 1)?);
    let y_scale = single(node, 6)?;
    single(node, 7)?;
    if node.input(6)?.shape() != node.input(7)?.shape() {
        return Err(Refusal::invalid("the scale and the zero point of the output have different shapes"));
    }
    let whole = a.dtype().is_integer() && b.dtype().is_integer();
    let mut sums: Vec<f64> = match whole {
        true => {
            let (a, b) = (centred(a, Some(a_zero), &a_shape)?, centred(b, Some(b_zero), &b_shape)?);
            batches.multiply(&a, &b).into_iter().map(f64::from).collect()
        }
        false => batches.multiply(&centred_floats(a, a_zero, &a_shape)?, &centred_floats(b, b_zero, &b_shape)?),
    };
    let (m, k, n) = (batches.m, batches.k, batches.n);
    // A single scale applies to all matrices. A longer list has one scale for each row or column, matrix after matrix.
    let scale = |scales: &[f64], at: usize| scales.get(at % scales.len().max(1)).copied().unwrap_or(1.0);
    for (sums, &(a_from, b_from)) in sums.chunks_mut((m * n).max(1)).zip(&batches.starts) {
        let a_from = a_from.checked_div(k).unwrap_or(0);
        let b_from = b_from.checked_div(k).unwrap_or(0);
        for (at, sum) in sums.iter_mut().enumerate() {
            *sum *= scale(&a_scales, a_from + at / n) * scale(&b_scales, b_from + at % n);
        }
    }
    one(requantized(sums, &batches.shape, y_scale, node.input(7)?)?)
}
