//! Operators that only change or read the shape, and Identity.

use plumbline_tensor::DType;

use super::axes::{axis_from, distinct, extent};
use crate::array::{Array, Held};
use crate::element::{Number, with_number};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("Flatten", flatten),
    ("Identity", identity),
    ("Reshape", reshape),
    ("Shape", shape),
    ("Size", size),
    ("Squeeze", squeeze),
    ("Unsqueeze", unsqueeze),
];

fn identity(node: &Node) -> Outputs {
    let input = node.inputs().first().cloned().flatten();
    Ok(vec![input.ok_or_else(|| Refusal::invalid("input 0 is missing"))?])
}

/// Returns whole numbers that are an attribute before version `since`, and an input of rank 1 from that version on.
pub fn numbers(node: &Node, name: &str, input: usize, since: u32) -> Result<Option<Vec<i64>>, Refusal> {
    if node.since() < since {
        return Ok(node.ints(name).map(<[i64]>::to_vec));
    }
    let Some(array) = node.optional(input)? else { return Ok(None) };
    if array.rank() != 1 {
        return Err(Refusal::invalid(format!("`{name}` has shape {:?}, expected rank 1", array.shape())));
    }
    array.to_i64s().map(Some)
}

/// Converts whole numbers of any numeric type to `i64`. Refuses fractions and numbers that are too large.
pub fn whole_numbers(array: &Array) -> Result<Vec<i64>, Refusal> {
    let whole = |x: f64| match x.trunc() == x && x.abs() < 9e15 {
        true => Ok(x as i64),
        false => Err(Refusal::invalid(format!("found {x}, expected a whole number between -9e15 and 9e15"))),
    };
    match array.dtype() {
        DType::Int64 => array.to_i64s(),
        dtype => with_number!(dtype, T => array.slice::<T>().iter().map(|x| whole(x.to_f64())).collect()),
    }
}

fn reshape(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let shape = numbers(node, "shape", 1, 5)?.ok_or_else(|| Refusal::invalid("`shape` is missing"))?;
    let keeps_zero = node.int("allowzero") != 0;
    if keeps_zero && shape.contains(&0) && shape.contains(&-1) {
        return Err(Refusal::invalid("`shape` has both 0 and -1, but `allowzero` is 1"));
    }
    let one_of = |(at, &value): (usize, &i64)| match value {
        0 if !keeps_zero => data.shape().get(at).map(|&extent| Some(extent)).ok_or_else(|| {
            Refusal::invalid(format!("extent {at} cannot be copied from an input of rank {}", data.rank()))
        }),
        -1 => Ok(None),
        value => extent(value).map(Some),
    };
    let extents = shape.iter().enumerate().map(one_of).collect::<Result<Vec<_>, _>>()?;
    let known = extents.iter().flatten().try_fold(1usize, |n, &e| n.checked_mul(e));
    let wrong = || Refusal::invalid(format!("shape {:?} cannot be reshaped to {shape:?}", data.shape()));
    let known = known.ok_or_else(wrong)?;
    let open = match extents.iter().filter(|e| e.is_none()).count() {
        0 => 1,
        1 if known != 0 && data.len() % known == 0 => data.len() / known,
        _ => return Err(wrong()),
    };
    let extents: Vec<usize> = extents.into_iter().map(|e| e.unwrap_or(open)).collect();
    one(data.reshaped(&extents)?)
}

fn flatten(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axis = match node.int("axis") {
        axis if axis < 0 => axis_from(node.since() >= 11, axis, data.rank())?,
        axis => axis_from(false, axis, data.rank() + 1)?,
    };
    let (outer, inner) = data.shape().split_at(axis);
    one(data.reshaped(&[outer.iter().product(), inner.iter().product()])?)
}

fn squeeze(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let keep = match numbers(node, "axes", 1, 13)? {
        None => data.shape().iter().map(|&e| e != 1).collect(),
        Some(axes) => {
            let mut keep = vec![true; data.rank()];
            for &axis in &axes {
                let axis = axis_from(node.since() >= 11, axis, data.rank())?;
                if data.shape()[axis] != 1 {
                    return Err(Refusal::invalid(format!(
                        "axis {axis} of shape {:?} does not have extent 1",
                        data.shape()
                    )));
                }
                keep[axis] = false;
            }
            keep
        }
    };
    let shape: Vec<usize> = data.shape().iter().zip(keep).filter(|(_, keep)| *keep).map(|(&e, _)| e).collect();
    one(data.reshaped(&shape)?)
}

fn unsqueeze(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axes = match (13..23).contains(&node.since()) && node.input(1)?.rank() == 0 {
        true => node.input(1)?.to_i64s()?,
        false => numbers(node, "axes", 1, 13)?.unwrap_or_default(),
    };
    if node.since() < 11 && axes.iter().any(|&a| a < 0) {
        return Err(Refusal::invalid(format!("axes {axes:?} have a negative axis, which this version does not allow")));
    }
    let rank = data.rank() + axes.len();
    let new = distinct(&axes, rank)?;
    let mut old = data.shape().iter();
    let extent = |d: usize| if new.contains(&d) { 1 } else { old.next().copied().unwrap_or(1) };
    let shape: Vec<usize> = (0..rank).map(extent).collect();
    one(data.reshaped(&shape)?)
}

fn shape(node: &Node) -> Outputs {
    let shape = node.input(0)?.shape();
    let place = |value: i64| {
        let from_start = if value < 0 { value.saturating_add(shape.len() as i64) } else { value };
        from_start.clamp(0, shape.len() as i64) as usize
    };
    let start = place(node.int("start"));
    let end = node.optional_int("end").map_or(shape.len(), place).max(start);
    let extents: Vec<i64> = shape[start..end].iter().map(|&e| e as i64).collect();
    one(Array::from_elements(DType::Int64, &[extents.len()], &extents)?)
}

fn size(node: &Node) -> Outputs {
    let count = node.input(0)?.len() as i64;
    Ok(vec![Held::Array(Array::from_elements(DType::Int64, &[], &[count])?)])
}
