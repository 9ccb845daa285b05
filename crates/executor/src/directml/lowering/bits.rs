//! Operators on bits.

use super::context::{Lowering, carried, scalar};
use super::elementwise::{pair, unary};
use super::error::Unsupported;
use super::{Rule, Views};
use crate::directml::Wire;
use crate::refusal::Refusal;
use plumbline_spec::directml::TensorDataType::{Uint8, Uint16, Uint32, Uint64};
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

/// BitCast: what is bound to the graph has no type, and is copied as integers. Of bits that nodes compute no operator makes
/// another type.
fn bit_cast(lower: &mut Lowering) -> Views {
    let x = lower.input(0)?;
    let to = i32::try_from(lower.node.int("to")).ok().and_then(DType::from_code);
    let to = to.ok_or_else(|| Refusal::invalid("`to` is no type"))?;
    let data_type = carried("output", to)?;
    if data_type.bits() != x.data_type.bits() {
        return Err(Refusal::invalid(format!("{} and {to} differ in width", x.data_type)).into());
    }
    if matches!(x.wire, Wire::Node { .. }) && x.data_type != data_type {
        return Err(
            Unsupported::value("`input`", format!("is computed as {}, and read as {data_type}", x.data_type)).into()
        );
    }
    let bits = match data_type.bits() {
        Some(8) => Uint8,
        Some(16) => Uint16,
        Some(32) => Uint32,
        Some(64) => Uint64,
        _ => data_type,
    };
    let x = x.retyped(bits);
    if to != DType::Bool {
        return Ok(vec![x]);
    }
    let zero = lower.constant("0", Uint8, scalar(Uint8, 0.0));
    let zeros = lower.binary("ELEMENT_WISE_LOGICAL_EQUALS", [&x, &zero], Uint8)?;
    Ok(vec![lower.unary("ELEMENT_WISE_LOGICAL_NOT", &zeros)?])
}

fn shift(lower: &mut Lowering) -> Views {
    match lower.node.string("direction")? {
        "LEFT" => binary(lower, "ELEMENT_WISE_BIT_SHIFT_LEFT"),
        _ => binary(lower, "ELEMENT_WISE_BIT_SHIFT_RIGHT"),
    }
}
