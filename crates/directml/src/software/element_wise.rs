//! `ELEMENT_WISE_*` and `ACTIVATION_*`: operators that compute each element of the output from the input elements at
//! the same position.

pub mod activation;
pub mod binary;
pub mod quantization;
pub mod scaled;
pub mod ternary;
pub mod unary;

use bytemuck::Pod;
use half::f16;
use plumbline_tensor::DType;

use super::call::{Call, Stop, Written};
use super::memory::Raw;
use super::types::dtype_of;
use crate::tensor::TensorDescription;
use plumbline_cpu::element::unsupported_type;
use plumbline_graph::Refusal;

/// Returns the element type of the first input, under the name that the kernels use.
fn dtype(call: &Call) -> Result<DType, Stop> {
    Ok(dtype_of(input(call, 0)?.data_type)?)
}

/// Returns the input tensor with this number; tensors that are left out are not counted.
fn input<'a>(call: &Call<'a>, at: usize) -> Result<&'a TensorDescription, Stop> {
    let tensor = call.description.inputs().into_iter().flatten().nth(at);
    Ok(tensor.ok_or_else(|| Refusal::failed("a tensor of the operator is missing"))?)
}

/// Returns the elements of an input in row-major order.
fn list<A: Pod>(call: &Call, at: usize) -> Result<Vec<A>, Stop> {
    Ok(bytemuck::pod_collect_to_vec(&call.memory.input_bytes(at, input(call, at)?, size_of::<A>())?.bytes))
}

/// Returns the elements of an input in row-major order as bytes.
fn raw(call: &Call, at: usize) -> Result<Raw, Stop> {
    let tensor = input(call, at)?;
    Ok(call.memory.input_bytes(at, tensor, dtype_of(tensor.data_type)?.size())?)
}

/// Writes elements in row-major order to the output.
fn written<O: Pod>(call: &Call, elements: &[O]) -> Written {
    written_bytes(call, size_of::<O>(), bytemuck::cast_slice(elements))
}

/// Writes elements of `size` bytes in row-major order to the output.
fn written_bytes(call: &Call, size: usize, bytes: &[u8]) -> Written {
    let tensor = call.description.outputs().into_iter().flatten().next();
    let tensor = tensor.ok_or_else(|| Refusal::failed("a tensor of the operator is missing"))?;
    let count = bytes.len() / size;
    if tensor.element_count() != Some(count as u64) {
        let sizes = &tensor.sizes;
        return Err(
            Refusal::failed(format!("the kernel gave {count} elements for an output of Sizes {sizes:?}")).into()
        );
    }
    Ok(vec![call.memory.with_elements(0, tensor, (size, bytes))?])
}

/// Copies every bit, including the payload of NaN.
fn copied(call: &Call) -> Written {
    let elements = raw(call, 0)?;
    written_bytes(call, elements.size, &elements.bytes)
}

/// Writes truth values to an output of type UINT8 or UINT32.
fn truths(call: &Call, elements: &[bool]) -> Written {
    counts(call, &elements.iter().map(|&truth| truth.into()).collect::<Vec<_>>())
}

/// Writes small numbers to an output of type UINT8 or UINT32.
fn counts(call: &Call, elements: &[u8]) -> Written {
    match call.description.outputs().first().copied().flatten().and_then(|out| out.data_type.bits()) {
        Some(8) => written(call, elements),
        Some(32) => written(call, &elements.iter().map(|&count| count.into()).collect::<Vec<u32>>()),
        _ => Err(Refusal::unsupported("no kernel writes truth values or counts of this data type").into()),
    }
}

/// Applies `f` to each element. Here and in [`zip`], `f` is a trait object so that the function is compiled once for
/// each type and not for each `f`.
fn map<T: Pod>(call: &Call, f: &dyn Fn(T) -> T) -> Written {
    let mut elements = list::<T>(call, 0)?;
    elements.iter_mut().for_each(|x| *x = f(*x));
    written(call, &elements)
}

/// Applies `f` to each pair of elements.
fn zip<T: Pod>(call: &Call, f: &dyn Fn(T, T) -> T) -> Written {
    let (mut a, b) = (list::<T>(call, 0)?, list::<T>(call, 1)?);
    a.iter_mut().zip(&b).for_each(|(a, &b)| *a = f(*a, b));
    written(call, &a)
}

/// Applies a function of floats after the optional scale and bias. Float16 is computed in float32.
fn real(call: &Call, single: &dyn Fn(f32) -> f32, double: &dyn Fn(f64) -> f64) -> Written {
    let dtype = dtype(call)?;
    let (scale, bias) = scaled::scaled(call.description).unzip();
    let to = |x: f64| {
        let x = scale.map_or(x, |scale| x * scale);
        double(bias.map_or(x, |bias| x + bias))
    };
    let to_single = |x: f32| {
        let x = scale.map_or(x, |scale| x * scale as f32);
        single(bias.map_or(x, |bias| x + bias as f32))
    };
    match dtype {
        DType::Double => map(call, &to),
        DType::Float => map(call, &to_single),
        DType::Float16 => map(call, &|x: f16| f16::from_f32(to_single(x.to_f32()))),
        other => Err(unsupported_type(other).into()),
    }
}

/// Defines functions of floats: `name(attributes) x => value`, where `W` is float32 or float64.
macro_rules! functions {
    ($($name:ident($($variable:ident: $attribute:literal),*) $x:ident => $value:expr;)*) => {$(
        fn $name(call: &Call) -> Written {
            $(let $variable = call.float($attribute)?;)*
            let single = {
                type W = f32;
                $(let $variable = <W as plumbline_cpu::element::Number>::from_double($variable);)*
                move |$x: W| -> W { $value }
            };
            let double = {
                type W = f64;
                $(let $variable = <W as plumbline_cpu::element::Number>::from_double($variable);)*
                move |$x: W| -> W { $value }
            };
            super::real(call, &single, &double)
        }
    )*};
}
use functions;
