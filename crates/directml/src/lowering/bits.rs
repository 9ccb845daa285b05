//! Lowers operators on bits.

use super::context::{Lowering, carried, scalar};
use super::element_wise::{pair, unary};
use super::error::Unsupported;
use super::view::View;
use super::{Rule, Views};
use crate::{Scalar, Wire};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType::{self, Uint8, Uint16, Uint32, Uint64};
use plumbline_tensor::DType;

pub const OPERATORS: &[(&str, Rule)] = &[
    ("BitCast", bit_cast),
    ("BitShift", shift),
    ("BitwiseAnd", |lower| binary(lower, "ELEMENT_WISE_BIT_AND")),
    ("BitwiseNot", |lower| unary(lower, "ELEMENT_WISE_BIT_NOT")),
    ("BitwiseOr", |lower| binary(lower, "ELEMENT_WISE_BIT_OR")),
    ("BitwiseXor", |lower| binary(lower, "ELEMENT_WISE_BIT_XOR")),
];

fn binary(lower: &mut Lowering, operator: &'static str) -> Views {
    let [a, b] = pair(lower)?;
    Ok(vec![lower.binary(operator, [&a, &b], a.data_type)?])
}

/// Returns the unsigned integer type of the same width; a 4-bit type stays as it is.
fn unsigned(data_type: TensorDataType) -> TensorDataType {
    match data_type.bits() {
        Some(8) => Uint8,
        Some(16) => Uint16,
        Some(32) => Uint32,
        Some(64) => Uint64,
        _ => data_type,
    }
}

/// Lowers BitCast. Graph inputs carry no type, so they are read as unsigned integers of the same width. No operator
/// reinterprets the bits of a value that a node computes, so such a value is refused unless it already has the new
/// type.
fn bit_cast(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let to = DType::from_code(lower.node.int("to"));
    let to = to.ok_or_else(|| Refusal::invalid("`to` is not the code of an element type"))?;
    let data_type = carried("output", to)?;
    if data_type.bits() != x.data_type.bits() {
        return Err(Refusal::invalid(format!(
            "the input is {}, which has another number of bits than `to` = {to}",
            x.data_type
        ))
        .into());
    }
    if matches!(x.wire, Wire::Node { .. }) && x.data_type != data_type {
        return Err(Unsupported::value(
            "`input`",
            format!("is a {} that the graph computes, and a graph cannot read it as {data_type}", x.data_type),
        )
        .into());
    }
    // The check above refused a node's value of another type, so only a graph input is read as another type.
    let x = if x.data_type == data_type { x } else { x.retyped(unsigned(data_type)) };
    Ok(vec![if to == DType::Bool { lower.not_zero(&x)? } else { x }])
}

/// Lowers BitShift. From version 28 on, numbers may be signed, and a shift by the type's width or more shifts out all
/// bits. DirectML does not define such a shift. Signed numbers are shifted as unsigned bits; for the right shift of a
/// negative number, its complement is shifted and the result complemented.
fn shift(lower: &mut Lowering) -> Views {
    let left = match lower.node.string("direction")? {
        "LEFT" => true,
        "RIGHT" => false,
        other => return Err(Refusal::invalid(format!("`direction` is `{other}`, expected `LEFT` or `RIGHT`")).into()),
    };
    let operator = if left { "ELEMENT_WISE_BIT_SHIFT_LEFT" } else { "ELEMENT_WISE_BIT_SHIFT_RIGHT" };
    if lower.since() < 28 {
        return binary(lower, operator);
    }
    let [x, y] = pair(lower)?;
    let unsigned = unsigned(x.data_type);
    let bits = unsigned.bits().unwrap_or(64);
    let signed = x.data_type != unsigned;
    let (x, y) = (lower.as_type(&x, unsigned)?, lower.as_type(&y, unsigned)?);
    let zero = lower.constant("0", unsigned, scalar(unsigned, 0.0));
    let width = lower.constant("width", unsigned, scalar(unsigned, f64::from(bits)));
    let within = lower.binary("ELEMENT_WISE_LOGICAL_LESS_THAN", [&y, &width], Uint8)?;
    let negative = match signed && !left {
        true => {
            let most = lower.constant("most", unsigned, Scalar::from(u64::MAX >> (65 - bits)));
            Some(lower.binary("ELEMENT_WISE_LOGICAL_GREATER_THAN", [&x, &most], Uint8)?)
        }
        false => None,
    };
    let turned = |lower: &mut Lowering, view: View| match &negative {
        Some(negative) => {
            let other = lower.unary("ELEMENT_WISE_BIT_NOT", &view)?;
            lower.either(negative, [&other, &view])
        }
        None => Ok(view),
    };
    let x = turned(lower, x)?;
    let moved = lower.binary(operator, [&x, &y], unsigned)?;
    let moved = lower.either(&within, [&moved, &zero])?;
    Ok(vec![turned(lower, moved)?])
}
