//! Element-wise quantization to integers, and dequantization, with a scale and a zero point.

use super::super::call::{Call, Dense, Run, Stop, Written};

pub const OPERATORS: &[(&str, Run)] = &[
    ("ELEMENT_WISE_DEQUANTIZE_LINEAR", dequantize_linear),
    ("ELEMENT_WISE_QUANTIZED_LINEAR_ADD", quantized_linear_add),
    ("ELEMENT_WISE_QUANTIZE_LINEAR", quantize_linear),
];

/// Scales and zero points. A scale or zero point with one element applies to all elements of the quantized tensor. A
/// missing zero point is 0.
pub struct Quantization {
    scale: Dense,
    zero_point: Option<Dense>,
}

impl Quantization {
    /// Reads the tensors of these two fields.
    pub fn read(call: &Call, scale: &str, zero_point: &str) -> Result<Quantization, Stop> {
        Ok(Quantization { scale: call.numbers(scale)?, zero_point: call.optional_numbers(zero_point)? })
    }

    /// Returns the scale and the zero point of an element.
    pub fn at(&self, at: usize) -> (f64, f64) {
        let of = |dense: &Dense| dense.data[at.min(dense.data.len() - 1)];
        (of(&self.scale), self.zero_point.as_ref().map_or(0.0, of))
    }

    /// Returns the index of the last scale.
    pub fn most(&self) -> usize {
        self.scale.data.len() - 1
    }

    /// Dequantizes an integer.
    pub fn number(&self, at: usize, integer: f64) -> f64 {
        let (scale, zero_point) = self.at(at);
        (integer - zero_point) * scale
    }
}

/// Quantizes a number: divides in float32, rounds the quotient to an integer with ties to even, and adds the zero
/// point. The result saturates when it is written.
pub fn quantized(number: f64, (scale, zero_point): (f64, f64)) -> f64 {
    f64::from((number as f32 / scale as f32).round_ties_even()) + zero_point
}

fn quantize_linear(call: &Call) -> Written {
    let (x, by) = (call.numbers("InputTensor")?, Quantization::read(call, "ScaleTensor", "ZeroPointTensor")?);
    let found: Vec<f64> = x.data.iter().enumerate().map(|(at, &x)| quantized(x, by.at(at))).collect();
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Dequantizes. The difference between an integer and its zero point is exact.
fn dequantize_linear(call: &Call) -> Written {
    let (x, by) = (call.numbers("InputTensor")?, Quantization::read(call, "ScaleTensor", "ZeroPointTensor")?);
    let found: Vec<f64> = x.data.iter().enumerate().map(|(at, &x)| by.number(at, x)).collect();
    Ok(vec![call.put("OutputTensor", &found)?])
}

fn quantized_linear_add(call: &Call) -> Written {
    let (a, b) = (call.numbers("ATensor")?, call.numbers("BTensor")?);
    let a_by = Quantization::read(call, "AScaleTensor", "AZeroPointTensor")?;
    let b_by = Quantization::read(call, "BScaleTensor", "BZeroPointTensor")?;
    let by = Quantization::read(call, "OutputScaleTensor", "OutputZeroPointTensor")?;
    let sums = a.data.iter().zip(&b.data).enumerate();
    let found: Vec<f64> =
        sums.map(|(at, (&a, &b))| quantized(a_by.number(at, a) + b_by.number(at, b), by.at(at))).collect();
    Ok(vec![call.put("OutputTensor", &found)?])
}
