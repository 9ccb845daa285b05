//! Lowers operators that do not change elements. Most of them return views and copy nothing.

use super::context::{Lowering, axis_of, front_axis_of, scalar, sizes_from, stretched};
use super::error::{LoweringError, Unsupported};
use super::view::{View, broadcast};
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType::Uint8};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("DepthToSpace", depth_to_space),
    ("Dropout", dropout),
    ("Expand", expand),
    ("Flatten", flatten),
    ("Identity", |lower| Ok(vec![lower.input(0)?])),
    ("Reshape", reshape),
    ("SpaceToDepth", space_to_depth),
    ("Squeeze", squeeze),
    ("Transpose", transpose),
    ("Unsqueeze", unsqueeze),
];

/// Transpose: reorders the input's strides.
fn transpose(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let order = match lower.node.ints("perm") {
        Some(perm) => perm.iter().map(|&d| front_axis_of(d, x.rank())).collect::<Result<Vec<_>, _>>()?,
        None => (0..x.rank()).rev().collect(),
    };
    if (0..x.rank()).any(|d| !order.contains(&d)) || order.len() != x.rank() {
        return Err(Refusal::invalid(format!("`perm` {order:?} is not a permutation of the dimensions")).into());
    }
    Ok(vec![x.transposed(&order)])
}

/// Expand: broadcasts with strides of 0.
fn expand(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let shape = lower.integers(1)?.unwrap_or_default();
    if lower.tensor(1)?.is_some_and(|shape| shape.rank() != 1) {
        return Err(Refusal::invalid("`shape` must have 1 dimension").into());
    }
    let shape = sizes_from("output", &shape)?;
    let sizes = broadcast([x.sizes.as_slice(), &shape]);
    let sizes =
        sizes.ok_or_else(|| Refusal::invalid(format!("shapes {:?} and {shape:?} do not broadcast", x.sizes)))?;
    sizes_from("output", &sizes.iter().copied().map(i64::from).collect::<Vec<_>>())?;
    Ok(vec![stretched(&x, &sizes)?])
}

fn reshaped(x: &View, shape: &[i64]) -> Views {
    let sizes = sizes_from("output", shape)?;
    match sizes.iter().product::<u32>() == x.count() {
        true => Ok(vec![x.reshaped(&sizes)]),
        false => Err(Refusal::invalid(format!("{:?} cannot be reshaped to {shape:?}", x.sizes)).into()),
    }
}

/// Lowers Reshape. Without `allowzero`, a 0 in `shape` keeps the extent of the input. With `allowzero`, a 0 would make
/// the output empty, and the lowering refuses that. -1 stands for the remaining extent.
fn reshape(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let shape = lower.numbers("shape", 1, 5)?;
    let mut shape = shape.ok_or_else(|| Refusal::invalid("`shape` is missing"))?;
    for (d, extent) in shape.iter_mut().enumerate() {
        if *extent == 0 && lower.node.int("allowzero") == 0 {
            *extent = x.sizes.get(d).map_or(0, |&size| i64::from(size));
        }
    }
    if let Some(open) = shape.iter().position(|&extent| extent == -1) {
        let known: i64 = shape.iter().filter(|&&extent| extent != -1).product();
        shape[open] = i64::from(x.count()).checked_div(known).unwrap_or(0);
    }
    reshaped(&x, &shape)
}

fn flatten(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axis = match lower.node.int("axis") {
        axis if axis == x.rank() as i64 => x.rank(),
        axis if lower.since() < 11 => front_axis_of(axis, x.rank())?,
        axis => axis_of(axis, x.rank())?,
    };
    let product = |sizes: &[u32]| sizes.iter().map(|&size| i64::from(size)).product();
    reshaped(&x, &[product(&x.sizes[..axis]), product(&x.sizes[axis..])])
}

/// Converts axes to indices of dimensions. From version 11 on, axes may be negative, and then count from the end.
fn counted(lower: &Lowering, axes: &[i64], rank: usize) -> Result<Vec<usize>, LoweringError> {
    let axis = if lower.since() < 11 { front_axis_of } else { axis_of };
    axes.iter().map(|&at| axis(at, rank)).collect()
}

/// Squeeze: removes the given axes, or all axes of extent 1.
fn squeeze(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axes = lower.numbers("axes", 1, 13)?;
    let axes = axes.map(|axes| counted(lower, &axes, x.rank())).transpose()?;
    let axes = axes.unwrap_or_else(|| (0..x.rank()).filter(|&d| x.sizes[d] == 1).collect());
    let left = x.sizes.iter().enumerate().filter(|(d, _)| !axes.contains(d));
    reshaped(&x, &left.map(|(_, &size)| i64::from(size)).collect::<Vec<_>>())
}

fn unsqueeze(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axes = lower.numbers("axes", 1, 13)?.unwrap_or_default();
    if lower.since() >= 23 && lower.tensor(1)?.is_some_and(|axes| axes.rank() != 1) {
        return Err(Refusal::invalid("`axes` needs rank 1").into());
    }
    let rank = x.rank() + axes.len();
    let axes = counted(lower, &axes, rank)?;
    if (1..axes.len()).any(|at| axes[..at].contains(&axes[at])) {
        return Err(Refusal::invalid("`axes` names an axis twice").into());
    }
    let mut own = x.sizes.iter();
    let sizes = (0..rank).map(|d| if axes.contains(&d) { 1 } else { own.next().map_or(1, |&size| i64::from(size)) });
    reshaped(&x, &sizes.collect::<Vec<_>>())
}

/// Dropout that drops nothing: returns the data, and a mask of ones.
fn dropout(lower: &mut Lowering) -> Views {
    let training = match lower.since() {
        ..7 => lower.node.int("is_test") == 0,
        7..12 => false,
        _ => lower.integers(2)?.is_some_and(|flag| flag.first() == Some(&1)),
    };
    let ratio = match lower.since() {
        ..12 => lower.node.float("ratio").into(),
        _ => lower.known(1)?.map_or(0.5, |ratio| ratio.f64_at(0)),
    };
    if training && ratio != 0.0 {
        return Err(Unsupported::value("dropout in training", "is random").into());
    }
    let x = lower.input(0)?;
    if lower.node.outputs() == 1 {
        return Ok(vec![x]);
    }
    let data_type = if lower.since() < 10 { x.data_type } else { Uint8 };
    let call = lower.call("FILL_VALUE_CONSTANT").set("ValueDataType", data_type).set("Value", scalar(data_type, 1.0));
    let mask = call.write("OutputTensor", data_type, &x.sizes).one()?;
    Ok(vec![x, mask])
}

fn blocks(lower: &mut Lowering) -> Result<(View, u32, [u32; 4]), LoweringError> {
    let x = lower.input(0)?;
    let block = u32::try_from(lower.node.int("blocksize")).unwrap_or(0);
    let sizes = <[u32; 4]>::try_from(x.sizes.as_slice());
    let sizes = sizes.map_err(|_| Refusal::invalid(format!("the input has rank {}, expected 4", x.rank())))?;
    if block == 0 {
        return Err(Refusal::invalid("`blocksize` must be positive").into());
    }
    let mode = lower.node.string("mode")?;
    if lower.node.has_attribute("mode") && !["DCR", "CRD"].contains(&mode) {
        return Err(Refusal::invalid(format!("`mode` is `{mode}`, expected `DCR` or `CRD`")).into());
    }
    Ok((x, block, sizes))
}

/// Lowers DepthToSpace. The order of the elements is an attribute from level 2_1 on; before that it is always depth
/// first.
fn depth_to_space(lower: &mut Lowering) -> Views {
    let (x, block, [n, c, h, w]) = blocks(lower)?;
    let column_row_depth = lower.node.string("mode")? == "CRD";
    let sizes = [n, c / block / block, h * block, w * block];
    let ordered = column_row_depth || lower.level() >= FeatureLevel::V2_1;
    let operator = if ordered { "DEPTH_TO_SPACE1" } else { "DEPTH_TO_SPACE" };
    let call = lower.call(operator).read("InputTensor", &x).write("OutputTensor", x.data_type, &sizes);
    let call = call.set("BlockSize", block).exact();
    let order = if column_row_depth { "COLUMN_ROW_DEPTH" } else { "DEPTH_COLUMN_ROW" };
    Ok(vec![if ordered { call.set("Order", order) } else { call }.one()?])
}

/// Lowers SpaceToDepth. The order of the elements is an attribute from level 2_1 on; before that it is always depth
/// first.
fn space_to_depth(lower: &mut Lowering) -> Views {
    let (x, block, [n, c, h, w]) = blocks(lower)?;
    let sizes = [n, c * block * block, h / block, w / block];
    let column_row_depth = lower.node.string("mode")? == "CRD";
    let ordered = column_row_depth || lower.level() >= FeatureLevel::V2_1;
    let operator = if ordered { "SPACE_TO_DEPTH1" } else { "SPACE_TO_DEPTH" };
    let call = lower.call(operator).read("InputTensor", &x).write("OutputTensor", x.data_type, &sizes);
    let call = call.set("BlockSize", block).exact();
    let order = if column_row_depth { "COLUMN_ROW_DEPTH" } else { "DEPTH_COLUMN_ROW" };
    Ok(vec![if ordered { call.set("Order", order) } else { call }.one()?])
}
