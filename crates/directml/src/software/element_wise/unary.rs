//! Operators with one input.

use super::super::call::{Call, Run, Written};
use super::super::types::{floats, integers, numbers};
use super::scaled::{scaled, unscaled};
use super::{copied, counts, dtype, functions, map, raw, truths, written_bytes};
use crate::description::Scalar;
use plumbline_cpu::element::{Number, Wide, unsupported_type};
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Run)] = &[
    ("ELEMENT_WISE_ABS", abs),
    ("ELEMENT_WISE_ACOS", acos),
    ("ELEMENT_WISE_ACOSH", acosh),
    ("ELEMENT_WISE_ASIN", asin),
    ("ELEMENT_WISE_ASINH", asinh),
    ("ELEMENT_WISE_ATAN", atan),
    ("ELEMENT_WISE_ATANH", atanh),
    ("ELEMENT_WISE_BIT_COUNT", bit_count),
    ("ELEMENT_WISE_BIT_NOT", bit_not),
    ("ELEMENT_WISE_CEIL", ceil),
    ("ELEMENT_WISE_CLIP", clip),
    ("ELEMENT_WISE_CLIP1", clip1),
    ("ELEMENT_WISE_CONSTANT_POW", constant_pow),
    ("ELEMENT_WISE_COS", cos),
    ("ELEMENT_WISE_COSH", cosh),
    ("ELEMENT_WISE_ERF", erf),
    ("ELEMENT_WISE_EXP", exp),
    ("ELEMENT_WISE_FLOOR", floor),
    ("ELEMENT_WISE_IDENTITY", identity),
    ("ELEMENT_WISE_IS_INFINITY", is_infinity),
    ("ELEMENT_WISE_IS_NAN", |call| tested(call, f64::is_nan)),
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
    clip_of_float(least: "Min", most: "Max") x => x.larger(least).smaller(most);
    constant_pow(exponent: "Exponent") x => x.powf(exponent);
    halves_to_even() x => x.round_ties_even();
    toward_zero() x => x.trunc();
    halves_away_from_zero() x => {
        let whole = x.trunc();
        if Number::abs(x - whole) >= 0.5 { whole + Number::signum(x) } else { whole }
    };
}

fn abs(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() {
        return abs_of_float(call);
    }
    unscaled(call)?;
    integers!(dtype, T => map(call, &|x: T| Number::abs(x)))
}

fn identity(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() && scaled(call.description).is_some() {
        return identity_of_float(call);
    }
    unscaled(call)?;
    copied(call)
}

fn threshold(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() {
        return threshold_of_float(call);
    }
    unscaled(call)?;
    let least = call.float("Min")?;
    integers!(dtype, T => map(call, &|x: T| Number::larger(x, T::from_double(least))))
}

fn round(call: &Call) -> Written {
    match call.uint("RoundingMode")? {
        0 => halves_to_even(call),
        1 => toward_zero(call),
        2 => halves_away_from_zero(call),
        _ => Err(Refusal::unsupported("no kernel implements this RoundingMode").into()),
    }
}

fn negate(call: &Call) -> Written {
    numbers!(dtype(call)?, T => map(call, &|x: T| Number::neg(x)))
}

fn sign(call: &Call) -> Written {
    numbers!(dtype(call)?, T => map(call, &|x: T| Number::signum(x)))
}

fn clip(call: &Call) -> Written {
    let dtype = dtype(call)?;
    if dtype.is_float() {
        return clip_of_float(call);
    }
    unscaled(call)?;
    let (least, most) = (call.float("Min")?, call.float("Max")?);
    integers!(dtype, T => map(call, &|x: T| x.larger(T::from_double(least)).smaller(T::from_double(most))))
}

/// Converts the scalar of a field to a number.
pub fn number<T: Number>(scalar: Scalar) -> T {
    bytemuck::pod_read_unaligned(&scalar.0[..size_of::<T>()])
}

fn clip1(call: &Call) -> Written {
    let dtype = dtype(call)?;
    let (least, most) = (call.scalar("Min")?, call.scalar("Max")?);
    if dtype.is_float() {
        return floats!(dtype, T => {
            let scaled = scaled(call.description);
            map(call, &|x: T| {
                let x = scaled.map_or(x, |(scale, bias)| T::from_double(x.to_f64() * scale + bias));
                x.larger(number(least)).smaller(number(most))
            })
        });
    }
    unscaled(call)?;
    integers!(dtype, T => map(call, &|x: T| x.larger(number(least)).smaller(number(most))))
}

/// Counts the bits that are set in each element, whatever its type.
fn bit_count(call: &Call) -> Written {
    let x = raw(call, 0)?;
    let count = |element: &[u8]| element.iter().map(|byte| byte.count_ones() as u8).sum();
    counts(call, &x.bytes.chunks(x.size).map(count).collect::<Vec<_>>())
}

fn bit_not(call: &Call) -> Written {
    let mut x = raw(call, 0)?;
    x.bytes.iter_mut().for_each(|byte| *byte = !*byte);
    written_bytes(call, x.size, &x.bytes)
}

fn logical_not(call: &Call) -> Written {
    let found: Vec<i64> = call.integers("InputTensor")?.iter().map(|&x| (x == 0).into()).collect();
    Ok(vec![call.put_integers("OutputTensor", &found)?])
}

/// Writes for each element, which is a float, whether it passes a test.
fn tested(call: &Call, test: fn(f64) -> bool) -> Written {
    let dtype = dtype(call)?;
    if !dtype.is_float() {
        return Err(unsupported_type(dtype).into());
    }
    truths(call, &call.numbers("InputTensor")?.data.iter().map(|&x| test(x)).collect::<Vec<_>>())
}

fn is_infinity(call: &Call) -> Written {
    tested(
        call,
        match call.description.uint("InfinityMode") {
            Some(1) => |x| x == f64::INFINITY,
            Some(2) => |x| x == f64::NEG_INFINITY,
            _ => f64::is_infinite,
        },
    )
}
