//! Resize and Upsample, one axis after the other. Elements are picked, or averaged in float64.

use plumbline_tensor::DType;

use super::axes::{axis, extent};
use super::moved::on_bits;
use super::normalization::narrowed;
use crate::array::{Array, affordable};
use crate::element::{Number, with_bits, with_integer, with_number};
use crate::kernels::pick::pick_along;
use crate::kernels::resample::{Curve, Filter, Taps, resample};
use crate::kernels::scatter::indices;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

/// The operators of this file by name.
pub const OPERATORS: &[(&str, Operator)] = &[("Resize", resize), ("Upsample", upsample)];

/// How one axis is resized.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The extent of the input.
    pub input: usize,
    /// The extent of the output.
    pub output: usize,
    /// The scale from the input to the output: the one that the node gives, or the one that follows from its sizes.
    pub scale: f64,
    /// The start and the end of the region of interest.
    pub region: (f64, f64),
}

/// Returns a string attribute, which must have one of the known values. Returns an empty string if the version does not
/// have the attribute.
fn one_of<'a>(node: &Node<'a>, name: &str, known: &[&str]) -> Result<&'a str, Refusal> {
    let found = node.string(name)?;
    match known.contains(&found) || (found.is_empty() && node.version.attribute(name).is_none()) {
        true => Ok(found),
        false => Err(Refusal::invalid(format!("`{name}` is `{found}`, expected one of {known:?}"))),
    }
}

/// Returns the axes that `axes` names, or all axes if it is left out.
fn named_axes(node: &Node, rank: usize) -> Result<Vec<usize>, Refusal> {
    match node.ints("axes") {
        Some(axes) => axes.iter().map(|&a| axis(a, rank)).collect(),
        None => Ok((0..rank).collect()),
    }
}

/// Converts the numbers to float64.
pub fn floats(array: &Array) -> Result<Vec<f64>, Refusal> {
    with_number!(array.dtype(), T => Ok(array.slice::<T>().iter().map(|x| x.to_f64()).collect()))
}

/// Computes the extents, scales and regions of all axes. `mode` is the `coordinate_transformation_mode`.
pub fn geometry(node: &Node, mode: &str) -> Result<Vec<Axis>, Refusal> {
    let (data, since) = (node.input(0)?, node.since());
    let axes = named_axes(node, data.rank())?;
    let (scales_at, sizes_at) = if since < 11 { (1, usize::MAX) } else { (2, 3) };
    let sizes = node.optional(sizes_at)?;
    let scales = node.optional(scales_at)?.filter(|scales| !scales.is_empty() || (sizes.is_none() && axes.is_empty()));
    let wrong = |what: &str, given: &Array| {
        Refusal::invalid(format!("`{what}` has shape {:?}, which does not fit the axes", given.shape()))
    };
    let whole = |&d: &usize| Axis { input: d, output: d, scale: 1.0, region: (0.0, 1.0) };
    let mut found: Vec<Axis> = data.shape().iter().map(whole).collect();
    match (scales, sizes) {
        (Some(_), Some(_)) => return Err(Refusal::invalid("both `scales` and `sizes` are given")),
        (None, None) => return Err(Refusal::invalid("neither `scales` nor `sizes` is given")),
        (_, Some(sizes)) => {
            if sizes.shape() != [axes.len()] {
                return Err(wrong("sizes", sizes));
            }
            let policy = one_of(node, "keep_aspect_ratio_policy", &["stretch", "not_larger", "not_smaller"])?;
            let sizes = sizes.to_i64s()?.into_iter().map(extent).collect::<Result<Vec<_>, _>>()?;
            let ratio = |(&d, &size): (&usize, &usize)| size as f64 / found[d].input as f64;
            let ratios = axes.iter().zip(&sizes).map(ratio);
            let kept = match policy {
                "not_larger" => ratios.reduce(f64::min),
                "not_smaller" => ratios.reduce(f64::max),
                _ => None,
            };
            for (&d, &size) in axes.iter().zip(&sizes) {
                let own = &mut found[d];
                (own.output, own.scale) = match kept {
                    Some(scale) => ((scale * own.input as f64 + 0.5).floor() as usize, scale),
                    None => (size, size as f64 / own.input as f64),
                };
            }
        }
        (Some(scales), None) => {
            if scales.shape() != [axes.len()] {
                return Err(wrong("scales", scales));
            }
            for (&d, scale) in axes.iter().zip(floats(scales)?) {
                if scale.is_nan() || scale <= 0.0 {
                    return Err(Refusal::invalid(format!("a scale is {scale}, expected a positive number")));
                }
                let length = (found[d].input as f64 * scale).floor();
                if length > 1e9 {
                    return Err(Refusal::unsupported(format!("an extent of {length} is more than this backend takes")));
                }
                (found[d].output, found[d].scale) = (length as usize, scale);
            }
        }
    }
    if mode == "tf_crop_and_resize" {
        let roi = node.optional(1)?.ok_or_else(|| Refusal::invalid("`roi` is missing"))?;
        if roi.shape() != [2 * axes.len()] {
            return Err(wrong("roi", roi));
        }
        let roi = floats(roi)?;
        axes.iter().enumerate().for_each(|(at, &d)| found[d].region = (roi[at], roi[at + axes.len()]));
    }
    match found.iter().find(|own| own.input == 0 && own.output > 0) {
        Some(own) => Err(Refusal::invalid(format!("an axis without elements cannot be resized to {}", own.output))),
        None => Ok(found),
    }
}

impl Axis {
    /// Returns the positions of all output elements in the input, or `None` if every element keeps its place.
    pub fn positions(&self, mode: &str) -> Option<Vec<f64>> {
        let positions: Vec<f64> = (0..self.output).map(|x| self.position(x, mode)).collect();
        let moved = self.input != self.output || positions.iter().enumerate().any(|(at, &x)| x != at as f64);
        moved.then_some(positions)
    }

    /// Returns the position of an output element in the input.
    pub fn position(&self, x: usize, mode: &str) -> f64 {
        let (x, input, output) = (x as f64, self.input as f64, self.output as f64);
        let (start, end) = self.region;
        match mode {
            "align_corners" if self.output == 1 => 0.0,
            "align_corners" => x * (input - 1.0) / (output - 1.0),
            "half_pixel_symmetric" => {
                let adjustment = output / (self.scale * input);
                input / 2.0 * (1.0 - adjustment) + (x + 0.5) / self.scale - 0.5
            }
            "pytorch_half_pixel" if self.output <= 1 => 0.0,
            "half_pixel" | "pytorch_half_pixel" => (x + 0.5) / self.scale - 0.5,
            "tf_half_pixel_for_nn" => (x + 0.5) / self.scale,
            "tf_crop_and_resize" if self.output > 1 => {
                start * (input - 1.0) + x * (end - start) * (input - 1.0) / (output - 1.0)
            }
            "tf_crop_and_resize" => 0.5 * (start + end) * (input - 1.0),
            _ => x / self.scale,
        }
    }

    /// Returns the index of the element at a position. A position outside of the input gives the first or the last
    /// element.
    pub fn clamped(&self, place: f64) -> usize {
        (place.max(0.0) as usize).min(self.input.saturating_sub(1))
    }

    /// Returns the index of the element that is nearest to a position. `manner` is the `nearest_mode`. It is empty in
    /// Resize-10, which rounds the position up if the axis shrinks, and else down.
    pub fn nearest(&self, manner: &str, x: f64) -> usize {
        self.clamped(match manner {
            "round_prefer_floor" => (x - 0.5).ceil(),
            "round_prefer_ceil" => (x + 0.5).floor(),
            "ceil" => x.ceil(),
            "" if self.scale < 1.0 => x.ceil(),
            _ => x.floor(),
        })
    }
}

/// Returns `mode`, `coordinate_transformation_mode` and `nearest_mode`, after checking that the version has these
/// values. `nearest_mode` is empty if `mode` is not `nearest`.
pub fn modes<'a>(node: &Node<'a>) -> Result<[&'a str; 3], Refusal> {
    let kinds: &[&str] = if node.since() < 11 { &["nearest", "linear"] } else { &["nearest", "linear", "cubic"] };
    let kind = one_of(node, "mode", kinds)?;
    let known: &[&str] = &["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"];
    let own = match node.since() {
        ..13 => "tf_half_pixel_for_nn",
        19.. => "half_pixel_symmetric",
        _ => "half_pixel",
    };
    let mode = one_of(node, "coordinate_transformation_mode", &[known, &[own]].concat())?;
    let manner = match kind {
        "nearest" => one_of(node, "nearest_mode", &["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])?,
        _ => "",
    };
    Ok([kind, mode, manner])
}

fn resize(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let [kind, mode, manner] = modes(node)?;
    let axes = geometry(node, mode)?;
    let shape: Vec<usize> = axes.iter().map(|own| own.output).collect();
    affordable(&shape)?;

    let mut found = data.clone();
    if kind == "nearest" {
        for (d, own) in axes.iter().enumerate() {
            let Some(positions) = own.positions(mode) else { continue };
            let places: Vec<usize> = positions.into_iter().map(|x| own.nearest(manner, x)).collect();
            found = picked(&found, d, &places)?;
        }
    } else {
        let curve = match kind {
            "cubic" => Curve::Cubic(f64::from(node.float("cubic_coeff_a"))),
            _ => Curve::Linear,
        };
        let (antialias, exclude_outside) = (node.int("antialias") != 0, node.int("exclude_outside") != 0);
        let taps = |own: &Axis| {
            let narrowing = if antialias { own.scale.min(1.0) } else { 1.0 };
            let filter = Filter { curve, narrowing, exclude_outside };
            let positions = own.positions(mode)?;
            Some(positions.into_iter().map(|x| filter.taps(x, own.input)).collect())
        };
        found = averaged(data, &axes, &shape, taps)?;
    }
    if mode != "tf_crop_and_resize" {
        return one(found);
    }
    let outside = |own: &Axis| {
        let position = |x: usize| own.position(x, mode);
        (0..own.output).map(position).map(|x| x < 0.0 || x > own.input as f64 - 1.0).collect()
    };
    one(extrapolated(found, &axes.iter().map(outside).collect::<Vec<_>>(), node.float("extrapolation_value"))?)
}

/// Returns the `mode` of Upsample, which is "nearest" or "linear". Upsample-1 writes "linear" as "bilinear".
pub fn upsample_mode<'a>(node: &Node<'a>) -> Result<&'a str, Refusal> {
    let linear = if node.since() == 1 { "bilinear" } else { "linear" };
    Ok(if one_of(node, "mode", &["nearest", linear])? == linear { "linear" } else { "nearest" })
}

/// Computes the extents and scales of all axes of Upsample. A scale below 1 is refused.
pub fn upsampled(node: &Node) -> Result<Vec<Axis>, Refusal> {
    let data = node.input(0)?;
    let scales: Vec<f64> = match node.since() {
        1 => {
            if data.rank() != 4 {
                return Err(Refusal::invalid(format!("the input has shape {:?}, expected rank 4", data.shape())));
            }
            vec![1.0, 1.0, node.float("height_scale").into(), node.float("width_scale").into()]
        }
        7 => node.floats("scales").iter().map(|&scale| scale.into()).collect(),
        _ => match node.input(1)? {
            scales if scales.rank() == 1 => floats(scales)?,
            scales => {
                return Err(Refusal::invalid(format!("`scales` has shape {:?}, expected rank 1", scales.shape())));
            }
        },
    };
    if scales.len() != data.rank() || scales.iter().any(|&scale| scale.is_nan() || scale < 1.0) {
        return Err(Refusal::invalid(format!(
            "the scales are {scales:?}, expected a number of at least 1 for each axis of the shape {:?}",
            data.shape()
        )));
    }
    let axis = |(&input, &scale): (&usize, &f64)| {
        let length = (input as f64 * scale).floor();
        Axis { input, output: length as usize, scale, region: (0.0, 1.0) }
    };
    Ok(data.shape().iter().zip(&scales).map(axis).collect())
}

/// Computes Upsample. The position of an output element in the input is its index divided by the scale.
fn upsample(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axes = upsampled(node)?;
    let shape: Vec<usize> = axes.iter().map(|own| own.output).collect();
    affordable(&shape)?;
    if upsample_mode(node)? == "linear" {
        let filter = Filter { curve: Curve::Linear, narrowing: 1.0, exclude_outside: false };
        let taps = |own: &Axis| {
            let positions = own.positions("asymmetric")?;
            Some(positions.into_iter().map(|x| filter.taps(x, own.input)).collect())
        };
        return one(averaged(data, &axes, &shape, taps)?);
    }
    let mut found = data.clone();
    for (d, own) in axes.iter().enumerate() {
        let Some(positions) = own.positions("asymmetric") else { continue };
        let places: Vec<usize> = positions.into_iter().map(|x| own.nearest("floor", x)).collect();
        found = picked(&found, d, &places)?;
    }
    one(found)
}

/// Averages elements by their weights, one axis after the other, in float64.
fn averaged(
    data: &Array,
    axes: &[Axis],
    shape: &[usize],
    taps: impl Fn(&Axis) -> Option<Vec<Taps>>,
) -> Result<Array, Refusal> {
    let (dtype, mut numbers) = (data.dtype(), floats(data)?);
    for (d, own) in axes.iter().enumerate() {
        let Some(taps) = taps(own) else { continue };
        // The axes before this one already have their new extents.
        let inner = data.shape()[d + 1..].iter().product();
        numbers = resample(&numbers, (own.input, inner), &taps);
    }
    from_floats(dtype, shape, &numbers)
}

/// Converts float64 numbers to this element type. Integers drop the fraction and saturate.
pub fn from_floats(dtype: DType, shape: &[usize], numbers: &[f64]) -> Result<Array, Refusal> {
    match dtype.is_float() {
        true => narrowed(dtype, shape, numbers),
        false => with_integer!(dtype, T => {
            Array::from_elements(dtype, shape, &numbers.iter().map(|&x| T::from_double(x)).collect::<Vec<_>>())
        }),
    }
}

fn picked(data: &Array, axis: usize, places: &[usize]) -> Result<Array, Refusal> {
    let mut shape = data.shape().to_vec();
    shape[axis] = places.len();
    let mut outputs = on_bits(&[data], |data| {
        let data = &data[0];
        let picked = with_bits!(data.dtype().size(), T => Array::filled::<T>(data.dtype(), &shape, |out| {
            pick_along(out, &data.view::<T>(), axis, places);
            Ok(())
        }))?;
        Ok(vec![picked])
    })?;
    match outputs.pop() {
        Some(crate::array::Held::Array(array)) => Ok(array),
        _ => Err(Refusal::failed("the resize computed no output")),
    }
}

/// Sets elements to `value` if their position lies outside of the input along any axis.
fn extrapolated(data: Array, outside: &[Vec<bool>], value: f32) -> Result<Array, Refusal> {
    if !outside.iter().flatten().any(|&outside| outside) {
        return Ok(data);
    }
    with_number!(data.dtype(), T => {
        let (mut numbers, mut at) = (data.slice::<T>().to_vec(), 0);
        indices(data.shape(), |index| {
            if index.iter().zip(outside).any(|(&i, outside)| outside[i]) {
                numbers[at] = T::from_double(f64::from(value));
            }
            at += 1;
        });
        Array::from_elements(data.dtype(), data.shape(), &numbers)
    })
}
