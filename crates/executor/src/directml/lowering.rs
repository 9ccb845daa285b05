//! From ONNX to DirectML: a node whose inputs are known becomes a graph of operators that a feature level can run, or
//! an [`Unsupported`] that says which tensor, type, rank or level stands in the way.
//!
//! One file a family, one entry an operator in its table. What only moves or repeats elements is a [`View`] until
//! something writes it; [`Call`] brings tensors to the dimension counts of the operator and holds them against its
//! support table. Inputs that DirectML has as attributes (shapes, axes, bounds) are read when the graph is made.

mod activation;
mod bits;
mod call;
mod comparison;
mod context;
mod convolution;
mod elementwise;
mod error;
mod indexing;
mod make;
mod matrix;
mod movement;
mod normalization;
mod parts;
mod pooling;
mod quantization;
mod reduction;
mod view;
mod window;

use super::graph::Graph;
use crate::cpu::array::Held;
use crate::cpu::node::Node;
use crate::refusal::Refusal;
use context::{Lowering, Operand};
pub use error::{LoweringError, Obstacle, Unsupported};
use plumbline_spec::directml::FeatureLevel;
use plumbline_spec::{ONNX_DOMAIN, Spec, canonical_domain};
use plumbline_tensor::{Model, Value, tensor_from_proto};

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
    bits::OPERATORS,
    comparison::OPERATORS,
    convolution::OPERATORS,
    elementwise::OPERATORS,
    indexing::OPERATORS,
    make::OPERATORS,
    matrix::OPERATORS,
    movement::OPERATORS,
    normalization::OPERATORS,
    parts::OPERATORS,
    pooling::OPERATORS,
    quantization::OPERATORS,
    reduction::OPERATORS,
];

/// Every operator of ONNX that has a lowering.
pub fn operators() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().copied().flatten().map(|&(name, _)| name)
}

/// The graph of a model of one node. The inputs are the model's: their types and shapes decide, and the values of those
/// that DirectML has as attributes.
///
/// # Errors
/// What stands in the way, and what is wrong with the model.
pub fn lower(model: &Model, inputs: &[Value], options: Options) -> Result<Graph, LoweringError> {
    let graph = model.graph();
    let [node] = graph.node.as_slice() else {
        let message = format!("has {} nodes, and not one", graph.node.len());
        return Err(Unsupported::value("the model", message).into());
    };
    let (domain, name) = (node.domain.as_deref().unwrap_or(""), node.op_type.as_deref().unwrap_or(""));
    let no_version = || Refusal::invalid(format!("domain `{domain}` has no operator `{name}` at the model's opset"));
    let opset = model.opset(domain).ok_or_else(no_version)?;
    let version = Spec::embedded().resolve(domain, name, opset).ok_or_else(no_version)?;
    let found = FAMILIES.iter().copied().flatten().find(|(known, _)| *known == name);
    let rule = found.filter(|_| canonical_domain(domain) == ONNX_DOMAIN).map(|(_, rule)| rule);
    let rule = rule.ok_or_else(|| Unsupported::from(Obstacle::Operator { operator: version.id.to_string() }))?;
    let operands = operands_of(model, inputs)?;
    let held = operands.iter().map(|operand| operand.as_ref().map(|o| Held::from_value(&o.value)).transpose());
    let held = held.collect::<Result<Vec<_>, _>>()?;
    let node = Node::new(version, node, &held).map_err(|refusal| refusal.at(&version.id))?;
    let mut lowering = Lowering::new(&node, options, &operands);
    let views = rule(&mut lowering)?;
    lowering.finish(graph, views)
}

/// What the node reads, in its order.
fn operands_of(model: &Model, inputs: &[Value]) -> Result<Vec<Option<Operand>>, LoweringError> {
    let (graph, names) = (model.graph(), model.input_names());
    let operand = |name: &String| {
        if name.is_empty() {
            return Ok(None);
        }
        if let Some(at) = names.iter().position(|known| known == name) {
            let value = inputs.get(at).ok_or_else(|| Refusal::invalid(format!("there is no value for `{name}`")))?;
            return Ok(Some(Operand { name: name.clone(), value: value.clone(), model_input: Some(at) }));
        }
        let initializer = graph.initializer.iter().find(|tensor| tensor.name.as_ref() == Some(name));
        let proto = initializer.ok_or_else(|| Refusal::invalid(format!("nothing computes `{name}`")))?;
        let tensor = tensor_from_proto(proto).map_err(|error| Refusal::invalid(error.to_string()))?;
        Ok(Some(Operand { name: name.clone(), value: Value::Tensor(tensor), model_input: None }))
    };
    graph.node.iter().flat_map(|node| &node.input).map(operand).collect()
}
