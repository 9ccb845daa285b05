//! Every operator of the device, by family.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::call::Run;
use super::{convolution, element_wise, matrix, movement, normalization, pooling, reduction};

/// Names of operators and what runs them.
const FAMILIES: &[&[(&str, Run)]] = &[
    convolution::OPERATORS,
    element_wise::activation::OPERATORS,
    element_wise::binary::OPERATORS,
    element_wise::quantization::OPERATORS,
    element_wise::ternary::OPERATORS,
    element_wise::unary::OPERATORS,
    matrix::OPERATORS,
    movement::fill::OPERATORS,
    movement::index::OPERATORS,
    movement::place::OPERATORS,
    movement::scatter::OPERATORS,
    normalization::OPERATORS,
    normalization::batch::OPERATORS,
    pooling::OPERATORS,
    reduction::OPERATORS,
    reduction::rows::OPERATORS,
];

/// What runs this operator.
pub fn find(name: &str) -> Option<Run> {
    static TABLE: OnceLock<HashMap<&str, Run>> = OnceLock::new();
    let table = TABLE.get_or_init(|| FAMILIES.iter().copied().flatten().copied().collect());
    table.get(name).copied()
}
