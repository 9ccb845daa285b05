//! `ELEMENT_WISE_*` and `ACTIVATION_*`: each element of the output from those at its place in the inputs.

pub mod activation;
pub mod binary;
pub mod quantization;
pub mod scaled;
pub mod ternary;
pub mod unary;

use bytemuck::Pod;
use plumbline_tensor::DType;

use super::call::{Call, Stop, Written, dtype_of};
use crate::Refusal;
use crate::cpu::kernels::map::{map1, map2, map3};
use crate::directml::tensor::TensorDescription;

/// The tensors an operator reads, and the first one it writes.
fn tensors<'a, const N: usize>(call: &Call<'a>) -> Result<([&'a TensorDescription; N], &'a TensorDescription), Stop> {
    let missing = || Refusal::failed("a tensor is missing");
    let inputs: Vec<_> = call.description.inputs().into_iter().flatten().collect();
    let inputs = <[&TensorDescription; N]>::try_from(inputs).map_err(|_| missing())?;
    let output = call.description.outputs().into_iter().flatten().next();
    Ok((inputs, output.ok_or_else(missing)?))
}

/// The element type of the first input, as kernels name it.
fn dtype(call: &Call) -> Result<DType, Stop> {
    let tensor = call.description.inputs().into_iter().flatten().next();
    let tensor = tensor.ok_or_else(|| Refusal::failed("an operator without an input"))?;
    Ok(dtype_of(tensor.data_type)?)
}

/// The integer without a sign that is as wide as the elements of the first input.
fn bits(call: &Call) -> Result<DType, Stop> {
    let wide = [DType::Uint8, DType::Uint16, DType::Uint32, DType::Uint64];
    let size = dtype(call)?.size();
    Ok(wide.into_iter().find(|wide| wide.size() == size).unwrap_or(DType::Uint64))
}

/// Whether an element of the output, which tells whether something is so, is UINT8; else it is UINT32.
fn is_byte(call: &Call) -> Result<bool, Stop> {
    match call.description.outputs().first().copied().flatten().and_then(|out| out.data_type.bits()) {
        Some(8) => Ok(true),
        Some(32) => Ok(false),
        _ => Err(Refusal::unsupported("truths of this data type").into()),
    }
}

/// `f` of each element.
fn map<A, O>(call: &Call, f: impl Fn(A) -> O + Sync) -> Written
where
    A: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    let ([a], out) = tensors(call)?;
    let a = call.memory.input::<A>(0, a)?;
    let mut written = call.memory.output::<O>(0, out)?;
    map1(&mut written.view_mut()?, &a.view()?, f);
    Ok(vec![written.into_bytes()])
}

/// `f` of each pair of elements.
fn zip<A, B, O>(call: &Call, f: impl Fn(A, B) -> O + Sync) -> Written
where
    A: Pod + Send + Sync,
    B: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    let ([a, b], out) = tensors(call)?;
    let (a, b) = (call.memory.input::<A>(0, a)?, call.memory.input::<B>(1, b)?);
    let mut written = call.memory.output::<O>(0, out)?;
    map2(&mut written.view_mut()?, &a.view()?, &b.view()?, f);
    Ok(vec![written.into_bytes()])
}

/// `f` of three elements.
fn zip3<A, B, C, O>(call: &Call, f: impl Fn(A, B, C) -> O + Sync) -> Written
where
    A: Pod + Send + Sync,
    B: Pod + Send + Sync,
    C: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    let ([a, b, c], out) = tensors(call)?;
    let (a, b) = (call.memory.input::<A>(0, a)?, call.memory.input::<B>(1, b)?);
    let c = call.memory.input::<C>(2, c)?;
    let mut written = call.memory.output::<O>(0, out)?;
    map3(&mut written.view_mut()?, (&a.view()?, &b.view()?, &c.view()?), f);
    Ok(vec![written.into_bytes()])
}

/// Functions of floats: `name(attributes) x => value`, after the scale and bias, if there are any.
macro_rules! functions {
    ($($name:ident($($variable:ident: $attribute:literal),*) $x:ident => $value:expr;)*) => {$(
        fn $name(call: &Call) -> Written {
            use crate::cpu::element::{Float, Wide};
            crate::directml::software::call::floats!(super::dtype(call)?, T => {
                type W = <T as Float>::Wide;
                $(let $variable = W::of(call.float($attribute)?);)*
                let scaled = super::scaled::scaled(call).map(|(scale, bias)| (W::of(scale), W::of(bias)));
                super::map(call, move |x: T| {
                    let x: W = x.wide();
                    let $x: W = match scaled {
                        Some((scale, bias)) => x * scale + bias,
                        None => x,
                    };
                    T::narrow($value)
                })
            })
        }
    )*};
}
use functions;
