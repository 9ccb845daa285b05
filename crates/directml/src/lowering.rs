//! From ONNX to DirectML: a model whose inputs are known becomes a graph of operators that a feature level can run, or
//! an [`Unsupported`] that says which tensor, type, rank or level stands in the way.
//!
//! One file a family, one entry an operator in its table. What only moves or repeats elements is a [`View`] until
//! something writes it; [`Call`] brings tensors to the dimension counts of the operator and holds them against its
//! support table. Inputs that DirectML has as attributes (shapes, axes, bounds) are read when the graph is made.

mod activation;
mod attention;
mod bits;
mod call;
mod cast;
mod comparison;
mod context;
mod convolution;
mod einsum;
mod elementwise;
mod error;
mod fold;
mod indexing;
mod linear_attention;
mod loss;
mod make;
mod matrix;
mod model;
mod movement;
mod normalization;
mod parts;
mod pooling;
mod quantization;
mod quantized_products;
mod recurrent;
mod reduction;
mod regions;
mod resample;
mod rotary;
mod scores;
mod view;
mod window;

use context::Lowering;
pub use error::{LoweringError, Obstacle, Unsupported};
pub use model::lower;
use plumbline_spec::directml::FeatureLevel;
use view::View;

/// Whose lowering it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// What ONNX asks for.
    #[default]
    Onnx,
    /// What ONNX Runtime's provider makes, where that differs by ONNX.
    OnnxRuntime,
}

/// What a graph is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The feature level it has to run at.
    pub level: FeatureLevel,
    /// Whose lowering it is.
    pub variant: Variant,
}

impl Options {
    /// What ONNX asks for, at this level.
    pub fn at(level: FeatureLevel) -> Options {
        Options { level, variant: Variant::Onnx }
    }
}

impl Default for Options {
    /// At the last level.
    fn default() -> Options {
        Options::at(FeatureLevel::LAST)
    }
}

/// One view for each output of the node, trailing ones that are not made aside.
type Views = Result<Vec<View>, LoweringError>;

/// Lowers an operator.
type Rule = fn(&mut Lowering) -> Views;

/// Operators of ONNX's own domain, by family.
const FAMILIES: &[&[(&str, Rule)]] = &[
    activation::OPERATORS,
    attention::OPERATORS,
    bits::OPERATORS,
    cast::OPERATORS,
    comparison::OPERATORS,
    convolution::OPERATORS,
    einsum::OPERATORS,
    elementwise::OPERATORS,
    fold::OPERATORS,
    indexing::OPERATORS,
    linear_attention::OPERATORS,
    loss::OPERATORS,
    make::OPERATORS,
    matrix::OPERATORS,
    movement::OPERATORS,
    normalization::OPERATORS,
    parts::OPERATORS,
    pooling::OPERATORS,
    quantization::OPERATORS,
    quantized_products::OPERATORS,
    recurrent::OPERATORS,
    reduction::OPERATORS,
    regions::OPERATORS,
    resample::OPERATORS,
    rotary::OPERATORS,
];

/// The lowering of an operator of ONNX's own domain.
fn rule_of(name: &str) -> Option<Rule> {
    FAMILIES.iter().copied().flatten().find(|(known, _)| *known == name).map(|(_, rule)| *rule)
}

/// Every operator of ONNX that has a lowering.
pub fn operators() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().copied().flatten().map(|&(name, _)| name)
}
