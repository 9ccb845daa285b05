//! QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear. The first two are computed in float64 and rounded once.

use plumbline_tensor::DType;

use super::axes::axis;
use super::cast::{converted_to, manner, readable};
use crate::array::Array;
use crate::element::{Number, with_number};
use crate::kernels::quantize::{dequantized, quantized, scale_of};
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Operator)] =
    &[("DequantizeLinear", dequantize), ("DynamicQuantizeLinear", dynamic_quantize), ("QuantizeLinear", quantize)];

/// Finds the scale of an element. The data has `outer * extent * inner` elements; `extent` belongs to the axis with the
/// scales. Along this axis each block of `block` elements has its own scale. If a single scale applies to all elements,
/// `inner` is `usize::MAX`.
struct Places {
    extent: usize,
    inner: usize,
    block: usize,
    outer_step: usize,
    inner_step: usize,
}

impl Places {
    /// Checks the shape of the scales. There may be a single scale, a scale for each index of an axis, or a scale for
    /// each block along an axis.
    fn read(node: &Node, data: &Array, scale: &Array) -> Result<Places, Refusal> {
        let (shape, since, at) = (data.shape(), node.since(), node.int("axis"));
        let wrong =
            || Refusal::invalid(format!("scales of shape {:?} do not fit an input of shape {shape:?}", scale.shape()));
        let block = node.int("block_size");
        if block < 0 {
            return Err(Refusal::invalid(format!("`block_size` is {block}, expected 0 or more")));
        }
        // A single scale is for the whole tensor, whatever `axis` and `block_size` are.
        if scale.rank() <= 1 && scale.len() == 1 {
            return Ok(Places { extent: 1, inner: usize::MAX, block: 1, outer_step: 0, inner_step: 0 });
        }
        // From version 19 on, the axis does not matter for an input of rank 1.
        let along = || if since >= 19 && data.rank() == 1 { Ok(0) } else { axis(at, data.rank()) };
        let split = |axis: usize| (shape[axis], shape[axis + 1..].iter().product::<usize>());
        if block > 0 && data.rank() > 0 && scale.rank() == data.rank() {
            let axis = along()?;
            let (extent, inner) = split(axis);
            let block = block as usize;
            let mut expected = shape.to_vec();
            expected[axis] = extent.div_ceil(block);
            let places = Places { extent, inner, block, outer_step: expected[axis] * inner, inner_step: 1 };
            return if scale.shape() == expected { Ok(places) } else { Err(wrong()) };
        }
        if since < 13 || scale.rank() != 1 {
            return Err(wrong());
        }
        let axis = along()?;
        let (extent, inner) = split(axis);
        let places = Places { extent, inner, block: 1, outer_step: 0, inner_step: 0 };
        if scale.len() == extent { Ok(places) } else { Err(wrong()) }
    }

    fn at(&self, element: usize) -> usize {
        if self.inner == usize::MAX {
            return 0;
        }
        let (row, inner) = (element / self.inner, element % self.inner);
        let (outer, along) = (row / self.extent, row % self.extent / self.block);
        let across = if self.inner_step == 0 { 1 } else { self.inner };
        outer * self.outer_step + along * across + inner * self.inner_step
    }
}

/// Converts floats, integers or booleans to float64.
pub fn numbers(a: &Array) -> Result<Vec<f64>, Refusal> {
    let a = readable(a)?;
    with_number!(a.dtype(), T => Ok(a.slice::<T>().iter().map(|x| x.to_f64()).collect()))
}

/// Returns the zero points, which must have the shape of the scales, or `None` if they are left out.
fn zero_points(node: &Node, scale: &Array) -> Result<Option<Vec<f64>>, Refusal> {
    match node.optional(2)? {
        None => Ok(None),
        Some(zero) if zero.shape() == scale.shape() => numbers(zero).map(Some),
        // A single zero point or scale may be a scalar or a list of one number.
        Some(zero) if zero.len() == 1 && scale.len() == 1 && zero.rank().max(scale.rank()) == 1 => {
            numbers(zero).map(Some)
        }
        Some(zero) => Err(Refusal::invalid(format!(
            "the zero points have shape {:?} and the scales {:?}, expected equal shapes",
            zero.shape(),
            scale.shape()
        ))),
    }
}

/// Returns the element type that an attribute names, or `None` if the attribute is 0.
fn named(node: &Node, name: &str) -> Result<Option<DType>, Refusal> {
    match node.int(name) {
        0 => Ok(None),
        code => match DType::from_code(code) {
            Some(dtype) => Ok(Some(dtype)),
            None => Err(Refusal::invalid(format!("`{name}` is {code}, which is not an element type"))),
        },
    }
}

/// Returns the element type if the output may have it, else refuses it.
fn given_out(node: &Node, dtype: DType) -> Result<DType, Refusal> {
    let output = &node.version.outputs[0];
    match node.version.types_of(output).iter().any(|t| t.tensor_dtype() == Some(dtype)) {
        true => Ok(dtype),
        false => Err(Refusal::invalid(format!("{} has no output of type {dtype}", node.version.id))),
    }
}

/// Computes QuantizeLinear. For integer types the quotient is rounded to an integer, with ties to even, before the zero
/// point is added. For float types the quotient is not rounded to an integer.
fn quantize(node: &Node) -> Outputs {
    let (data, scale) = (node.input(0)?, node.input(1)?);
    let places = Places::read(node, data, scale)?;
    let zero = zero_points(node, scale)?;
    let wanted = named(node, "output_dtype")?;
    let to = match (node.optional(2)?.map(Array::dtype), wanted) {
        (Some(zero), Some(wanted)) if zero != wanted => {
            return Err(Refusal::invalid(format!("the zero points have type {zero}, but `output_dtype` is {wanted}")));
        }
        (Some(dtype), _) | (None, Some(dtype)) => dtype,
        (None, None) => DType::Uint8,
    };
    let to = given_out(node, to)?;
    if let Some(precision) = named(node, "precision")?.filter(|dtype| !dtype.is_float() && !dtype.is_integer()) {
        return Err(Refusal::invalid(format!("`precision` is {precision}, expected a numeric type")));
    }
    let scales = numbers(scale)?;
    let own = |(at, x): (usize, f64)| {
        let place = places.at(at);
        match (&zero, to.is_float()) {
            (None, true) => x / scales[place],
            (Some(zero), true) => x / scales[place] + zero[place],
            (zero, false) => {
                let zero = zero.as_ref().map_or(0.0, |zero| zero[place]);
                quantized(x, scales[place], zero, (f64::NEG_INFINITY, f64::INFINITY))
            }
        }
    };
    let found: Vec<f64> = numbers(data)?.into_iter().enumerate().map(own).collect();
    one(converted_to(&Array::from_elements(DType::Double, data.shape(), &found)?, to, manner(node, to)?)?)
}

fn dequantize(node: &Node) -> Outputs {
    let (data, scale) = (node.input(0)?, node.input(1)?);
    let places = Places::read(node, data, scale)?;
    let zero = zero_points(node, scale)?;
    let to = given_out(node, named(node, "output_dtype")?.unwrap_or(scale.dtype()))?;
    let scales = numbers(scale)?;
    let found = |(at, x): (usize, f64)| {
        let place = places.at(at);
        dequantized(x, scales[place], zero.as_ref().map_or(0.0, |zero| zero[place]))
    };
    let found: Vec<f64> = numbers(data)?.into_iter().enumerate().map(found).collect();
    one(converted_to(&Array::from_elements(DType::Double, data.shape(), &found)?, to, manner(node, to)?)?)
}

/// Computes DynamicQuantizeLinear: the range of the data, extended to contain 0, is divided into 255 steps.
fn dynamic_quantize(node: &Node) -> Outputs {
    let data = node.input(0)?;
    let elements = data.slice::<f32>();
    let (scale, zero) = scale_of(elements);
    let quantized: Vec<u8> = elements.iter().map(|&x| quantized(x, scale, zero, (0.0, 255.0)) as u8).collect();
    Ok(vec![
        Array::from_elements(DType::Uint8, data.shape(), &quantized)?.into(),
        Array::from_elements(DType::Float, &[], &[scale])?.into(),
        Array::from_elements(DType::Uint8, &[], &[zero as u8])?.into(),
    ])
}
