//! Lowers operators that join, cut or extend tensors: CenterCropPad, Concat, ConcatFromSequence, Split, Slice, Pad and
//! Tile.

use super::call::Neutral;
use super::context::{Lowering, axis_of, element, is_float, scalar, sizes_from};
use super::error::{LoweringError, Unsupported};
use super::view::View;
use super::{Rule, Views};
use crate::Scalar;
use plumbline_graph::Refusal;
use plumbline_spec::directml::FeatureLevel;

pub const OPERATORS: &[(&str, Rule)] = &[
    ("CenterCropPad", center_crop_pad),
    ("Concat", concat),
    ("ConcatFromSequence", concat_from_sequence),
    ("Pad", pad),
    ("Slice", slice),
    ("Split", split),
    ("Tile", tile),
];

fn concat(lower: &mut Lowering) -> Views {
    let (views, axis) = (lower.filled_inputs()?, lower.node.optional_int("axis").unwrap_or(1));
    concatenated(lower, &views, axis)
}

/// Lowers ConcatFromSequence. With `new_axis`, each tensor first gets a dimension of size 1.
fn concat_from_sequence(lower: &mut Lowering) -> Views {
    let (mut views, axis) = (lower.filled_items(0)?, lower.node.int("axis"));
    if lower.node.int("new_axis") != 0 {
        let shapes = lower.item_shapes(0);
        if let Some(other) = shapes.iter().find(|shape| **shape != shapes[0]) {
            let message = format!("tensors of shapes {:?} and {other:?} cannot be stacked along a new axis", shapes[0]);
            return Err(Refusal::invalid(message).into());
        }
        for view in &mut views {
            let mut sizes = view.sizes.clone();
            sizes.insert(axis_of(axis, view.rank() + 1)?, 1);
            *view = view.reshaped(&sizes);
        }
    }
    concatenated(lower, &views, axis)
}

/// Concatenates the tensors of a node; the caller has left out the empty ones. A single tensor is returned as it is,
/// whatever the axis.
fn concatenated(lower: &mut Lowering, views: &[View], axis: i64) -> Views {
    match views {
        [] => Err(super::Obstacle::Empty { tensor: "output".to_owned() }.into()),
        [one] => Ok(vec![one.clone()]),
        [first, ..] => Ok(vec![joined(lower, views, axis_of(axis, first.rank())?)?]),
    }
}

/// Concatenates tensors along an axis.
pub fn joined(lower: &mut Lowering, views: &[View], axis: usize) -> Result<View, LoweringError> {
    let first = views.first().ok_or_else(|| Refusal::failed("there are no tensors to concatenate"))?;
    if views.len() == 1 {
        return Ok(first.clone());
    }
    let mut sizes = first.sizes.clone();
    let fits =
        |view: &View| view.rank() == sizes.len() && (0..sizes.len()).all(|d| d == axis || view.sizes[d] == sizes[d]);
    if let Some(other) = views.iter().find(|view| !fits(view)) {
        let message =
            format!("tensors of sizes {sizes:?} and {:?} cannot be concatenated along axis {axis}", other.sizes);
        return Err(Refusal::invalid(message).into());
    }
    sizes[axis] = views.iter().map(|view| view.sizes[axis]).sum();
    let call = views.iter().fold(lower.call("JOIN"), |call, view| call.read("InputTensors", view));
    call.write("OutputTensor", first.data_type, &sizes).axis("Axis", axis).one()
}

/// Splits a tensor along an axis into parts of these extents.
pub fn divided(lower: &mut Lowering, x: &View, axis: usize, parts: &[i64]) -> Views {
    let mut call = lower.call("SPLIT").read("InputTensor", x).axis("Axis", axis);
    for &part in parts {
        let mut shape: Vec<i64> = x.sizes.iter().copied().map(i64::from).collect();
        shape[axis] = part;
        call = call.write("OutputTensors", x.data_type, &sizes_from("output", &shape)?);
    }
    call.all()
}

/// Lowers Split. The sizes are given, or all parts are equal except for the last ones, which get what is left.
fn split(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let axis = axis_of(lower.node.int("axis"), x.rank())?;
    let given = match lower.since() {
        1 => lower.integers(1)?.or_else(|| lower.node.ints("split").map(<[i64]>::to_vec)),
        _ => lower.numbers("split", 1, 13)?,
    };
    let whole = i64::from(x.sizes[axis]);
    let parts = match given {
        Some(parts) => parts,
        None => {
            let places = lower.node.output_places() as i64;
            let count = lower.node.optional_int("num_outputs").unwrap_or(places);
            if count != places || count < 1 {
                return Err(Refusal::invalid(format!(
                    "there are {count} parts, expected one for each of {places} outputs"
                ))
                .into());
            }
            let part = (whole + count - 1) / count;
            (0..count).map(|at| (whole - at * part).clamp(0, part)).collect()
        }
    };
    if parts.iter().any(|&part| part < 0) || parts.iter().sum::<i64>() != whole {
        return Err(Refusal::invalid(format!("the parts {parts:?} do not add up to the extent {whole}")).into());
    }
    divided(lower, &x, axis, &parts)
}

/// A window in one dimension. `size` is the number of positions that it covers, and `stride` says which of them are
/// selected. A negative stride reads the window backward.
#[derive(Clone, Copy)]
pub struct Window {
    pub offset: i64,
    pub size: i64,
    pub stride: i64,
}

impl Window {
    /// Returns the window that covers a whole dimension.
    pub fn whole(size: u32) -> Window {
        Window { offset: 0, size: size.into(), stride: 1 }
    }

    /// Returns the number of elements that the window selects.
    fn count(self) -> i64 {
        (self.size - 1) / self.stride.abs() + 1
    }

    /// Converts ONNX's start, end and step to a window; `None` if it selects nothing.
    fn clamped([start, end, step]: [i64; 3], extent: i64) -> Option<Window> {
        let (first, last) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
        let bound = |value: i64| (if value < 0 { value.saturating_add(extent) } else { value }).clamp(first, last);
        let (start, end) = (bound(start), bound(end));
        // A step larger than the extent selects at most one element.
        let stride = step.clamp(-extent, extent);
        let span = if step > 0 { end - start } else { start - end };
        if span <= 0 || step == 0 {
            return None;
        }
        let size = (span - 1) / stride.abs() * stride.abs() + 1;
        let offset = if step > 0 { start } else { start - size + 1 };
        Some(Window { offset, size, stride })
    }
}

/// Cuts a window out of each dimension of a tensor. It calls SLICE1, which feature level 2_1 introduced. Below that
/// level it calls SLICE, except for negative strides, which only SLICE1 has.
pub fn cut(lower: &mut Lowering, x: &View, windows: &[Window]) -> Result<View, LoweringError> {
    if windows.iter().zip(&x.sizes).all(|(w, &size)| (w.offset, w.size, w.stride) == (0, size.into(), 1)) {
        return Ok(x.clone());
    }
    let sizes = sizes_from("output", &windows.iter().map(|window| window.count()).collect::<Vec<_>>())?;
    let of = |value: fn(&Window) -> i64| windows.iter().map(value).collect::<Vec<_>>();
    let use_slice1 = windows.iter().any(|window| window.stride < 0) || lower.level() >= FeatureLevel::V2_1;
    let (operator, names) = match use_slice1 {
        true => ("SLICE1", ["InputWindowOffsets", "InputWindowSizes", "InputWindowStrides"]),
        false => ("SLICE", ["Offsets", "Sizes", "Strides"]),
    };
    let call = lower.call(operator).read("InputTensor", x).write("OutputTensor", x.data_type, &sizes);
    let call = call.along(names[0], of(|w| w.offset), Neutral::Value(0));
    // SLICE takes the number of elements, SLICE1 the distance that the window covers.
    let extents = if use_slice1 { of(|w| w.size) } else { of(|w| w.count()) };
    call.along(names[1], extents, Neutral::Size).along(names[2], of(|w| w.stride), Neutral::Value(1)).one()
}

fn slice(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let missing = || Refusal::invalid("`starts` or `ends` is missing");
    let starts = lower.numbers("starts", 1, 10)?.ok_or_else(missing)?;
    let ends = lower.numbers("ends", 2, 10)?.ok_or_else(missing)?;
    let axes = lower.numbers("axes", 3, 10)?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = if lower.since() < 10 { None } else { lower.integers(4)? };
    let steps = steps.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()].iter().any(|&n| n != starts.len()) {
        return Err(Refusal::invalid("`starts`, `ends`, `axes` and `steps` have different lengths").into());
    }
    let mut windows: Vec<Window> = x.sizes.iter().map(|&size| Window::whole(size)).collect();
    for (at, &axis) in axes.iter().enumerate() {
        let axis = axis_of(axis, x.rank())?;
        let window = Window::clamped([starts[at], ends[at], steps[at]], x.sizes[axis].into());
        let empty = || super::Obstacle::Empty { tensor: "output".to_owned() };
        windows[axis] = window.ok_or_else(empty)?;
    }
    Ok(vec![cut(lower, &x, &windows)?])
}

/// Lowers Pad. Negative pads remove elements, which is done first. From feature level 5_0 on, the padding value has the
/// type of the data; below that level, it is a float.
fn pad(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let name = if lower.since() < 2 { "paddings" } else { "pads" };
    let list = lower.numbers(name, 1, 11)?.unwrap_or_default();
    let axes = if lower.since() < 18 { None } else { lower.integers(3)? };
    let axes = axes.unwrap_or_else(|| (0..x.rank() as i64).collect());
    if list.len() != 2 * axes.len() {
        return Err(Refusal::invalid(format!(
            "`{name}` has {} elements for {} axes, expected two for each axis",
            list.len(),
            axes.len()
        ))
        .into());
    }
    let mut pads = vec![[0, 0]; x.rank()];
    for (at, &axis) in axes.iter().enumerate() {
        pads[axis_of(axis, x.rank())?] = [list[at], list[axes.len() + at]];
    }
    let left = |(&size, &[before, after]): (&u32, &[i64; 2])| {
        let (start, size) = (before.min(0).saturating_neg(), i64::from(size).saturating_add(before.min(0)));
        Window { offset: start, size: size.saturating_add(after.min(0)), stride: 1 }
    };
    let windows: Vec<Window> = x.sizes.iter().zip(&pads).map(left).collect();
    if windows.iter().any(|window| window.size <= 0) {
        return Err(Unsupported::value(format!("`{name}`"), "removes all elements of the input").into());
    }
    let x = cut(lower, &x, &windows)?;
    let of = |end: usize| pads.iter().map(|pad| pad[end].max(0)).collect::<Vec<_>>();
    let (before, after) = (of(0), of(1));
    let mode = match lower.node.string("mode")? {
        "edge" => "EDGE",
        "reflect" => "REFLECTION",
        "wrap" => "WRAP",
        _ => "CONSTANT",
    };
    let given = if lower.since() < 11 { None } else { lower.known(2)? };
    let value = match given {
        Some(value) if !is_float(x.data_type) => value.i128_at(0) as f64,
        Some(value) => value.f64_at(0),
        None => lower.node.float("value").into(),
    };
    let exact = given.map_or(scalar(x.data_type, value), |given| element(given, 0));
    Ok(vec![padded(lower, &x, [before, after], mode, (value, exact))?])
}

/// Adds the given numbers of elements before and after each dimension. The value for constant padding is given twice:
/// as a number for PADDING, and as an element for PADDING1.
pub fn padded(
    lower: &mut Lowering,
    x: &View,
    [before, after]: [Vec<i64>; 2],
    mode: &'static str,
    (value, exact): (f64, Scalar),
) -> Result<View, LoweringError> {
    if before.iter().chain(&after).all(|&n| n == 0) {
        return Ok(x.clone());
    }
    let shape = x.sizes.iter().zip(before.iter().zip(&after));
    let shape: Vec<i64> = shape.map(|(&size, (b, a))| b.saturating_add(*a).saturating_add(size.into())).collect();
    let typed = lower.level() >= FeatureLevel::V5_0;
    if !typed && f64::from(value as f32) != value && !value.is_nan() {
        return Err(Unsupported::value(
            "PADDING.PaddingValue",
            format!("is a 32-bit float, which cannot hold {value}"),
        )
        .into());
    }
    let operator = if typed { "PADDING1" } else { "PADDING" };
    let call = lower.call(operator).read("InputTensor", x).set("PaddingMode", mode);
    let call = call.write("OutputTensor", x.data_type, &sizes_from("output", &shape)?);
    let call = call.along("StartPadding", before, Neutral::Value(0)).along("EndPadding", after, Neutral::Value(0));
    let call = match typed {
        true => call.set("PaddingValueDataType", x.data_type).set("PaddingValue", exact),
        false => call.set("PaddingValue", value),
    };
    call.one()
}

/// Lowers CenterCropPad. It keeps the middle of dimensions that are too large, and adds zeros around dimensions that
/// are too small. If the number of elements to cut or add is odd, the end gets one more than the start.
fn center_crop_pad(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let wanted = lower.integers(1)?.unwrap_or_default();
    let axes = lower.node.ints("axes").map_or_else(|| (0..x.rank() as i64).collect(), <[i64]>::to_vec);
    if wanted.len() != axes.len() || wanted.iter().any(|&extent| extent < 0) {
        return Err(Refusal::invalid(format!(
            "`shape` is {wanted:?} for the axes {axes:?}, expected one extent of 0 or more for each axis"
        ))
        .into());
    }
    let mut windows: Vec<Window> = x.sizes.iter().map(|&size| Window::whole(size)).collect();
    let mut pads = [vec![0; x.rank()], vec![0; x.rank()]];
    for (&axis, &to) in axes.iter().zip(&wanted) {
        let axis = axis_of(axis, x.rank())?;
        let from = i64::from(x.sizes[axis]);
        match from >= to {
            true => windows[axis] = Window { offset: (from - to) / 2, size: to, stride: 1 },
            false => (pads[0][axis], pads[1][axis]) = ((to - from) / 2, to - from - (to - from) / 2),
        }
    }
    let x = cut(lower, &x, &windows)?;
    let zero = (0.0, scalar(x.data_type, 0.0));
    Ok(vec![padded(lower, &x, pads, "CONSTANT", zero)?])
}

/// Lowers Tile. Version 1 repeats one axis, later versions every axis.
fn tile(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let mut repeats = vec![1; x.rank()];
    match lower.since() {
        1 => {
            let number = |at: usize| Ok::<_, LoweringError>(lower.known(at)?.map_or(1.0, |t| t.f64_at(0)) as i64);
            let (tiles, axis) = (number(1)?, number(2)?);
            repeats[axis_of(axis, x.rank())?] = tiles;
        }
        _ => repeats = lower.integers(1)?.unwrap_or_default(),
    }
    if repeats.len() != x.rank() {
        return Err(Refusal::invalid(format!(
            "`repeats` has {} elements for an input of rank {}",
            repeats.len(),
            x.rank()
        ))
        .into());
    }
    let shape = x.sizes.iter().zip(&repeats).map(|(&size, &times)| times.saturating_mul(size.into()));
    let sizes = sizes_from("output", &shape.collect::<Vec<_>>())?;
    let call = lower.call("TILE").read("InputTensor", &x).write("OutputTensor", x.data_type, &sizes);
    Ok(vec![call.along("Repeats", repeats, Neutral::Value(1)).one()?])
}

#[cfg(test)]
mod tests {
    use super::Window;

    #[test]
    fn slices_become_windows() {
        let of = |start, end, step, extent| {
            Window::clamped([start, end, step], extent).map(|w| (w.offset, w.size, w.stride))
        };
        assert_eq!(of(0, i64::MAX, 1, 5), Some((0, 5, 1)));
        assert_eq!(of(-1, i64::MIN, -1, 5), Some((0, 5, -1)));
        assert_eq!(of(i64::MAX, i64::MIN, -2, 5), Some((0, 5, -2)));
        assert_eq!(of(1, 5, 3, 5), Some((1, 4, 3)));
        assert_eq!(of(1, 4, 5, 5), Some((1, 1, 5)));
        assert_eq!(of(3, 0, -2, 5), Some((1, 3, -2)));
        assert_eq!(of(4, 1, 1, 5), None);
        assert_eq!(Window { offset: 0, size: 5, stride: -2 }.count(), 3);
    }
}
