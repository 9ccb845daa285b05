//! ONNX operators: attributes, axes and the differences of versions, down to kernel calls. One table a family.

mod activation;
mod arg;
pub(crate) mod attention;
mod axes;
mod batch_normalization;
mod binary;
mod cast;
mod conv;
mod crop;
mod cumulative;
mod det;
mod dropout;
mod einsum;
mod gather;
mod layout;
mod legacy;
mod make;
mod matmul;
mod moved;
mod normalization;
mod pad;
mod pool;
mod quantize;
mod quantized_products;
pub(crate) mod recurrent;
mod reduce;
mod regions;
pub(crate) mod resize;
mod sample;
mod scatter;
mod shapes;
mod slice;
mod softmax;
mod strings;
mod top_k;
mod unary;
mod unfold;
mod unique;
mod variadic;
mod windows;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::node::Operator;

/// Operators of ONNX's own domain, by family.
const FAMILIES: &[&[(&str, Operator)]] = &[
    activation::OPERATORS,
    attention::OPERATORS,
    crop::OPERATORS,
    det::OPERATORS,
    dropout::OPERATORS,
    einsum::OPERATORS,
    regions::OPERATORS,
    sample::OPERATORS,
    unfold::OPERATORS,
    quantize::OPERATORS,
    quantized_products::OPERATORS,
    recurrent::OPERATORS,
    resize::OPERATORS,
    normalization::OPERATORS,
    batch_normalization::OPERATORS,
    pool::OPERATORS,
    matmul::OPERATORS,
    conv::OPERATORS,
    unique::OPERATORS,
    top_k::OPERATORS,
    softmax::OPERATORS,
    reduce::OPERATORS,
    cumulative::OPERATORS,
    arg::OPERATORS,
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
