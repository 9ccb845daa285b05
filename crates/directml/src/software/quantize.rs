//! QUANTIZE and DEQUANTIZE, for blocks and for types down to 4 bits, and DYNAMIC_QUANTIZE_LINEAR.

use super::call::{Call, Dense, Run, Stop, Written, wrong};
use super::element_wise::quantization::quantized;
use plumbline_cpu::kernels::scatter::indices;

pub const OPERATORS: &[(&str, Run)] =
    &[("DEQUANTIZE", dequantize), ("DYNAMIC_QUANTIZE_LINEAR", dynamic_quantize_linear), ("QUANTIZE", quantize)];

/// A scale and a zero point, as far as they are given. If one of them has fewer elements than the input along a
/// dimension, each of its elements holds for a block.
struct Factors {
    scale: Option<Dense>,
    zero_point: Option<Dense>,
    sizes: Vec<usize>,
}

impl Factors {
    fn read(call: &Call) -> Result<Factors, Stop> {
        let (field, sizes) = ("QuantizationTensors", call.sizes("InputTensor")?);
        call.expect("OutputTensor", &sizes)?;
        let count = call.uint("QuantizationType")?;
        if count > 2 || count != call.tensors(field)?.len() {
            return wrong(
                field,
                format!("has {} tensors, but QuantizationType needs {count}", call.tensors(field)?.len()),
            );
        }
        let factor = |nth: usize| {
            let found = call.numbers_nth(field, nth)?;
            match found.sizes.iter().zip(&sizes).all(|(own, size)| size.is_multiple_of(*own)) {
                true => Ok(found),
                false => wrong(
                    &format!("{field}[{nth}]"),
                    format!("Sizes are {:?}, which do not divide {sizes:?} of InputTensor", found.sizes),
                ),
            }
        };
        let scale = (count > 0).then(|| factor(0)).transpose()?;
        let zero_point = (count > 1).then(|| factor(1)).transpose()?;
        Ok(Factors { scale, zero_point, sizes })
    }

    /// Applies `f` to each element with its scale and zero point.
    fn each(&self, x: &Dense, f: impl Fn(f64, (f64, f64)) -> f64) -> Vec<f64> {
        let mut found = Vec::with_capacity(x.data.len());
        indices(&self.sizes, |index| {
            let of = |factor: &Option<Dense>, default: f64| {
                factor.as_ref().map_or(default, |factor| {
                    let place = index.iter().zip(&factor.sizes).zip(&self.sizes);
                    let place = place.fold(0, |place, ((&i, &own), &size)| place * own + i / (size / own));
                    factor.data[place]
                })
            };
            found.push(f(x.data[found.len()], (of(&self.scale, 1.0), of(&self.zero_point, 0.0))));
        });
        found
    }
}

fn quantize(call: &Call) -> Written {
    let (factors, x) = (Factors::read(call)?, call.numbers("InputTensor")?);
    Ok(vec![call.put("OutputTensor", &factors.each(&x, quantized))?])
}

fn dequantize(call: &Call) -> Written {
    let (factors, x) = (Factors::read(call)?, call.numbers("InputTensor")?);
    Ok(vec![call.put("OutputTensor", &factors.each(&x, |x, (scale, zero_point)| (x - zero_point) * scale))?])
}

/// Divides the range of the elements, extended to include 0, into 255 steps. If all elements are 0, the scale is 0 and
/// all results are the zero point.
fn dynamic_quantize_linear(call: &Call) -> Written {
    let x = call.numbers("InputTensor")?;
    let signed = call.dtype("OutputTensor")? == plumbline_tensor::DType::Int8;
    let first = if signed { -128.0f32 } else { 0.0 };
    let least = x.data.iter().fold(0.0, |least: f64, &x| least.min(x)) as f32;
    let most = x.data.iter().fold(0.0, |most: f64, &x| most.max(x)) as f32;
    let scale = (most - least) / 255.0;
    let zero = if scale == 0.0 { first } else { (first - least / scale).round_ties_even().clamp(first, first + 255.0) };
    let by = (f64::from(scale), f64::from(zero));
    let found: Vec<f64> = x.data.iter().map(|&x| if scale == 0.0 { by.1 } else { quantized(x, by) }).collect();
    Ok(vec![
        call.put("OutputTensor", &found)?,
        call.put("OutputScaleTensor", &[by.0])?,
        call.put("OutputZeroPointTensor", &[by.1])?,
    ])
}
