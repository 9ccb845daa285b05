//! Lowers models, one node after the other, into one graph, in which later operators read what earlier ones write.
//! In a model of several nodes, those that depend only on constants and shapes are not part of the graph: the kernels
//! of `cpu` evaluate them when the graph is made.

use super::context::{Lowering, LoweringState, Operand, Origin, bindable, in_words};
use super::error::{LoweringError, Obstacle, Unsupported};
use super::{Options, rule_of};
use crate::graph::Graph;
use plumbline_cpu::array::Held;
use plumbline_cpu::node::Node;
use plumbline_cpu::ops;
use plumbline_graph::{Library, Refusal};
use plumbline_spec::{ONNX_DOMAIN, OperatorVersion, canonical_domain};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Model, Value, ValueKind, tensor_from_proto};
use std::collections::HashMap;

/// All values that are known so far, by name.
type Values = HashMap<String, Operand>;

/// Lowers a model to a graph. `inputs` are the values of the model's inputs. Their types and shapes determine the
/// graph, and so does the value of an input that DirectML takes as an attribute.
///
/// # Errors
/// DirectML cannot run the model, the model is invalid, or the lowering fails.
pub fn lower(model: &Model, inputs: &[Value], options: Options) -> Result<Graph, LoweringError> {
    let graph = model.graph();
    let (mut values, mut state) = (given(model, inputs)?, LoweringState::default());
    for (at, node) in graph.node.iter().enumerate() {
        let version = version_of(model, node)?;
        let later = &graph.node[at + 1..];
        let reads = |name: &str| later.iter().flat_map(|node| &node.input).any(|input| input == name);
        let operands = operands_of(node, &values);
        // In a model of one node, that node always stays in the graph.
        let host = graph.node.len() > 1 && is_on_host(version, node, &operands);
        let rule = rule_of(&version.id.name).filter(|_| canonical_domain(&version.id.domain) == ONNX_DOMAIN);
        if rule.is_none() && !host {
            return Err(Obstacle::Operator { operator: version.id.to_string() }.into());
        }
        let operands = operands?;
        let held = operands.iter().map(|operand| operand.as_ref().map(|o| Held::from_value(&o.value)).transpose());
        let held = held.collect::<Result<Vec<_>, _>>()?;
        let checked = Node::new(version, node, &held).map_err(|refusal| refusal.at(&version.id))?;
        let outputs: Vec<(usize, &String)> = node.output.iter().enumerate().filter(|(_, n)| !n.is_empty()).collect();
        let found = match host || outputs.iter().any(|(_, name)| reads(name)) {
            true => evaluated(version, &checked)?,
            false => Vec::new(),
        };
        let value = |at: usize| {
            let held = found
                .get(at)
                .ok_or_else(|| Refusal::failed(format!("the CPU kernel computes no output {at} of {}", version.id)))?;
            held.to_value()
        };
        let Some(rule) = rule.filter(|_| !host) else {
            for &(at, name) in &outputs {
                let operand = Operand { name: name.clone(), value: value(at)?, origin: Origin::Constant };
                values.insert(name.clone(), operand);
            }
            continue;
        };
        let mut lowering = Lowering::new(&checked, options, &operands, state);
        let views = rule(&mut lowering)?;
        for &(at, name) in &outputs {
            let declared = graph.output.iter().any(|output| output.name.as_ref() == Some(name));
            if !declared && !reads(name) {
                continue;
            }
            let view = views
                .get(at)
                .ok_or_else(|| Unsupported::value(format!("output `{name}`"), "is not computed by the lowering"))?;
            if declared {
                let ValueKind::Tensor(dtype) = declared_kind(model, name)? else {
                    let kind = declared_kind(model, name)?.to_string();
                    return Err(Obstacle::Type { tensor: name.clone(), kind }.into());
                };
                lowering.output(name, dtype, view)?;
            }
            if reads(name) {
                let value = value(at)?;
                let ValueKind::Tensor(dtype) = value.kind() else {
                    return Err(Obstacle::Type { tensor: name.clone(), kind: value.kind().to_string() }.into());
                };
                let origin = Origin::Computed(lowering.stored(name, dtype, view)?);
                values.insert(name.clone(), Operand { name: name.clone(), value, origin });
            }
        }
        state = lowering.into_state();
    }
    finished(model, state, &values)
}

/// Finishes the graph. Adds the outputs that no operator computes, because they are inputs or constants.
fn finished(
    model: &Model,
    LoweringState { mut graph, .. }: LoweringState,
    values: &Values,
) -> Result<Graph, LoweringError> {
    for name in model.output_names() {
        let Some(Operand { value, origin, .. }) = values.get(name) else { continue };
        let Value::Tensor(tensor) = value else {
            return Err(Obstacle::Type { tensor: name.to_owned(), kind: value.kind().to_string() }.into());
        };
        let described = bindable(name, tensor)?;
        let wire = match origin {
            Origin::Computed(_) => continue,
            Origin::Input(index) => graph.input(name, *index, described.clone()),
            Origin::Constant if [DType::Int4, DType::Uint4].contains(&tensor.dtype()) => {
                // ELEMENT_WISE_IDENTITY would have to copy the constant to the output, but only QUANTIZE and DEQUANTIZE
                // support 4-bit types.
                return Err(Unsupported::value(format!("output `{name}`"), "is a constant of a 4-bit type").into());
            }
            Origin::Constant => graph.constant(name, described.clone(), in_words(tensor)),
        };
        graph.output(name, wire, described, tensor.dtype(), tensor.shape())?;
    }
    Ok(graph.finish())
}

/// Returns the type that the model declares for an output.
fn declared_kind(model: &Model, name: &str) -> Result<ValueKind, Refusal> {
    let declared = model.graph().output.iter().find(|output| output.name.as_deref() == Some(name));
    let kind = declared.and_then(|output| output.r#type.as_ref()).and_then(ValueKind::from_proto);
    kind.ok_or_else(|| Refusal::invalid(format!("output `{name}` declares no type")))
}

fn version_of(model: &Model, node: &NodeProto) -> Result<&'static OperatorVersion, LoweringError> {
    let library = Library::new(model);
    if library.function(node).is_some() {
        let name = node.op_type.as_deref().unwrap_or("");
        return Err(Unsupported::value(format!("`{name}`"), "is a function that the model defines").into());
    }
    Ok(library.resolve(node)?)
}

/// Returns the values of initializers and inputs.
fn given(model: &Model, inputs: &[Value]) -> Result<Values, LoweringError> {
    let mut values = Values::new();
    for proto in &model.graph().initializer {
        let tensor = tensor_from_proto(proto).map_err(|error| Refusal::invalid(error.to_string()))?;
        let name = proto.name.clone().unwrap_or_default();
        let operand = Operand { name: name.clone(), value: Value::Tensor(tensor), origin: Origin::Constant };
        values.insert(name, operand);
    }
    for (at, name) in model.input_names().into_iter().enumerate() {
        let value = inputs.get(at).ok_or_else(|| Refusal::invalid(format!("no value was given for input `{name}`")))?;
        let name: String = name.to_owned();
        values.insert(name.clone(), Operand { name, value: value.clone(), origin: Origin::Input(at) });
    }
    Ok(values)
}

/// Returns the inputs of a node in their order.
fn operands_of(node: &NodeProto, values: &Values) -> Result<Vec<Option<Operand>>, Refusal> {
    let operand = |name: &String| match values.get(name) {
        _ if name.is_empty() => Ok(None),
        Some(operand) => Ok(Some(operand.clone())),
        None => Err(Refusal::invalid(format!("no node, input or initializer gives `{name}`"))),
    };
    node.input.iter().map(operand).collect()
}

/// Returns whether a node depends only on constants and shapes.
fn is_on_host(version: &OperatorVersion, node: &NodeProto, operands: &Result<Vec<Option<Operand>>, Refusal>) -> bool {
    let Ok(operands) = operands else { return false };
    // The kernels of `cpu` do not run subgraphs.
    if node.attribute.iter().any(|attribute| attribute.g.is_some()) {
        return false;
    }
    if ["Constant", "Shape", "Size"].contains(&version.id.name.as_str()) {
        return true;
    }
    let constant = |operand: &Operand| matches!(operand.origin, Origin::Constant);
    !node.input.is_empty() && operands.iter().flatten().all(constant)
}

/// Evaluates a node with the kernels of `cpu`.
fn evaluated(version: &OperatorVersion, node: &Node) -> Result<Vec<Held>, LoweringError> {
    let operator = ops::find(canonical_domain(&version.id.domain), &version.id.name);
    let operator = operator.ok_or_else(|| Obstacle::Operator { operator: version.id.to_string() })?;
    Ok(operator(node).map_err(|refusal| refusal.at(&version.id))?)
}
