//! The list of all operators that the device supports, by family.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::call::Run;
use super::{
    attention, convolution, element_wise, fold, matrix, movement, normalization, pooling, quantize, recurrent,
    reduction, regions, sample, training,
};

/// The names of operators with the functions that run them.
const FAMILIES: &[&[(&str, Run)]] = &[
    attention::OPERATORS,
    convolution::OPERATORS,
    element_wise::activation::OPERATORS,
    element_wise::binary::OPERATORS,
    element_wise::quantization::OPERATORS,
    element_wise::ternary::OPERATORS,
    element_wise::unary::OPERATORS,
    fold::OPERATORS,
    matrix::OPERATORS,
    movement::fill::OPERATORS,
    movement::indexing::OPERATORS,
    movement::place::OPERATORS,
    movement::scatter::OPERATORS,
    normalization::OPERATORS,
    normalization::batch::OPERATORS,
    pooling::OPERATORS,
    quantize::OPERATORS,
    recurrent::OPERATORS,
    reduction::OPERATORS,
    reduction::rows::OPERATORS,
    regions::OPERATORS,
    sample::OPERATORS,
    training::OPERATORS,
];

/// Returns the function that runs this operator.
pub fn find(name: &str) -> Option<Run> {
    static TABLE: OnceLock<HashMap<&str, Run>> = OnceLock::new();
    let table = TABLE.get_or_init(|| FAMILIES.iter().copied().flatten().copied().collect());
    table.get(name).copied()
}
