//! Lowers reductions, ArgMax and ArgMin, Softmax and related operators, CumProd, CumSum and TopK.

use super::context::{Lowering, axis_of};
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{FeatureLevel, TensorDataType};
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] = &[
    ("ArgMax", |lower| extremum(lower, "ARGMAX")),
    ("ArgMin", |lower| extremum(lower, "ARGMIN")),
    ("CumProd", |lower| cumulated(lower, "CUMULATIVE_PRODUCT", "HasExclusiveProduct")),
    ("CumSum", |lower| cumulated(lower, "CUMULATIVE_SUMMATION", "HasExclusiveSum")),
    ("Hardmax", |lower| softmax(lower, ["ACTIVATION_HARDMAX", "ACTIVATION_HARDMAX1"])),
    ("LogSoftmax", |lower| softmax(lower, ["ACTIVATION_LOG_SOFTMAX", "ACTIVATION_LOG_SOFTMAX1"])),
    ("ReduceL1", |lower| reduce(lower, "L1", 18)),
    ("ReduceL2", |lower| reduce(lower, "L2", 18)),
    ("ReduceLogSum", |lower| reduce(lower, "LOG_SUM", 18)),
    ("ReduceLogSumExp", |lower| reduce(lower, "LOG_SUM_EXP", 18)),
    ("ReduceMax", |lower| reduce(lower, "MAX", 18)),
    ("ReduceMean", |lower| reduce(lower, "AVERAGE", 18)),
    ("ReduceMin", |lower| reduce(lower, "MIN", 18)),
    ("ReduceProd", |lower| reduce(lower, "MULTIPLY", 18)),
    ("ReduceSum", |lower| reduce(lower, "SUM", 13)),
    ("ReduceSumSquare", |lower| reduce(lower, "SUM_SQUARE", 18)),
    ("Softmax", |lower| softmax(lower, ["ACTIVATION_SOFTMAX", "ACTIVATION_SOFTMAX1"])),
    ("TopK", top_k),
];

/// Returns the sizes with 1 in place of the reduced axes, and the sizes without these axes.
pub fn without(x: &View, axes: &[usize]) -> [Vec<u32>; 2] {
    let kept = x.sizes.iter().enumerate().map(|(d, &size)| if axes.contains(&d) { 1 } else { size }).collect();
    let left = x.sizes.iter().enumerate().filter(|(d, _)| !axes.contains(d)).map(|(_, &size)| size).collect();
    [kept, left]
}

/// Reduces a tensor over axes, which are kept with size 1.
pub fn reduced(lower: &mut Lowering, x: &View, function: &str, axes: &[usize]) -> Result<View, LoweringError> {
    let [kept, _] = without(x, axes);
    let call = lower.call("REDUCE").set("Function", function).read("InputTensor", x).axes("Axes", axes);
    call.write("OutputTensor", x.data_type, &kept).one()
}

/// Lowers a reduction. Without axes it reduces over all axes or, with `noop_with_empty_axes`, over none.
fn reduce(lower: &mut Lowering, function: &'static str, moved: u32) -> Views {
    let x = lower.input(0)?;
    let axes = lower.numbers("axes", 1, moved)?.unwrap_or_default();
    let axes = axes.iter().map(|&axis| axis_of(axis, x.rank())).collect::<Result<Vec<_>, _>>()?;
    if axes.is_empty() && lower.node.int("noop_with_empty_axes") != 0 {
        return Ok(vec![each(lower, x, function)?]);
    }
    let mut axes = if axes.is_empty() { (0..x.rank()).collect() } else { axes };
    axes.sort_unstable();
    axes.dedup();
    let [_, left] = without(&x, &axes);
    // A scalar gets one dimension, because REDUCE needs an axis.
    let scalar = x.rank() == 0;
    let (x, axes) = if scalar { (x.reshaped(&[1]), vec![0]) } else { (x, axes) };
    let mut reduced = reduced(lower, &x, function, &axes)?;
    // DirectML reduces the bytes that carry bool. A result other than 0 must become 1.
    if function == "MIN" && lower.tensor(0)?.is_some_and(|x| x.dtype() == DType::Bool) {
        reduced = lower.not_zero(&reduced)?;
    }
    Ok(vec![if lower.node.int("keepdims") != 0 && !scalar { reduced } else { reduced.reshaped(&left) }])
}

/// Applies only the element-wise part of a reduction, for a node that reduces over no axes.
fn each(lower: &mut Lowering, x: View, function: &str) -> Result<View, LoweringError> {
    use TensorDataType::{Float16, Float32, Float64, Uint8, Uint16, Uint32, Uint64};
    match function {
        "L1" | "L2" if !matches!(x.data_type, Uint8 | Uint16 | Uint32 | Uint64) => lower.unary("ELEMENT_WISE_ABS", &x),
        "LOG_SUM" if matches!(x.data_type, Float16 | Float32 | Float64) => lower.unary("ELEMENT_WISE_LOG", &x),
        // ELEMENT_WISE_LOG does not support integers, but the reduction does.
        "LOG_SUM" => {
            let one_more = [x.sizes.as_slice(), &[1]].concat();
            let reduced = reduced(lower, &x.reshaped(&one_more), function, &[x.rank()])?;
            Ok(reduced.reshaped(&x.sizes))
        }
        "SUM_SQUARE" => lower.binary("ELEMENT_WISE_MULTIPLY", [&x, &x], x.data_type),
        _ => Ok(x),
    }
}

/// ArgMax and ArgMin. `select_last_index` is expressed by the reverse direction.
fn extremum(lower: &mut Lowering, operator: &'static str) -> Views {
    let x = lower.input(0)?;
    let axis = axis_of(lower.node.int("axis"), x.rank())?;
    let [kept, left] = without(&x, &[axis]);
    let direction = if lower.node.int("select_last_index") != 0 { "DECREASING" } else { "INCREASING" };
    let call = lower.call(operator).read("InputTensor", &x).axes("Axes", &[axis]).set("AxisDirection", direction);
    let found = call.write("OutputTensor", TensorDataType::Int64, &kept).one()?;
    Ok(vec![if lower.node.int("keepdims") != 0 { found } else { found.reshaped(&left) }])
}

/// Softmax, LogSoftmax and Hardmax. From version 13 on they work on one axis; earlier versions work on the given axis
/// and all axes after it. DirectML's operators take axes from level 5_1 on. Below that level they work on rows, so the
/// lowering moves the axes to the end and then back.
fn softmax(lower: &mut Lowering, [along_rows, with_axes]: [&'static str; 2]) -> Views {
    let x = lower.input(0)?;
    let axis = match (lower.node.int("axis"), x.rank()) {
        (0 | -1, 0) => {
            return softmax_of(lower, x.reshaped(&[1]), &[0], [along_rows, with_axes]).map(|y| vec![y.reshaped(&[])]);
        }
        // All dimensions are before the axis, so that each row has one element.
        (axis, rank) if lower.since() == 1 && axis == rank as i64 => {
            let sizes = [&x.sizes[..], &[1]].concat();
            let y = softmax_of(lower, x.reshaped(&sizes), &[rank], [along_rows, with_axes])?;
            return Ok(vec![y.reshaped(&x.sizes)]);
        }
        (axis, rank) => axis_of(axis, rank)?,
    };
    let axes: Vec<usize> = if lower.since() < 13 { (axis..x.rank()).collect() } else { vec![axis] };
    Ok(vec![softmax_of(lower, x, &axes, [along_rows, with_axes])?])
}

/// Applies the operator over these axes.
pub fn softmax_of(
    lower: &mut Lowering,
    x: View,
    axes: &[usize],
    [along_rows, with_axes]: [&'static str; 2],
) -> Result<View, LoweringError> {
    if lower.level() >= FeatureLevel::V5_1 {
        let call = lower.call(with_axes).read("InputTensor", &x).axes("Axes", axes);
        return call.write("OutputTensor", x.data_type, &x.sizes).one();
    }
    let order: Vec<usize> = (0..x.rank()).filter(|d| !axes.contains(d)).chain(axes.iter().copied()).collect();
    let moved = lower.packed(x.transposed(&order))?;
    let row: u32 = axes.iter().map(|&axis| x.sizes[axis]).product();
    let rows = moved.reshaped(&[moved.count() / row, row]);
    let y = lower.call(along_rows).read("InputTensor", &rows).keep([0, 1]);
    let y = y.write("OutputTensor", x.data_type, &rows.sizes).one()?.reshaped(&moved.sizes);
    let back: Vec<usize> = (0..x.rank()).map(|d| order.iter().position(|&o| o == d).unwrap_or(d)).collect();
    Ok(y.transposed(&back))
}

fn cumulated(lower: &mut Lowering, operator: &'static str, flag: &'static str) -> Views {
    let x = lower.input(0)?;
    let axis = lower.integers(1)?.and_then(|axis| axis.first().copied());
    let axis = axis_of(axis.ok_or_else(|| Refusal::invalid("`axis` is missing"))?, x.rank())?;
    let direction = if lower.node.int("reverse") != 0 { "DECREASING" } else { "INCREASING" };
    let exclusive = lower.node.int("exclusive") == 1;
    let call = lower.call(operator).read("InputTensor", &x).axis("Axis", axis);
    let call = call.set("AxisDirection", direction).set(flag, exclusive);
    Ok(vec![call.write("OutputTensor", x.data_type, &x.sizes).one()?])
}

/// Lowers TopK. The operator writes 64-bit indices from level 5_0 on; before that, 32-bit indices are converted.
fn top_k(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axis = axis_of(lower.node.int("axis"), x.rank())?;
    let k = match lower.since() {
        1 => Some(lower.node.int("k")),
        _ => lower.integers(1)?.and_then(|k| k.first().copied()),
    };
    let k = u32::try_from(k.unwrap_or(0)).ok().filter(|&k| k <= x.sizes[axis]);
    let k = k.ok_or_else(|| Refusal::invalid("`k` is negative or exceeds the extent of the axis"))?;
    if k == 0 {
        return Err(Unsupported::from(super::Obstacle::Empty { tensor: "Values".to_owned() }).into());
    }
    let largest = lower.since() < 11 || lower.node.int("largest") != 0;
    let mut sizes = x.sizes.clone();
    sizes[axis] = k;
    let index_type = index_type(lower.level());
    let call = lower.call("TOP_K1").read("InputTensor", &x).axis("Axis", axis).set("K", k);
    let call = call.set("AxisDirection", if largest { "DECREASING" } else { "INCREASING" });
    let call = call.write("OutputValueTensor", x.data_type, &sizes);
    let mut views = call.write("OutputIndexTensor", index_type, &sizes).all()?;
    views[1] = lower.cast(&views[1], TensorDataType::Uint64)?;
    Ok(views)
}

/// Returns the type in which TOP_K1 and MAX_POOLING2 write indices at a level.
pub fn index_type(level: FeatureLevel) -> TensorDataType {
    if level >= FeatureLevel::V5_0 { TensorDataType::Uint64 } else { TensorDataType::Uint32 }
}
