//! Lowers comparisons, logical operators, and tests for NaN and infinities.

use super::context::Lowering;
use super::element_wise::{pair, unary};
use super::{Rule, Views};
use crate::Scalar;
use plumbline_spec::directml::{FeatureLevel, TensorDataType::Uint8};

pub const OPERATORS: &[(&str, Rule)] = &[
    ("And", |lower| compared(lower, "ELEMENT_WISE_LOGICAL_AND")),
    ("Equal", |lower| compared(lower, "ELEMENT_WISE_LOGICAL_EQUALS")),
    ("Greater", |lower| compared(lower, "ELEMENT_WISE_LOGICAL_GREATER_THAN")),
    ("GreaterOrEqual", |lower| or_equal(lower, GREATER)),
    ("IsInf", is_inf),
    ("IsNaN", is_nan),
    ("Less", |lower| compared(lower, "ELEMENT_WISE_LOGICAL_LESS_THAN")),
    ("LessOrEqual", |lower| or_equal(lower, LESS)),
    ("Not", |lower| unary(lower, "ELEMENT_WISE_LOGICAL_NOT")),
    ("Or", |lower| compared(lower, "ELEMENT_WISE_LOGICAL_OR")),
    ("Xor", |lower| compared(lower, "ELEMENT_WISE_LOGICAL_XOR")),
];

const GREATER: [&str; 2] = ["ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL", "ELEMENT_WISE_LOGICAL_GREATER_THAN"];
const LESS: [&str; 2] = ["ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL", "ELEMENT_WISE_LOGICAL_LESS_THAN"];

fn compared(lower: &mut Lowering, operator: &'static str) -> Views {
    let [a, b] = pair(lower)?;
    Ok(vec![lower.binary(operator, [&a, &b], Uint8)?])
}

/// Lowers `>=` or `<=`: to one operator from level 3_0 on, and to "`>` or `==`" or "`<` or `==`" at lower levels. The
/// negation of the opposite comparison would be wrong: it is true for NaN.
fn or_equal(lower: &mut Lowering, [whole, strict]: [&'static str; 2]) -> Views {
    if lower.level() >= FeatureLevel::V3_0 {
        return compared(lower, whole);
    }
    let [a, b] = pair(lower)?;
    let strict = lower.binary(strict, [&a, &b], Uint8)?;
    let equal = lower.binary("ELEMENT_WISE_LOGICAL_EQUALS", [&a, &b], Uint8)?;
    Ok(vec![lower.binary("ELEMENT_WISE_LOGICAL_OR", [&strict, &equal], Uint8)?])
}

fn is_nan(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let call = lower.call("ELEMENT_WISE_IS_NAN").read("InputTensor", &x);
    Ok(vec![call.write("OutputTensor", Uint8, &x.sizes).one()?])
}

/// Lowers IsInf. If both flags are 0, nothing is detected; ONNX Runtime detects infinities of both signs in that case.
fn is_inf(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let flags = [lower.node.int("detect_positive") != 0, lower.node.int("detect_negative") != 0];
    let mode = match flags {
        [false, false] if !lower.is_onnx_runtime() => {
            let call = lower.call("FILL_VALUE_CONSTANT").set("ValueDataType", Uint8).set("Value", Scalar::from(0u8));
            return Ok(vec![call.write("OutputTensor", Uint8, &x.sizes).one()?]);
        }
        [true, false] => "POSITIVE",
        [false, true] => "NEGATIVE",
        _ => "EITHER",
    };
    let call = lower.call("ELEMENT_WISE_IS_INFINITY").read("InputTensor", &x).set("InfinityMode", mode);
    Ok(vec![call.write("OutputTensor", Uint8, &x.sizes).one()?])
}
