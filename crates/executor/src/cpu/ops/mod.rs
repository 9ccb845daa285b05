//! ONNX operators: attributes, axes and the differences of versions, down to kernel calls. One table a family.

mod activation;
mod axes;
mod binary;
mod cast;
mod gather;
mod layout;
mod legacy;
mod make;
mod moved;
mod pad;
mod scatter;
mod shapes;
mod slice;
mod strings;
mod unary;
mod variadic;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::node::Operator;

/// Operators of ONNX's own domain, by family.
const FAMILIES: &[&[(&str, Operator)]] = &[
    activation::OPERATORS,
    binary::OPERATORS,
    cast::OPERATORS,
    gather::OPERATORS,
    layout::OPERATORS,
    make::OPERATORS,
    pad::OPERATORS,
    scatter::OPERATORS,
    shapes::OPERATORS,
    slice::OPERATORS,
    unary::OPERATORS,
    variadic::OPERATORS,
];

/// Every operator: domain, name, and what runs it.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, Operator)> {
    FAMILIES.iter().copied().flatten().map(|&(name, operator)| (plumbline_spec::ONNX_DOMAIN, name, operator))
}

/// What runs this operator; `domain` as the specification names it.
pub fn find(domain: &str, name: &str) -> Option<Operator> {
    static TABLE: OnceLock<HashMap<(&str, &str), Operator>> = OnceLock::new();
    let table = TABLE.get_or_init(|| all().map(|(domain, name, operator)| ((domain, name), operator)).collect());
    table.get(&(domain, name)).copied()
}
