//! Operators with two inputs.

use super::super::call::{Call, Run, Written};
use super::super::types::{comparable, floats, integers, numbers};
use super::{dtype, list, raw, truths, written, written_bytes, zip};
use plumbline_cpu::element::{Float, Integer, Number};

pub const OPERATORS: &[(&str, Run)] = &[
    ("ELEMENT_WISE_ADD", add),
    ("ELEMENT_WISE_ADD1", add1),
    ("ELEMENT_WISE_ATAN_YX", atan_yx),
    ("ELEMENT_WISE_BIT_AND", |call| bitwise(call, |a, b| a & b)),
    ("ELEMENT_WISE_BIT_OR", |call| bitwise(call, |a, b| a | b)),
    ("ELEMENT_WISE_BIT_SHIFT_LEFT", bit_shift_left),
    ("ELEMENT_WISE_BIT_SHIFT_RIGHT", bit_shift_right),
    ("ELEMENT_WISE_BIT_XOR", |call| bitwise(call, |a, b| a ^ b)),
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
            $with!(dtype(call)?, T => zip(call, &|a: T, b: T| $trait::$method(a, b)))
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
    match call.called("FusedActivation") {
        [activation] => {
            let f = super::activation::fused(activation)?;
            in_float64(call, &|a, b| f(a + b))
        }
        _ => add(call),
    }
}

fn atan_yx(call: &Call) -> Written {
    in_float64(call, &f64::atan2)
}

/// Applies a function of float64 to each pair of elements, and rounds the results.
fn in_float64(call: &Call, f: &dyn Fn(f64, f64) -> f64) -> Written {
    let (a, b) = (call.numbers("ATensor")?.data, call.numbers("BTensor")?.data);
    let found: Vec<f64> = a.iter().zip(&b).map(|(&a, &b)| f(a, b)).collect();
    Ok(vec![call.put("OutputTensor", &found)?])
}

/// Applies a function of bits to each pair of elements, whatever their type.
fn bitwise(call: &Call, f: fn(u8, u8) -> u8) -> Written {
    let (mut a, b) = (raw(call, 0)?, raw(call, 1)?);
    a.bytes.iter_mut().zip(&b.bytes).for_each(|(a, &b)| *a = f(*a, b));
    written_bytes(call, a.size, &a.bytes)
}

fn difference_square(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() {
        return floats!(dtype, T => zip(call, &|a: T, b: T| {
            let difference = a.wide() - b.wide();
            T::narrow(difference * difference)
        }));
    }
    integers!(dtype, T => zip(call, &|a: T, b: T| Number::mul(Number::sub(a, b), Number::sub(a, b))))
}

/// Computes half the sum. For integers it drops the fraction, like ELEMENT_WISE_DIVIDE.
fn mean(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() {
        return floats!(dtype, T => zip(call, &|a: T, b: T| T::narrow((a.wide() + b.wide()) / 2.0)));
    }
    integers!(dtype, T => zip(call, &|a: T, b: T| T::wrap((a.to_i128() + b.to_i128()) / 2)))
}

/// Computes the power. If both operands are integers, it is computed in the base's type, and wraps around.
fn pow(call: &Call) -> Written {
    let (base, exponent) = (dtype(call)?, call.dtype("ExponentTensor")?);
    if base.is_float() || exponent.is_float() {
        let (scale, bias) = super::scaled::scaled(call.description).unwrap_or((1.0, 0.0));
        let (x, e) = (call.numbers("InputTensor")?, call.numbers("ExponentTensor")?);
        let found: Vec<f64> = x.data.iter().zip(e.data).map(|(x, e)| (x * scale + bias).powf(e)).collect();
        return Ok(vec![call.put("OutputTensor", &found)?]);
    }
    super::scaled::unscaled(call)?;
    let exponents = call.integers("ExponentTensor")?;
    integers!(base, T => {
        let mut powers = list::<T>(call, 0)?;
        powers.iter_mut().zip(&exponents).for_each(|(x, &exponent)| *x = x.power(exponent));
        written(call, &powers)
    })
}

fn compared(call: &Call, [less, equal, greater]: [bool; 3]) -> Written {
    let found: Vec<bool> = comparable!(call, dtype(call)?, (a: "ATensor", b: "BTensor") => {
        let truth = |(a, b)| (less && a < b) || (equal && a == b) || (greater && a > b);
        a.iter().zip(&b).map(truth).collect()
    });
    truths(call, &found)
}

fn logical(call: &Call, f: fn(bool, bool) -> bool) -> Written {
    let (a, b) = (call.integers("ATensor")?, call.integers("BTensor")?);
    let found: Vec<i64> = a.iter().zip(&b).map(|(&a, &b)| f(a != 0, b != 0).into()).collect();
    Ok(vec![call.put_integers("OutputTensor", &found)?])
}
