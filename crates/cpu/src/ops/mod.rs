//! ONNX operators: they read attributes and axes, handle the differences between versions, and call kernels. Each
//! family of operators has a table.

mod activation;
mod arg;
pub mod attention;
mod axes;
mod batch_normalization;
mod binary;
mod cast;
mod causal_conv;
mod control;
mod convolution;
mod crop;
mod cumulative;
mod deform_conv;
mod det;
mod dropout;
pub mod einsum;
mod flex_attention;
mod fourier;
mod gather;
mod layout;
mod legacy;
mod linear_attention;
mod loss;
mod make;
mod matmul;
mod mel_weight_matrix;
mod ml;
mod moved;
mod non_max_suppression;
mod normalization;
mod optional;
mod pad;
mod pool;
mod quantize;
mod quantized_products;
mod random;
pub mod recurrent;
mod reduce;
mod regions;
pub mod resize;
mod sample;
mod scan;
mod scatter;
mod sequence_parts;
mod sequences;
mod shapes;
mod signal_windows;
mod slice;
mod softmax;
mod strings;
mod swiglu;
mod tensor_scatter;
mod texts;
mod tf_idf;
mod top_k;
mod training;
mod unary;
mod unfold;
mod unique;
mod variadic;
mod windows;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::node::Operator;

/// The operators of a domain, in one table for each family.
type Families = &'static [&'static [(&'static str, Operator)]];

/// The operators of ONNX's default domain.
const FAMILIES: Families = &[
    activation::OPERATORS,
    arg::OPERATORS,
    attention::OPERATORS,
    batch_normalization::OPERATORS,
    binary::OPERATORS,
    cast::OPERATORS,
    causal_conv::OPERATORS,
    control::OPERATORS,
    convolution::OPERATORS,
    crop::OPERATORS,
    cumulative::OPERATORS,
    deform_conv::OPERATORS,
    det::OPERATORS,
    dropout::OPERATORS,
    einsum::OPERATORS,
    fourier::OPERATORS,
    gather::OPERATORS,
    layout::OPERATORS,
    linear_attention::OPERATORS,
    loss::OPERATORS,
    make::OPERATORS,
    matmul::OPERATORS,
    mel_weight_matrix::OPERATORS,
    non_max_suppression::OPERATORS,
    normalization::OPERATORS,
    optional::OPERATORS,
    pad::OPERATORS,
    pool::OPERATORS,
    quantize::OPERATORS,
    quantized_products::OPERATORS,
    random::OPERATORS,
    recurrent::OPERATORS,
    reduce::OPERATORS,
    regions::OPERATORS,
    resize::OPERATORS,
    sample::OPERATORS,
    scan::OPERATORS,
    scatter::OPERATORS,
    sequence_parts::OPERATORS,
    sequences::OPERATORS,
    shapes::OPERATORS,
    signal_windows::OPERATORS,
    slice::OPERATORS,
    softmax::OPERATORS,
    swiglu::OPERATORS,
    tensor_scatter::OPERATORS,
    texts::OPERATORS,
    tf_idf::OPERATORS,
    top_k::OPERATORS,
    unary::OPERATORS,
    unfold::OPERATORS,
    unique::OPERATORS,
    variadic::OPERATORS,
];

/// The operators of every domain.
const DOMAINS: &[(&str, Families)] = &[
    (plumbline_spec::ONNX_DOMAIN, FAMILIES),
    ("ai.onnx.ml", &[ml::features::OPERATORS, ml::labels::OPERATORS, ml::linear::OPERATORS, ml::maps::OPERATORS]),
    ("ai.onnx.preview", &[flex_attention::OPERATORS]),
    ("ai.onnx.preview.training", &[training::OPERATORS]),
];

/// Returns every operator with its domain, its name and the function that computes it.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, Operator)> {
    DOMAINS.iter().flat_map(|&(domain, families)| {
        families.iter().copied().flatten().map(move |&(name, operator)| (domain, name, operator))
    })
}

/// Returns the function that computes an operator. `domain` is the name that the specification uses.
pub fn find(domain: &str, name: &str) -> Option<Operator> {
    static TABLE: OnceLock<HashMap<(&str, &str), Operator>> = OnceLock::new();
    let table = TABLE.get_or_init(|| all().map(|(domain, name, operator)| ((domain, name), operator)).collect());
    table.get(&(domain, name)).copied()
}
