//! Pad. The mode `constant` fills the output and copies the input into it. The other modes gather elements by index,
//! one axis after the other.

use plumbline_tensor::DType;

use super::axes::axis;
use super::moved::on_bits;
use super::shapes::numbers;
use crate::array::{Array, affordable};
use crate::element::{Number, with_bits, with_float};
use crate::kernels::copy::{copy, fill};
use crate::kernels::pick::pick_along;
use crate::node::{Node, Operator, Outputs};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[("Pad", pad)];

/// The origin of the added elements.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Constant,
    Reflect,
    Edge,
    Wrap,
}

fn mode(node: &Node) -> Result<Mode, Refusal> {
    Ok(match node.string("mode")? {
        "constant" => Mode::Constant,
        "reflect" => Mode::Reflect,
        "edge" => Mode::Edge,
        "wrap" if node.since() >= 19 => Mode::Wrap,
        other => return Err(Refusal::invalid(format!("`mode` is `{other}`, which is not a mode of this version"))),
    })
}

/// Returns the numbers of elements to add before and after each axis.
fn pads(node: &Node, rank: usize) -> Result<Vec<(i64, i64)>, Refusal> {
    let name = if node.since() < 2 { "paddings" } else { "pads" };
    let list = numbers(node, name, 1, 11)?.unwrap_or_default();
    let axes = match node.since() >= 18 {
        true => numbers(node, "axes", 3, 18)?,
        false => None,
    };
    let axes = axes.unwrap_or_else(|| (0..rank as i64).collect());
    if list.len() != 2 * axes.len() {
        return Err(Refusal::invalid(format!(
            "`{name}` has {} elements, expected two for each of {} axes",
            list.len(),
            axes.len()
        )));
    }
    let mut pads = vec![(0, 0); rank];
    for (at, &value) in axes.iter().enumerate() {
        pads[axis(value, rank)?] = (list[at], list[axes.len() + at]);
    }
    Ok(pads)
}

/// The padding of one axis: the elements that are left after negative pads have cut off some, and the numbers of
/// elements to add then.
struct Along {
    start: usize,
    left: usize,
    before: usize,
    after: usize,
}

fn along((before, after): (i64, i64), extent: usize) -> Result<Along, Refusal> {
    let wrong = || Refusal::invalid(format!("pads {before} and {after} do not fit an extent of {extent}"));
    let n = extent as i128;
    let whole = n + i128::from(before) + i128::from(after);
    if whole < 0 {
        return Err(wrong());
    }
    affordable(&[usize::try_from(whole).map_err(|_| wrong())?])?;
    // A negative pad may cut off more elements than the axis has. Then it also cuts off some that the other pad adds.
    let start = i128::from(before.min(0).unsigned_abs()).min(n);
    let left = (n - start - i128::from(after.min(0).unsigned_abs())).max(0);
    let added = whole - left;
    let (before, after) = match (before >= 0, after >= 0) {
        (true, true) => (i128::from(before), i128::from(after)),
        (true, false) => (added, 0),
        _ => (0, added),
    };
    Ok(Along { start: start as usize, left: left as usize, before: before as usize, after: after as usize })
}

/// Returns the index of the element to write at `place`, among the elements that negative pads have not cut off. `left`
/// is the number of these elements, and the first of them is at place 0.
fn source(mode: Mode, place: i64, left: i64) -> usize {
    (match mode {
        Mode::Reflect if left > 1 => {
            let period = 2 * (left - 1);
            let within = place.rem_euclid(period);
            within.min(period - within)
        }
        Mode::Wrap => place.rem_euclid(left),
        _ => place.clamp(0, left - 1),
    }) as usize
}

/// Returns the constant to pad with, as an array with one element of the data's type.
fn constant(node: &Node, data: &Array) -> Result<Array, Refusal> {
    if node.since() < 11 {
        let value = f64::from(node.float("value"));
        return with_float!(data.dtype(), T => Array::from_elements(data.dtype(), &[], &[T::from_double(value)]));
    }
    match node.optional(2)? {
        Some(value) if value.len() == 1 => value.reshaped(&[]),
        Some(value) => {
            Err(Refusal::invalid(format!("`constant_value` has shape {:?}, expected one element", value.shape())))
        }
        None if data.dtype() == DType::String => Array::strings_of(&[], vec![Vec::new()]),
        None => Array::zeros(data.dtype(), &[]),
    }
}

fn pad(node: &Node) -> Outputs {
    let (data, mode) = (node.input(0)?, mode(node)?);
    let pads = pads(node, data.rank())?;
    let axes = pads.iter().zip(data.shape()).map(|(&p, &e)| along(p, e)).collect::<Result<Vec<_>, _>>()?;
    let shape: Vec<usize> = axes.iter().map(|a| a.before + a.left + a.after).collect();
    affordable(&shape)?;
    if mode != Mode::Constant && axes.iter().any(|a| a.left == 0 && a.before + a.after > 0) {
        return Err(Refusal::invalid("an axis has no elements left that can be repeated"));
    }
    on_bits(&[data, &constant(node, data)?], |arrays| {
        let (data, value) = (&arrays[0], &arrays[1]);
        let padded = with_bits!(data.dtype().size(), T => match mode {
            Mode::Constant => Array::filled::<T>(data.dtype(), &shape, |out| {
                fill(out, value.slice::<T>()[0]);
                let mut view = data.view::<T>();
                let mut inner = out.sliced_all(axes.iter().map(|a| (a.before, a.left)));
                for (axis, a) in axes.iter().enumerate() {
                    view = view.sliced(axis, a.start, 1, a.left);
                }
                copy(&mut inner, &view);
                Ok(())
            }),
            _ => axes.iter().enumerate().try_fold(data.clone(), |data, (axis, a)| {
                let count = a.before + a.left + a.after;
                if (a.start, a.left, count) == (0, count, data.shape()[axis]) {
                    return Ok(data);
                }
                let place = |at: usize| a.start + source(mode, at as i64 - a.before as i64, a.left as i64);
                let places: Vec<usize> = (0..count).map(place).collect();
                let mut sizes = data.shape().to_vec();
                sizes[axis] = count;
                Array::filled::<T>(data.dtype(), &sizes, |out| {
                    pick_along(out, &data.view::<T>(), axis, &places);
                    Ok(())
                })
            }),
        })?;
        Ok(vec![padded])
    })
}
