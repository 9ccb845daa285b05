//! Operators of one input.

use super::super::memory::Memory;
use super::{Run, Written, dtype, float, functions, is_byte, map};
use crate::Refusal;
use crate::cpu::element::{Float, Integer, Number, with_float, with_integer, with_number};
use crate::directml::attribute::Attribute;
use crate::directml::description::OperatorDescription;

pub const OPERATORS: &[(&str, Run)] = &[
    ("ELEMENT_WISE_ABS", abs),
    ("ELEMENT_WISE_ACOS", acos),
    ("ELEMENT_WISE_ACOSH", acosh),
    ("ELEMENT_WISE_ASIN", asin),
    ("ELEMENT_WISE_ASINH", asinh),
    ("ELEMENT_WISE_ATAN", atan),
    ("ELEMENT_WISE_ATANH", atanh),
    ("ELEMENT_WISE_BIT_NOT", bit_not),
    ("ELEMENT_WISE_CEIL", ceil),
    ("ELEMENT_WISE_COS", cos),
    ("ELEMENT_WISE_COSH", cosh),
    ("ELEMENT_WISE_ERF", erf),
    ("ELEMENT_WISE_EXP", exp),
    ("ELEMENT_WISE_FLOOR", floor),
    ("ELEMENT_WISE_IDENTITY", identity),
    ("ELEMENT_WISE_IS_INFINITY", is_infinity),
    ("ELEMENT_WISE_IS_NAN", is_nan),
    ("ELEMENT_WISE_LOG", log),
    ("ELEMENT_WISE_LOGICAL_NOT", logical_not),
    ("ELEMENT_WISE_NEGATE", negate),
    ("ELEMENT_WISE_RECIP", recip),
    ("ELEMENT_WISE_ROUND", round),
    ("ELEMENT_WISE_SIGN", sign),
    ("ELEMENT_WISE_SIN", sin),
    ("ELEMENT_WISE_SINH", sinh),
    ("ELEMENT_WISE_SQRT", sqrt),
    ("ELEMENT_WISE_TAN", tan),
    ("ELEMENT_WISE_TANH", tanh),
    ("ELEMENT_WISE_THRESHOLD", threshold),
];

/// What elements are multiplied by and added to before the function, if anything.
pub fn scaled(description: &OperatorDescription) -> Option<(f64, f64)> {
    match description.attribute("ScaleBias") {
        Some(Attribute::ScaleBias(found)) => Some((found.scale.into(), found.bias.into())),
        _ => None,
    }
}

functions! {
    abs_of_float() x => Number::abs(x);
    acos() x => x.acos();
    acosh() x => Wide::acosh(x);
    asin() x => x.asin();
    asinh() x => Wide::asinh(x);
    atan() x => x.atan();
    atanh() x => Wide::atanh(x);
    ceil() x => x.ceil();
    cos() x => x.cos();
    cosh() x => x.cosh();
    erf() x => Wide::erf(x);
    exp() x => x.exp();
    floor() x => x.floor();
    identity_of_float() x => x;
    log() x => x.ln();
    recip() x => 1.0 / x;
    sin() x => x.sin();
    sinh() x => x.sinh();
    sqrt() x => x.sqrt();
    tan() x => x.tan();
    tanh() x => x.tanh();
    threshold_of_float(least: "Min") x => Number::larger(x, least);
    halves_to_even() x => x.round_ties_even();
    toward_zero() x => x.trunc();
}

/// Integers with a scale: the documentation does not say in what they are computed.
fn unscaled(description: &OperatorDescription) -> Result<(), Refusal> {
    match scaled(description) {
        Some(_) => Err(Refusal::unsupported("ScaleBias for elements that are no floats")),
        None => Ok(()),
    }
}

fn abs(description: &OperatorDescription, memory: &Memory) -> Written {
    let dtype = dtype(description)?;
    if dtype.is_float() {
        return abs_of_float(description, memory);
    }
    unscaled(description)?;
    with_integer!(dtype, T => map(description, memory, |x: T| Number::abs(x)))
}

/// Every bit as it is, also of what is not a number.
fn identity(description: &OperatorDescription, memory: &Memory) -> Written {
    let dtype = dtype(description)?;
    if dtype.is_float() && scaled(description).is_some() {
        return identity_of_float(description, memory);
    }
    unscaled(description)?;
    with_number!(dtype, T => map(description, memory, |x: T| x))
}

fn threshold(description: &OperatorDescription, memory: &Memory) -> Written {
    let dtype = dtype(description)?;
    if dtype.is_float() {
        return threshold_of_float(description, memory);
    }
    unscaled(description)?;
    let least = float(description, "Min")?;
    with_integer!(dtype, T => map(description, memory, move |x: T| Number::larger(x, T::from_f64(least))))
}

fn round(description: &OperatorDescription, memory: &Memory) -> Written {
    match description.uint("RoundingMode") {
        Some(0) => halves_to_even(description, memory),
        Some(1) => toward_zero(description, memory),
        _ => Err(Refusal::unsupported("this RoundingMode")),
    }
}

fn negate(description: &OperatorDescription, memory: &Memory) -> Written {
    with_number!(dtype(description)?, T => map(description, memory, |x: T| Number::neg(x)))
}

fn sign(description: &OperatorDescription, memory: &Memory) -> Written {
    with_number!(dtype(description)?, T => map(description, memory, |x: T| Number::signum(x)))
}

fn bit_not(description: &OperatorDescription, memory: &Memory) -> Written {
    with_integer!(dtype(description)?, T => map(description, memory, |x: T| Integer::not(x)))
}

fn logical_not(description: &OperatorDescription, memory: &Memory) -> Written {
    let truth = |zero: bool| u8::from(zero);
    with_integer!(dtype(description)?, T => map(description, memory, |x: T| T::wrap(truth(x == T::zero()).into())))
}

/// A test of floats, as UINT8 or UINT32.
macro_rules! tests {
    ($($name:ident($mode:ident) $x:ident => $truth:expr;)*) => {$(
        fn $name(description: &OperatorDescription, memory: &Memory) -> Written {
            let (byte, $mode) = (is_byte(description)?, description.uint("InfinityMode").unwrap_or(0));
            with_float!(dtype(description)?, T => match byte {
                true => map(description, memory, move |$x: T| u8::from($truth)),
                false => map(description, memory, move |$x: T| u32::from($truth)),
            })
        }
    )*};
}

tests! {
    is_nan(_mode) x => Number::is_nan(x);
    is_infinity(mode) x => x.wide().is_infinite() && match mode {
        1 => x > Number::zero(),
        2 => x < Number::zero(),
        _ => true,
    };
}
