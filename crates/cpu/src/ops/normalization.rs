//! Normalizations. Statistics are computed in float64, and each element is rounded once.

use plumbline_tensor::DType;

use super::axes::{axis, distinct};
use crate::array::{Array, affordable};
use crate::element::{Number, with_float};
use crate::kernels::copy::copy;
use crate::kernels::lanes::{laid, lanes, pieces};
use crate::node::{Node, Operator, Outputs, one};
use crate::view::View;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] = &[
    ("GroupNormalization", group_normalization),
    ("InstanceNormalization", instance_normalization),
    ("LRN", lrn),
    ("LayerNormalization", layer_normalization),
    ("LpNormalization", lp_normalization),
    ("MeanVarianceNormalization", mean_variance_normalization),
    ("RMSNormalization", rms_normalization),
];

/// Converts floats to float64.
pub fn wide(a: &Array) -> Result<Vec<f64>, Refusal> {
    with_float!(a.dtype(), T => Ok(a.slice::<T>().iter().map(|x| x.to_f64()).collect()))
}

/// Rounds float64 numbers to floats of this type.
pub fn narrowed(dtype: DType, shape: &[usize], numbers: &[f64]) -> Result<Array, Refusal> {
    with_float!(dtype, T => Array::written(dtype, shape, |out| {
        out.data.iter_mut().zip(numbers).for_each(|(out, &x)| *out = T::from_double(x));
        Ok(())
    }))
}

/// Returns an input, which must have this shape, in float64, or `None` if it is left out.
pub fn shaped(node: &Node, at: usize, shape: &[usize]) -> Result<Option<Vec<f64>>, Refusal> {
    match node.optional(at)? {
        Some(array) if array.shape() != shape => {
            Err(Refusal::invalid(format!("input {at} has shape {:?}, expected {shape:?}", array.shape())))
        }
        array => array.map(wide).transpose(),
    }
}

/// Returns an input, which must have this shape, in float64, or zeros if it is left out.
pub fn state(node: &Node, at: usize, shape: &[usize]) -> Result<Vec<f64>, Refusal> {
    let count = affordable(shape)?;
    Ok(shaped(node, at, shape)?.unwrap_or_else(|| vec![0.0; count]))
}

/// Broadcasts a parameter to this shape.
fn laid_over(parameter: Option<&Array>, shape: &[usize]) -> Result<Option<Vec<f64>>, Refusal> {
    let Some(parameter) = parameter else { return Ok(None) };
    let numbers = wide(parameter)?;
    match View::packed(&numbers, parameter.shape()).broadcast(shape) {
        Some(view) => Ok(Some(laid(&view).into_owned())),
        None => Err(Refusal::invalid(format!(
            "a parameter of shape {:?} does not broadcast to {shape:?}",
            parameter.shape()
        ))),
    }
}

/// Returns the mean, and the mean of the squared deviations from it.
pub fn moments(elements: impl Iterator<Item = f64> + Clone, count: usize) -> (f64, f64) {
    let mean = elements.clone().sum::<f64>() / count as f64;
    (mean, elements.map(|x| (x - mean) * (x - mean)).sum::<f64>() / count as f64)
}

/// Normalizes each row of `count` elements to mean 0 and deviation 1. Then each element is multiplied by the first
/// number that `affine` returns for its index, and the second number is added.
fn rows_normalized(
    data: &Array,
    count: usize,
    epsilon: f64,
    affine: impl Fn(usize) -> (f64, f64) + Sync,
) -> Result<Array, Refusal> {
    with_float!(data.dtype(), T => Array::written(data.dtype(), data.shape(), |out| {
        let data = data.slice::<T>();
        pieces(out.data, count, |row, out: &mut [T]| {
            let data = &data[row * count..(row + 1) * count];
            let (mean, variance) = moments(data.iter().map(|x| x.to_f64()), count);
            let deviation = (variance + epsilon).sqrt();
            for (i, (out, x)) in out.iter_mut().zip(data).enumerate() {
                let (scale, shift) = affine(row * count + i);
                *out = T::from_double((x.to_f64() - mean) / deviation * scale + shift);
            }
        });
        Ok(())
    }))
}

/// Returns the numbers of instances, of channels, and of elements in a channel.
pub fn channels(data: &Array) -> Result<(usize, usize, usize), Refusal> {
    match data.shape() {
        [instances, channels, rest @ ..] => Ok((*instances, *channels, rest.iter().product())),
        shape => Err(Refusal::invalid(format!(
            "the input has shape {shape:?}, expected rank 2 or more, with channels as axis 1"
        ))),
    }
}

/// Returns an input of rank 1, which must have `count` numbers.
fn list(node: &Node, at: usize, count: usize) -> Result<Vec<f64>, Refusal> {
    match node.input(at)? {
        list if list.shape() == [count] => wide(list),
        other => Err(Refusal::invalid(format!("input {at} has shape {:?}, expected [{count}]", other.shape()))),
    }
}

fn instance_normalization(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let (_, channels, plane) = channels(data)?;
    if node.since() < 6 && data.rank() != 4 {
        return Err(Refusal::invalid(format!("the input has shape {:?}, expected rank 4", data.shape())));
    }
    let (scale, shift) = (list(node, 1, channels)?, list(node, 2, channels)?);
    let affine = |at: usize| (scale[at / plane % channels], shift[at / plane % channels]);
    one(rows_normalized(data, plane, f64::from(node.float("epsilon")), affine)?)
}

/// Computes GroupNormalization. In version 18 each group has its own scale and bias, in later versions each channel.
fn group_normalization(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let (_, channels, plane) = channels(data)?;
    let num_groups = node.int("num_groups");
    let groups = usize::try_from(num_groups).unwrap_or(0);
    if groups == 0 || !channels.is_multiple_of(groups) {
        return Err(Refusal::invalid(format!(
            "`num_groups` {num_groups} is not a positive divisor of {channels} channels"
        )));
    }
    if node.since() >= 21 && !is_float_code(node.int("stash_type")) {
        return Err(Refusal::invalid("`stash_type` is not a floating-point type"));
    }
    let own = channels / groups;
    let (count, run) = if node.since() < 21 { (groups, own * plane) } else { (channels, plane) };
    let (scale, shift) = (list(node, 1, count)?, list(node, 2, count)?);
    let affine = |at: usize| (scale[at / run % count], shift[at / run % count]);
    one(rows_normalized(data, own * plane, f64::from(node.float("epsilon")), affine)?)
}

fn is_float_code(code: i64) -> bool {
    matches!(code, 1 | 10 | 11 | 16)
}

/// Computes LayerNormalization. A node with more than one output also gets the mean and the inverse deviation of each
/// row.
fn layer_normalization(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axis = axis(node.int("axis"), data.rank())?;
    let kept = match node.int("stash_type") {
        1 => DType::Float,
        16 => DType::Bfloat16,
        other => return Err(Refusal::invalid(format!("`stash_type` is {other}, expected float (1) or bfloat16 (16)"))),
    };
    let epsilon = f64::from(node.float("epsilon"));
    let scale = laid_over(node.optional(1)?, data.shape())?.unwrap_or_default();
    let shift = laid_over(node.optional(2)?, data.shape())?;
    let count: usize = data.shape()[axis..].iter().product();
    let affine = |at: usize| (scale[at], shift.as_ref().map_or(0.0, |shift| shift[at]));
    let mut outputs = vec![rows_normalized(data, count, epsilon, affine)?.into()];
    if node.outputs() > 1 {
        let mut shape = data.shape().to_vec();
        shape[axis..].fill(1);
        let numbers = wide(data)?;
        let rows: usize = shape.iter().product();
        let row = |row: usize| moments(numbers[row * count..(row + 1) * count].iter().copied(), count);
        let found: Vec<(f64, f64)> = (0..rows).map(row).collect();
        let means: Vec<f64> = found.iter().map(|&(mean, _)| mean).collect();
        let inverse: Vec<f64> = found.iter().map(|&(_, variance)| 1.0 / (variance + epsilon).sqrt()).collect();
        outputs.push(narrowed(kept, &shape, &means)?.into());
        outputs.push(narrowed(kept, &shape, &inverse)?.into());
    }
    Ok(outputs)
}

/// Computes RMSNormalization. The output has the type of `scale`.
fn rms_normalization(node: &Node) -> Outputs {
    let (data, scale) = (node.input(0)?, node.input(1)?);
    let axis = axis(node.int("axis"), data.rank())?;
    if !is_float_code(node.int("stash_type")) {
        return Err(Refusal::invalid("`stash_type` is not a floating-point type"));
    }
    // The sum of squares is kept in double if `stash_type` is double, else in float, even if `stash_type` is a 16-bit
    // type. A sum beyond the range of double or float is infinite.
    let most = if node.int("stash_type") == 11 { f64::MAX } else { f64::from(f32::MAX) };
    let epsilon = f64::from(node.float("epsilon"));
    let factors = laid_over(Some(scale), data.shape())?.unwrap_or_default();
    let count: usize = data.shape()[axis..].iter().product();
    let mut numbers = wide(data)?;
    pieces(&mut numbers, count, |row, numbers| {
        let sum = numbers.iter().map(|x| x * x).sum::<f64>();
        let sum = if sum > most { f64::INFINITY } else { sum };
        let root = (sum / count as f64 + epsilon).sqrt();
        let factors = &factors[row * count..];
        numbers.iter_mut().zip(factors).for_each(|(x, factor)| *x = *x / root * factor);
    });
    one(narrowed(scale.dtype(), data.shape(), &numbers)?)
}

/// Computes MeanVarianceNormalization. As in the function body of the specification, 1e-9 is added to the deviation, so
/// that nothing is divided by zero.
fn mean_variance_normalization(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let rank = data.rank();
    let axes = distinct(node.ints("axes").unwrap_or_default(), rank)?;
    let order: Vec<usize> = (0..rank).filter(|d| !axes.contains(d)).chain(axes.iter().copied()).collect();
    let count: usize = axes.iter().map(|&d| data.shape()[d]).product();
    let numbers = wide(data)?;
    let view = View::packed(&numbers, data.shape()).permuted(&order);
    let mut rows = laid(&view).into_owned();
    pieces(&mut rows, count, |_, row| {
        let (mean, variance) = moments(row.iter().copied(), count);
        let deviation = variance.sqrt() + 1e-9;
        row.iter_mut().for_each(|x| *x = (*x - mean) / deviation);
    });
    let mut back = vec![0; rank];
    order.iter().enumerate().for_each(|(place, &d)| back[d] = place);
    let normalized = Array::filled(DType::Double, data.shape(), |out| {
        copy(out, &View::packed(&rows, view.sizes()).permuted(&back));
        Ok(())
    })?;
    one(narrowed(data.dtype(), data.shape(), normalized.slice())?)
}

/// Computes LpNormalization. If the norm of the elements along `axis` is zero, the outputs are zeros.
fn lp_normalization(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let axis = axis(node.int("axis"), data.rank())?;
    let p = node.int("p");
    if p != 1 && p != 2 {
        return Err(Refusal::invalid(format!("`p` is {p}, expected 1 or 2")));
    }
    let (dtype, extent) = (data.dtype(), data.shape()[axis]);
    one(with_float!(dtype, T => lanes(data, axis, (dtype, extent), |lane: &[T], out: &mut [T]| {
        let numbers = lane.iter().map(|x| x.to_f64());
        let norm = match p {
            1 => numbers.map(f64::abs).sum::<f64>(),
            _ => numbers.map(|x| x * x).sum::<f64>().sqrt(),
        };
        for (out, x) in out.iter_mut().zip(lane) {
            *out = if norm == 0.0 { T::zero() } else { T::from_double(x.to_f64() / norm) };
        }
    }))?)
}

/// Computes LRN. With an even `size` the region has one more channel after the element than before it.
fn lrn(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let (_, channels, plane) = channels(data)?;
    let size = match usize::try_from(node.int("size")) {
        Ok(size @ 1..) => size,
        _ => return Err(Refusal::invalid(format!("`size` is {}, expected a positive number", node.int("size")))),
    };
    let number = |name: &str| f64::from(node.float(name));
    let (factor, beta, bias) = (number("alpha") / size as f64, number("beta"), number("bias"));
    one(with_float!(data.dtype(), T => Array::filled(data.dtype(), data.shape(), |out| {
        let data = data.slice::<T>();
        pieces(out.data, plane, |at, out: &mut [T]| {
            let (instance, channel) = (at / channels, at % channels);
            let (first, last) = (channel.saturating_sub((size - 1) / 2), channel.saturating_add(size / 2).min(channels - 1));
            let element = |channel: usize, i: usize| data[(instance * channels + channel) * plane + i].to_f64();
            for (i, out) in out.iter_mut().enumerate() {
                let squares: f64 = (first..=last).map(|channel| element(channel, i) * element(channel, i)).sum();
                *out = T::from_double(element(channel, i) / (bias + factor * squares).powf(beta));
            }
        });
        Ok(())
    }))?)
}
