//! Lowers operators that read, write or find indices: Compress, Gather, NonZero, OneHot, ReverseSequence, Scatter,
//! TensorScatter and Trilu.

use super::context::{Lowering, axis_of, scalar, sizes_from, stretched};
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType::{Int32, Int64, Uint32, Uint64};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("Compress", compress),
    ("Gather", gather),
    ("GatherElements", gather_elements),
    ("GatherND", gather_nd),
    ("NonZero", non_zero),
    ("OneHot", one_hot),
    ("ReverseSequence", reverse_sequence),
    ("Scatter", scatter_elements),
    ("ScatterElements", scatter_elements),
    ("ScatterND", scatter_nd),
    ("TensorScatter", tensor_scatter),
    ("Trilu", trilu),
];

/// Lowers Compress. The number of selected elements determines the output's shape, so the condition must be known when
/// the graph is made.
fn compress(lower: &mut Lowering) -> Views {
    let (x, condition) = (lower.input(0)?, lower.known(1)?);
    let flags: Vec<bool> = condition.map_or_else(Vec::new, |c| (0..c.len()).map(|at| c.i128_at(at) != 0).collect());
    let axis = lower.node.optional_int("axis");
    let x = if axis.is_none() { x.reshaped(&[x.count()]) } else { x };
    let axis = axis_of(axis.unwrap_or(0), x.rank())?;
    if flags.iter().skip(x.sizes[axis] as usize).any(|&flag| flag) {
        return Err(Refusal::invalid(format!(
            "`condition` is true at a place beyond the {} elements of the axis",
            x.sizes[axis]
        ))
        .into());
    }
    let taken: Vec<u32> = (0..x.sizes[axis]).zip(flags).filter_map(|(at, flag)| flag.then_some(at)).collect();
    if taken.is_empty() {
        return Err(super::Obstacle::Empty { tensor: "output".to_owned() }.into());
    }
    let bytes = taken.iter().flat_map(|at| at.to_le_bytes()).collect();
    let indices = lower.constants("indices", Uint32, &[taken.len() as u32], bytes);
    let mut sizes = x.sizes.clone();
    sizes[axis] = taken.len() as u32;
    let call = lower.call("GATHER").read("InputTensor", &x).read("IndicesTensor", &indices).leading();
    let call = call.write("OutputTensor", x.data_type, &sizes).axis("Axis", axis);
    Ok(vec![call.set("IndexDimensions", 1).one()?])
}

fn gather(lower: &mut Lowering) -> Views {
    let (x, indices) = (lower.input(0)?, lower.input(1)?);
    let axis = axis_of(lower.node.int("axis"), x.rank())?;
    let sizes = [&x.sizes[..axis], &indices.sizes, &x.sizes[axis + 1..]].concat();
    let call = lower.call("GATHER").read("InputTensor", &x).read("IndicesTensor", &indices).leading();
    let call = call.write("OutputTensor", x.data_type, &sizes).axis("Axis", axis);
    Ok(vec![call.set("IndexDimensions", indices.rank()).one()?])
}

fn gather_elements(lower: &mut Lowering) -> Views {
    let (x, indices) = (lower.input(0)?, lower.input(1)?);
    let axis = axis_of(lower.node.int("axis"), x.rank())?;
    let call = lower.call("GATHER_ELEMENTS").read("InputTensor", &x).read("IndicesTensor", &indices);
    Ok(vec![call.write("OutputTensor", x.data_type, &indices.sizes).axis("Axis", axis).one()?])
}

/// Lowers GatherND. Batch dimensions are supported from level 3_0 on.
fn gather_nd(lower: &mut Lowering) -> Views {
    let (x, indices) = (lower.input(0)?, lower.input(1)?);
    let batches = usize::try_from(lower.node.int("batch_dims")).unwrap_or(0);
    let Some((&last, outer)) = indices.sizes.split_last() else {
        return Err(Refusal::invalid("`indices` has no dimensions").into());
    };
    let rest = x.sizes.get(batches + last as usize..);
    let rest = rest.ok_or_else(|| {
        Refusal::invalid(format!(
            "{batches} batch dimensions and index tuples of length {last} exceed rank {} of the data",
            x.rank()
        ))
    })?;
    let sizes = [outer, rest].concat();
    let operator = if batches > 0 { "GATHER_ND1" } else { "GATHER_ND" };
    let call = lower.call(operator).read("InputTensor", &x).read("IndicesTensor", &indices).leading();
    let call = call.write("OutputTensor", x.data_type, &sizes);
    let call = call.set("InputDimensionCount", x.rank()).set("IndicesDimensionCount", indices.rank());
    Ok(vec![if batches > 0 { call.set("BatchDimensionCount", batches) } else { call }.one()?])
}

/// Returns the data, and the pair of indices and updates, which is `None` if the indices are empty.
fn scattered(lower: &mut Lowering) -> Result<(View, Option<[View; 2]>), LoweringError> {
    let x = lower.input(0)?;
    let reduction = lower.node.string("reduction")?;
    if lower.node.has_attribute("reduction") && reduction.is_empty() {
        return Err(Refusal::invalid("`reduction` is empty").into());
    }
    if !["", "none"].contains(&reduction) {
        let message = format!("is `{reduction}`, but DirectML's scatter operators only replace elements");
        return Err(Unsupported::value("`reduction`", message).into());
    }
    match lower.tensor(1)?.is_some_and(|indices| indices.is_empty()) {
        true => Ok((x, None)),
        false => Ok((x, Some([lower.input(1)?, lower.input(2)?]))),
    }
}

fn scatter_elements(lower: &mut Lowering) -> Views {
    let (x, scattered) = scattered(lower)?;
    let axis = axis_of(lower.node.int("axis"), x.rank())?;
    let Some([indices, updates]) = scattered else { return Ok(vec![x]) };
    let call = lower.call("SCATTER_ELEMENTS").read("InputTensor", &x).read("IndicesTensor", &indices);
    let call = call.read("UpdatesTensor", &updates).write("OutputTensor", x.data_type, &x.sizes);
    Ok(vec![call.axis("Axis", axis).one()?])
}

fn scatter_nd(lower: &mut Lowering) -> Views {
    let (x, scattered) = scattered(lower)?;
    let Some([indices, updates]) = scattered else { return Ok(vec![x]) };
    let call = lower.call("SCATTER_ND").read("InputTensor", &x).read("IndicesTensor", &indices).leading();
    let call = call.read("UpdatesTensor", &updates).write("OutputTensor", x.data_type, &x.sizes);
    Ok(vec![call.set("InputDimensionCount", x.rank()).set("IndicesDimensionCount", indices.rank()).one()?])
}

/// Lowers NonZero. The number of coordinates determines the output's shape, so the input must be known when the graph
/// is made. The device also writes this number, but nothing reads it. 64-bit integers are compared with 0 first,
/// because NONZERO_COORDINATES does not support them.
fn non_zero(lower: &mut Lowering) -> Views {
    let (x, known) = (lower.input(0)?, lower.known(0)?);
    let found = known.map_or(0, |x| match x.dtype().is_float() {
        true => (0..x.len()).filter(|&at| x.f64_at(at) != 0.0).count(),
        false => (0..x.len()).filter(|&at| x.i128_at(at) != 0).count(),
    });
    if x.rank() == 0 || found == 0 {
        return Err(super::Obstacle::Empty { tensor: "Y".to_owned() }.into());
    }
    let x = match x.data_type {
        Int64 | Uint64 => lower.not_zero(&x)?,
        _ => x,
    };
    let rank = x.rank() as u32;
    let call = lower.call("NONZERO_COORDINATES").read("InputTensor", &x).leading();
    let call = call.write("OutputCountTensor", Uint32, &[1]);
    let coordinates = call.write("OutputCoordinatesTensor", Uint32, &[x.count(), rank]).all()?;
    let [_, coordinates] = coordinates.as_slice() else {
        return Err(Refusal::failed("NONZERO_COORDINATES does not have two outputs").into());
    };
    // The device writes the valid coordinates first.
    let found = coordinates.reshaped(&[found as u32, rank]).transposed(&[1, 0]);
    Ok(vec![lower.cast(&found, Int64)?])
}

/// Lowers TensorScatter. Each batch has an index along the axis, and its update is written from there on. In circular
/// mode the update wraps around the end of the axis.
fn tensor_scatter(lower: &mut Lowering) -> Views {
    let (x, starts) = (lower.input(0)?, lower.integers(2)?);
    if lower.tensor(1)?.is_some_and(plumbline_tensor::Tensor::is_empty) {
        return Ok(vec![x]);
    }
    let (update, axis) = (lower.input(1)?, axis_of(lower.node.int("axis"), x.rank())?);
    let starts = starts.unwrap_or_else(|| vec![0; x.sizes[0] as usize]);
    let fits = |(d, (size, most)): (usize, (&u32, &u32))| if d == axis { size <= most } else { size == most };
    let fit = update.rank() == x.rank() && update.sizes.iter().zip(&x.sizes).enumerate().all(fits);
    if axis == 0 || !fit || starts.len() != x.sizes[0] as usize {
        return Err(Refusal::invalid(format!(
            "an update of shape {:?} from {starts:?} along axis {axis} does not fit into shape {:?}; the axis must not \
             be 0 (the batch)",
            update.sizes, x.sizes
        ))
        .into());
    }
    let place = |start: &i64, at: u32| (i128::from(*start) + i128::from(at)).rem_euclid(x.sizes[axis].into()) as u32;
    let places = starts.iter().flat_map(|start| (0..update.sizes[axis]).map(move |at| place(start, at)));
    let mut sizes = vec![1; x.rank()];
    (sizes[0], sizes[axis]) = (x.sizes[0], update.sizes[axis]);
    let bytes = places.flat_map(u32::to_le_bytes).collect();
    let indices = stretched(&lower.constants("indices", Uint32, &sizes, bytes), &update.sizes)?;
    let call = lower.call("SCATTER_ELEMENTS").read("InputTensor", &x).read("IndicesTensor", &indices);
    let call = call.read("UpdatesTensor", &update).write("OutputTensor", x.data_type, &x.sizes);
    Ok(vec![call.axis("Axis", axis).one()?])
}

/// Lowers OneHot. The indices get a dimension of size 1 at the axis.
fn one_hot(lower: &mut Lowering) -> Views {
    let (indices, values) = (lower.input(0)?, lower.input(2)?);
    let depth = lower.known(1)?.map_or(0, |depth| match depth.dtype().is_float() {
        true => depth.f64_at(0) as i64,
        false => depth.i128_at(0) as i64,
    });
    let axis = axis_of(lower.node.int("axis"), indices.rank() + 1)?;
    let mut unsqueezed = indices.sizes.clone();
    unsqueezed.insert(axis, 1);
    // The cast rounds fractions towards zero.
    let indices = match indices.data_type {
        Int32 | Int64 | Uint32 | Uint64 => indices,
        _ => lower.cast(&indices, Int64)?,
    };
    let indices = indices.reshaped(&unsqueezed);
    let mut shape: Vec<i64> = unsqueezed.iter().copied().map(i64::from).collect();
    shape[axis] = depth;
    let call = lower.call("ONE_HOT").read("IndicesTensor", &indices).read("ValuesTensor", &values).leading();
    Ok(vec![call.write("OutputTensor", values.data_type, &sizes_from("output", &shape)?).axis("Axis", axis).one()?])
}

/// Lowers ReverseSequence. Each sequence has a length, which is broadcast over all dimensions except the time axis.
fn reverse_sequence(lower: &mut Lowering) -> Views {
    let (x, lengths) = (lower.input(0)?, lower.input(1)?);
    let [time, batch] = ["time_axis", "batch_axis"].map(|name| axis_of(lower.node.int(name), x.rank()));
    let (time, batch) = (time?, batch?);
    let mut sizes = x.sizes.clone();
    sizes[time] = 1;
    let lengths = stretched(&lengths.placed(batch, x.rank()), &sizes)?;
    // Lengths are never negative.
    let lengths = match lengths.data_type {
        Int64 => lower.as_type(&lengths, Uint64)?,
        _ => lengths,
    };
    let call = lower.call("REVERSE_SUBSEQUENCES").read("InputTensor", &x).read("SequenceLengthsTensor", &lengths);
    Ok(vec![call.write("OutputTensor", x.data_type, &x.sizes).axis("Axis", time).one()?])
}

/// Trilu: writes zeros to the diagonals that are not kept.
fn trilu(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    if let Some(k) = lower.known(1)?.filter(|k| !k.shape().is_empty()) {
        return Err(Refusal::invalid(format!("`k` has shape {:?}, expected a scalar", k.shape())).into());
    }
    let k = lower.integers(1)?.and_then(|k| k.first().copied()).unwrap_or(0);
    let k = i32::try_from(k.clamp(i32::MIN.into(), i64::from(i32::MAX) - 1)).unwrap_or(0);
    let (begin, end) = if lower.node.int("upper") != 0 { (i32::MIN, k) } else { (k + 1, i32::MAX) };
    if x.rank() < 2 {
        return Err(Refusal::invalid(format!("the input has rank {}, expected at least 2", x.rank())).into());
    }
    let call = lower.call("DIAGONAL_MATRIX1").read("InputTensor", &x).keep([x.rank() - 2, x.rank() - 1]);
    let call = call.write("OutputTensor", x.data_type, &x.sizes).set("ValueDataType", x.data_type);
    let call = call.set("Value", scalar(x.data_type, 0.0));
    Ok(vec![call.set("DiagonalFillBegin", begin).set("DiagonalFillEnd", end).one()?])
}
