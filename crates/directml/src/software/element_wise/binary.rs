//! Operators with two inputs.

use super::super::call::{Call, Run, Written, floats, integers, numbers};
use super::{dtype, is_byte, zip, zip_with};
use plumbline_cpu::element::{Float, Integer, Number};

pub const OPERATORS: &[(&str, Run)] = &[
    ("ELEMENT_WISE_ADD", add),
    ("ELEMENT_WISE_ADD1", add1),
    ("ELEMENT_WISE_ATAN_YX", atan_yx),
    ("ELEMENT_WISE_BIT_AND", bit_and),
    ("ELEMENT_WISE_BIT_OR", bit_or),
    ("ELEMENT_WISE_BIT_SHIFT_LEFT", bit_shift_left),
    ("ELEMENT_WISE_BIT_SHIFT_RIGHT", bit_shift_right),
    ("ELEMENT_WISE_BIT_XOR", bit_xor),
    ("ELEMENT_WISE_DIFFERENCE_SQUARE", difference_square),
    ("ELEMENT_WISE_DIVIDE", divide),
    ("ELEMENT_WISE_LOGICAL_AND", |call| logical(call, |a, b| a & b)),
    ("ELEMENT_WISE_LOGICAL_EQUALS", |call| compared(call, [false, true, false])),
    ("ELEMENT_WISE_LOGICAL_GREATER_THAN", |call| compared(call, [false, false, true])),
    ("ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", |call| compared(call, [false, true, true])),
    ("ELEMENT_WISE_LOGICAL_LESS_THAN", |call| compared(call, [true, false, false])),
    ("ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", |call| compared(call, [true, true, false])),
    ("ELEMENT_WISE_LOGICAL_OR", |call| logical(call, |a, b| a | b)),
    ("ELEMENT_WISE_LOGICAL_XOR", |call| logical(call, |a, b| a ^ b)),
    ("ELEMENT_WISE_MAX", max),
    ("ELEMENT_WISE_MEAN", mean),
    ("ELEMENT_WISE_MIN", min),
    ("ELEMENT_WISE_MODULUS_FLOOR", modulus_floor),
    ("ELEMENT_WISE_MODULUS_TRUNCATE", modulus_truncate),
    ("ELEMENT_WISE_MULTIPLY", multiply),
    ("ELEMENT_WISE_POW", pow),
    ("ELEMENT_WISE_SUBTRACT", subtract),
];

macro_rules! arithmetic {
    ($($name:ident: $with:ident $trait:ident::$method:ident;)*) => {$(
        fn $name(call: &Call) -> Written {
            $with!(dtype(call)?, T => zip(call, |a: T, b: T| $trait::$method(a, b)))
        }
    )*};
}

arithmetic! {
    add: numbers Number::add;
    bit_shift_left: integers Integer::left;
    bit_shift_right: integers Integer::right;
    divide: numbers Number::div;
    max: numbers Number::larger;
    min: numbers Number::smaller;
    modulus_floor: numbers Number::modulo;
    modulus_truncate: numbers Number::remainder;
    multiply: numbers Number::mul;
    subtract: numbers Number::sub;
}

/// Adds, and applies the activation if there is one.
fn add1(call: &Call) -> Written {
    let fused = match call.called("FusedActivation") {
        [activation] => Some(super::activation::fused(activation)?),
        _ => None,
    };
    numbers!(dtype(call)?, T => match &fused {
        Some(f) => zip(call, |a: T, b: T| T::nearest(f(a.to_f64() + b.to_f64()))),
        None => zip(call, |a: T, b: T| Number::add(a, b)),
    })
}

fn atan_yx(call: &Call) -> Written {
    floats!(dtype(call)?, T => zip(call, |y: T, x: T| T::nearest(y.to_f64().atan2(x.to_f64()))))
}

/// Defines operators on the bits of elements, whatever their type.
macro_rules! bitwise {
    ($($name:ident: $method:ident;)*) => {$(
        fn $name(call: &Call) -> Written {
            integers!(super::bits(call)?, T => zip(call, |a: T, b: T| Integer::$method(a, b)))
        }
    )*};
}

bitwise! {
    bit_and: and;
    bit_or: or;
    bit_xor: xor;
}

fn difference_square(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() {
        return floats!(dtype, T => zip(call, |a: T, b: T| {
            let difference = a.wide() - b.wide();
            T::narrow(difference * difference)
        }));
    }
    numbers!(dtype, T => zip(call, |a: T, b: T| Number::mul(Number::sub(a, b), Number::sub(a, b))))
}

/// Computes half the sum; for integers without the fraction, like ELEMENT_WISE_DIVIDE.
fn mean(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() {
        return floats!(dtype, T => zip(call, |a: T, b: T| T::narrow((a.wide() + b.wide()) / 2.0)));
    }
    integers!(dtype, T => zip(call, |a: T, b: T| T::wrap((a.to_i128() + b.to_i128()) / 2)))
}

/// Computes the power. It is exact if both operands are integers.
fn pow(call: &Call) -> Written {
    let (base, exponent) = (dtype(call)?, call.dtype("ExponentTensor")?);
    if base.is_float() || exponent.is_float() {
        let (scale, bias) = super::scaled::scaled(call).unwrap_or((1.0, 0.0));
        let (x, e) = (call.numbers("InputTensor")?, call.numbers("ExponentTensor")?);
        let found: Vec<f64> = x.data.iter().zip(e.data).map(|(x, e)| (x * scale + bias).powf(e)).collect();
        return Ok(vec![call.put("OutputTensor", &found)?]);
    }
    super::scaled::unscaled(call)?;
    let exponents = call.integers("ExponentTensor")?;
    integers!(base, T => zip_with(call, &exponents, |x: T, exponent: i64| x.power(exponent)))
}

fn compared(call: &Call, [less, equal, greater]: [bool; 3]) -> Written {
    let byte = is_byte(call)?;
    numbers!(dtype(call)?, T => {
        let truth = move |a: T, b: T| (less && a < b) || (equal && a == b) || (greater && a > b);
        match byte {
            true => zip(call, move |a: T, b: T| u8::from(truth(a, b))),
            false => zip(call, move |a: T, b: T| u32::from(truth(a, b))),
        }
    })
}

fn logical(call: &Call, f: fn(bool, bool) -> bool) -> Written {
    integers!(dtype(call)?, T => zip(call, move |a: T, b: T| {
        T::wrap(f(a != T::zero(), b != T::zero()).into())
    }))
}
