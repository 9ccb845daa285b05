//! The lowering from ONNX to DirectML. A model with known inputs becomes a graph of operators that a feature level can
//! run. If DirectML cannot express it, an [`Unsupported`] error names the obstacle, such as a type, a number of
//! dimensions or a level.
//!
//! There is one file for each family of operators, with a table that has an entry for each operator. Operators that
//! only move or repeat elements return another [`View`] of the same tensor where they can; the elements are copied only
//! where a packed tensor is needed. [`Call`] brings tensors to the dimension counts that a DirectML operator takes, and
//! checks them against the operator's support table. ONNX inputs that are attributes in DirectML (shapes, axes, bounds)
//! are read when the graph is made.

mod activation;
mod attention;
mod attention_inputs;
mod bits;
mod call;
mod cast;
mod comparison;
mod context;
mod convolution;
mod einsum;
mod element_wise;
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
mod steps;
mod view;
mod window;

use context::Lowering;
pub use error::{LoweringError, Obstacle, Unsupported};
pub use model::lower;
use plumbline_spec::directml::FeatureLevel;
use view::View;

/// The dialect of the lowering: ours or ONNX Runtime's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// A lowering that follows the ONNX specification.
    #[default]
    Onnx,
    /// The lowering of ONNX Runtime's DirectML provider, including its deviations from ONNX.
    OnnxRuntime,
}

/// Options of a lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The feature level that the graph must run at.
    pub level: FeatureLevel,
    /// The dialect of the lowering.
    pub variant: Variant,
}

impl Options {
    /// Returns the options for a lowering that follows ONNX, at this feature level.
    pub fn at(level: FeatureLevel) -> Options {
        Options { level, variant: Variant::Onnx }
    }
}

impl Default for Options {
    /// Returns the options for the newest feature level.
    fn default() -> Options {
        Options::at(FeatureLevel::LAST)
    }
}

/// One view for each output of the node; unused outputs at the end may be missing.
type Views = Result<Vec<View>, LoweringError>;

/// A function that lowers an operator.
type Rule = fn(&mut Lowering) -> Views;

/// The operators of ONNX's own domain, by family.
const FAMILIES: &[&[(&str, Rule)]] = &[
    activation::OPERATORS,
    attention::OPERATORS,
    bits::OPERATORS,
    cast::OPERATORS,
    comparison::OPERATORS,
    convolution::OPERATORS,
    einsum::OPERATORS,
    element_wise::OPERATORS,
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

/// Returns the lowering of an operator of ONNX's own domain.
fn rule_of(name: &str) -> Option<Rule> {
    FAMILIES.iter().copied().flatten().find(|(known, _)| *known == name).map(|(_, rule)| *rule)
}

/// Iterates over the names of all ONNX operators that have a lowering.
pub fn operators() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().copied().flatten().map(|&(name, _)| name)
}
