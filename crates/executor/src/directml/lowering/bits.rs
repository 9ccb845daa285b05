//! Operators on bits.

use super::context::Lowering;
use super::elementwise::{pair, unary};
use super::{Rule, Views};

pub const OPERATORS: &[(&str, Rule)] = &[
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

fn shift(lower: &mut Lowering) -> Views {
    match lower.node.string("direction")? {
        "LEFT" => binary(lower, "ELEMENT_WISE_BIT_SHIFT_LEFT"),
        _ => binary(lower, "ELEMENT_WISE_BIT_SHIFT_RIGHT"),
    }
}
