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

use super::call::{Call, Stop, Written, dtype_of};
use plumbline_cpu::element::no_type;
use plumbline_cpu::kernels::copy::copy;
use plumbline_cpu::kernels::lanes::laid;
use plumbline_cpu::view::View;
use plumbline_graph::Refusal;

/// Returns the element type of the first input, under the name that the kernels use.
fn dtype(call: &Call) -> Result<DType, Stop> {
    let tensor = call.description.inputs().into_iter().flatten().next();
    let tensor = tensor.ok_or_else(|| Refusal::failed("the operator has no input"))?;
    Ok(dtype_of(tensor.data_type)?)
}

/// Returns the unsigned integer type with the width of the first input's elements.
fn bits(call: &Call) -> Result<DType, Stop> {
    let wide = [DType::Uint8, DType::Uint16, DType::Uint32, DType::Uint64];
    let size = dtype(call)?.size();
    Ok(wide.into_iter().find(|wide| wide.size() == size).unwrap_or(DType::Uint64))
}

/// Returns whether an output of truth values is UINT8; otherwise it is UINT32.
fn is_byte(call: &Call) -> Result<bool, Stop> {
    match call.description.outputs().first().copied().flatten().and_then(|out| out.data_type.bits()) {
        Some(8) => Ok(true),
        Some(32) => Ok(false),
        _ => Err(Refusal::unsupported("no kernel writes truth values of this data type").into()),
    }
}

/// Returns the elements of an input in row-major order.
fn list<A: Pod + Send + Sync>(call: &Call, at: usize) -> Result<Vec<A>, Stop> {
    let tensor = call.description.inputs().into_iter().flatten().nth(at);
    let tensor = tensor.ok_or_else(|| Refusal::failed("a tensor of the operator is missing"))?;
    let elements = call.memory.input::<A>(at, tensor)?;
    Ok(laid(&elements.view()?).into_owned())
}

/// Writes elements in row-major order to the output.
fn written<O: Pod + Send + Sync>(call: &Call, elements: &[O]) -> Written {
    let tensor = call.description.outputs().into_iter().flatten().next();
    let tensor = tensor.ok_or_else(|| Refusal::failed("a tensor of the operator is missing"))?;
    let mut out = call.memory.output::<O>(0, tensor)?;
    let sizes: Vec<usize> = tensor.sizes.iter().map(|&size| size as usize).collect();
    if sizes.iter().product::<usize>() != elements.len() {
        return Err(Refusal::failed(format!(
            "the kernel gave {} elements for an output of Sizes {sizes:?}",
            elements.len()
        ))
        .into());
    }
    copy(&mut out.view_mut()?, &View::packed(elements, &sizes));
    Ok(vec![out.into_bytes()])
}

/// Applies `f` to each element.
fn map<A, O>(call: &Call, f: impl Fn(A) -> O) -> Written
where
    A: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    let a = list::<A>(call, 0)?;
    let mut out: Vec<O> = bytemuck::zeroed_vec(a.len());
    out.iter_mut().zip(&a).for_each(|(out, &a)| *out = f(a));
    written(call, &out)
}

/// Applies `f` to each pair of elements.
fn zip<A, B, O>(call: &Call, f: impl Fn(A, B) -> O) -> Written
where
    A: Pod + Send + Sync,
    B: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    zip_with(call, &list::<B>(call, 1)?, f)
}

/// Applies `f` to each element of the first input and the list's element at the same position.
fn zip_with<A, B, O>(call: &Call, b: &[B], f: impl Fn(A, B) -> O) -> Written
where
    A: Pod + Send + Sync,
    B: Copy,
    O: Pod + Send + Sync,
{
    let a = list::<A>(call, 0)?;
    let mut out: Vec<O> = bytemuck::zeroed_vec(a.len());
    out.iter_mut().zip(a.iter().zip(b)).for_each(|(out, (&a, &b))| *out = f(a, b));
    written(call, &out)
}

/// Applies a function of floats after the optional scale and bias. Float16 is computed in float32.
fn real(call: &Call, single: &dyn Fn(f32) -> f32, double: &dyn Fn(f64) -> f64) -> Written {
    let dtype = dtype(call)?;
    let (scale, bias) = scaled::scaled(call).unzip();
    let to = |x: f64| {
        let x = scale.map_or(x, |scale| x * scale);
        double(bias.map_or(x, |bias| x + bias))
    };
    let to_single = |x: f32| {
        let x = scale.map_or(x, |scale| x * scale as f32);
        single(bias.map_or(x, |bias| x + bias as f32))
    };
    match dtype {
        DType::Double => written(call, &list::<f64>(call, 0)?.into_iter().map(to).collect::<Vec<_>>()),
        DType::Float => written(call, &list::<f32>(call, 0)?.into_iter().map(to_single).collect::<Vec<_>>()),
        DType::Float16 => {
            let halves = list::<f16>(call, 0)?.into_iter();
            written(call, &halves.map(|x| f16::from_f32(to_single(x.to_f32()))).collect::<Vec<_>>())
        }
        other => Err(no_type(other).into()),
    }
}

/// Defines functions of floats: `name(attributes) x => value`, where `W` is float32 or float64.
macro_rules! functions {
    ($($name:ident($($variable:ident: $attribute:literal),*) $x:ident => $value:expr;)*) => {$(
        fn $name(call: &Call) -> Written {
            $(let $variable = call.float($attribute)?;)*
            let single = {
                type W = f32;
                $(let $variable = <W as plumbline_cpu::element::Wide>::from_f64($variable);)*
                move |$x: W| -> W { $value }
            };
            let double = {
                type W = f64;
                $(let $variable = <W as plumbline_cpu::element::Wide>::from_f64($variable);)*
                move |$x: W| -> W { $value }
            };
            super::real(call, &single, &double)
        }
    )*};
}
use functions;
