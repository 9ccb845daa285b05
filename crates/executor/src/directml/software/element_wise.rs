//! `ELEMENT_WISE_*` and `ACTIVATION_*`: each element of the output from those at its place in the inputs.

mod activation;
mod binary;
mod unary;

use bytemuck::Pod;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

use super::memory::Memory;
use crate::Refusal;
use crate::cpu::kernels::map::{map1, map2};
use crate::directml::description::OperatorDescription;

/// What an operator gives: the bytes of each of its outputs, from their first element on.
pub type Written = Result<Vec<Vec<u8>>, Refusal>;

/// Runs an operator on what is bound to it.
pub type Run = fn(&OperatorDescription, &Memory) -> Written;

/// What runs this operator.
pub fn find(name: &str) -> Option<Run> {
    let families = [unary::OPERATORS, binary::OPERATORS, activation::OPERATORS];
    families.into_iter().flatten().find(|(known, _)| *known == name).map(|&(_, run)| run)
}

/// The element type of the first input, as kernels name it.
fn dtype(description: &OperatorDescription) -> Result<DType, Refusal> {
    let tensor = description.inputs().first().copied().flatten();
    let data_type =
        tensor.map(|tensor| tensor.data_type).ok_or_else(|| Refusal::failed("an operator without an input"))?;
    Ok(match data_type {
        TensorDataType::Float32 => DType::Float,
        TensorDataType::Float16 => DType::Float16,
        TensorDataType::Float64 => DType::Double,
        TensorDataType::Uint8 => DType::Uint8,
        TensorDataType::Uint16 => DType::Uint16,
        TensorDataType::Uint32 => DType::Uint32,
        TensorDataType::Uint64 => DType::Uint64,
        TensorDataType::Int8 => DType::Int8,
        TensorDataType::Int16 => DType::Int16,
        TensorDataType::Int32 => DType::Int32,
        TensorDataType::Int64 => DType::Int64,
        other => return Err(Refusal::unsupported(format!("no kernel takes {other}"))),
    })
}

/// Whether an element of the output, which tells whether something is so, is UINT8; else it is UINT32.
fn is_byte(description: &OperatorDescription) -> Result<bool, Refusal> {
    match description.outputs().first().copied().flatten().and_then(|out| out.data_type.bits()) {
        Some(8) => Ok(true),
        Some(32) => Ok(false),
        _ => Err(Refusal::unsupported("truths of this data type")),
    }
}

/// A float attribute.
fn float(description: &OperatorDescription, name: &str) -> Result<f64, Refusal> {
    description.float(name).map(f64::from).ok_or_else(|| Refusal::failed(format!("{name} is no float")))
}

/// `f` of each element.
fn map<A, O>(description: &OperatorDescription, memory: &Memory, f: impl Fn(A) -> O + Sync) -> Written
where
    A: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    let (inputs, outputs) = (description.inputs(), description.outputs());
    let (Some(Some(a)), Some(Some(out))) = (inputs.first(), outputs.first()) else {
        return Err(Refusal::failed("a tensor is missing"));
    };
    let a = memory.input::<A>(0, a)?;
    let mut written = memory.output::<O>(0, out)?;
    map1(&mut written.view_mut()?, &a.view()?, f);
    Ok(vec![written.into_bytes()])
}

/// `f` of each pair of elements.
fn zip<A, B, O>(description: &OperatorDescription, memory: &Memory, f: impl Fn(A, B) -> O + Sync) -> Written
where
    A: Pod + Send + Sync,
    B: Pod + Send + Sync,
    O: Pod + Send + Sync,
{
    let (inputs, outputs) = (description.inputs(), description.outputs());
    let (Some(Some(a)), Some(Some(b)), Some(Some(out))) = (inputs.first(), inputs.get(1), outputs.first()) else {
        return Err(Refusal::failed("a tensor is missing"));
    };
    let (a, b) = (memory.input::<A>(0, a)?, memory.input::<B>(1, b)?);
    let mut written = memory.output::<O>(0, out)?;
    map2(&mut written.view_mut()?, &a.view()?, &b.view()?, f);
    Ok(vec![written.into_bytes()])
}

/// Functions of floats: `name(attributes) x => value`, after the scale and bias, if there are any.
macro_rules! functions {
    ($($name:ident($($variable:ident: $attribute:literal),*) $x:ident => $value:expr;)*) => {$(
        fn $name(description: &OperatorDescription, memory: &Memory) -> Written {
            use crate::cpu::element::{Float, Wide, with_float};
            with_float!(super::dtype(description)?, T => {
                type W = <T as Float>::Wide;
                $(let $variable = W::of(super::float(description, $attribute)?);)*
                let scaled = super::unary::scaled(description).map(|(scale, bias)| (W::of(scale), W::of(bias)));
                super::map(description, memory, move |x: T| {
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
