//! Operators of two inputs.

use super::super::memory::Memory;
use super::{Run, Written, dtype, is_byte, zip};
use crate::cpu::element::{Integer, Number, with_integer, with_number};
use crate::directml::description::OperatorDescription;

pub const OPERATORS: &[(&str, Run)] = &[
    ("ELEMENT_WISE_ADD", add),
    ("ELEMENT_WISE_BIT_AND", bit_and),
    ("ELEMENT_WISE_BIT_OR", bit_or),
    ("ELEMENT_WISE_BIT_XOR", bit_xor),
    ("ELEMENT_WISE_DIVIDE", divide),
    ("ELEMENT_WISE_LOGICAL_AND", |d, m| logical(d, m, |a, b| a & b)),
    ("ELEMENT_WISE_LOGICAL_EQUALS", |d, m| compared(d, m, [false, true, false])),
    ("ELEMENT_WISE_LOGICAL_GREATER_THAN", |d, m| compared(d, m, [false, false, true])),
    ("ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", |d, m| compared(d, m, [false, true, true])),
    ("ELEMENT_WISE_LOGICAL_LESS_THAN", |d, m| compared(d, m, [true, false, false])),
    ("ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", |d, m| compared(d, m, [true, true, false])),
    ("ELEMENT_WISE_LOGICAL_OR", |d, m| logical(d, m, |a, b| a | b)),
    ("ELEMENT_WISE_LOGICAL_XOR", |d, m| logical(d, m, |a, b| a ^ b)),
    ("ELEMENT_WISE_MAX", max),
    ("ELEMENT_WISE_MIN", min),
    ("ELEMENT_WISE_MULTIPLY", multiply),
    ("ELEMENT_WISE_SUBTRACT", subtract),
];

macro_rules! arithmetic {
    ($($name:ident: $with:ident $trait:ident::$method:ident;)*) => {$(
        fn $name(description: &OperatorDescription, memory: &Memory) -> Written {
            $with!(dtype(description)?, T => zip(description, memory, |a: T, b: T| $trait::$method(a, b)))
        }
    )*};
}

arithmetic! {
    add: with_number Number::add;
    bit_and: with_integer Integer::and;
    bit_or: with_integer Integer::or;
    bit_xor: with_integer Integer::xor;
    divide: with_number Number::div;
    max: with_number Number::larger;
    min: with_number Number::smaller;
    multiply: with_number Number::mul;
    subtract: with_number Number::sub;
}

fn compared(description: &OperatorDescription, memory: &Memory, [less, equal, greater]: [bool; 3]) -> Written {
    let byte = is_byte(description)?;
    with_number!(dtype(description)?, T => {
        let truth = move |a: T, b: T| (less && a < b) || (equal && a == b) || (greater && a > b);
        match byte {
            true => zip(description, memory, move |a: T, b: T| u8::from(truth(a, b))),
            false => zip(description, memory, move |a: T, b: T| u32::from(truth(a, b))),
        }
    })
}

fn logical(description: &OperatorDescription, memory: &Memory, f: fn(bool, bool) -> bool) -> Written {
    with_integer!(dtype(description)?, T => zip(description, memory, move |a: T, b: T| {
        T::wrap(f(a != T::zero(), b != T::zero()).into())
    }))
}
