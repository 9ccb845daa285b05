//! Runs a model node by node.

use std::collections::{HashMap, HashSet};

use plumbline_spec::{OperatorVersion, Spec, canonical_domain};
use plumbline_tensor::onnx::{GraphProto, NodeProto};
use plumbline_tensor::{Model, Value, ValueKind, tensor_from_proto};

use super::array::{Array, Held};
use super::node::{Node, Operator};
use super::ops;
use crate::{Prepared, Refusal};

/// A node and what runs it.
struct Step {
    node: NodeProto,
    version: &'static OperatorVersion,
    operator: Operator,
}

/// A model made ready.
pub struct Graph {
    steps: Vec<Step>,
    inputs: Vec<(String, Option<ValueKind>)>,
    initializers: Vec<(String, Held)>,
    outputs: Vec<String>,
}

impl Graph {
    /// Finds the operators, reads the initializers.
    pub fn new(model: &Model) -> Result<Graph, Refusal> {
        let graph = model.graph();
        names_are_given_once(graph)?;
        if !graph.sparse_initializer.is_empty() {
            return Err(Refusal::unsupported("sparse initializers"));
        }
        let step = |node: &NodeProto| step_of(model, node);
        let steps = graph.node.iter().map(step).collect::<Result<Vec<_>, _>>()?;
        let initializer = |proto| {
            let tensor = tensor_from_proto(proto).map_err(|e| Refusal::invalid(e.to_string()))?;
            Ok((proto.name.clone().unwrap_or_default(), Array::from_tensor(&tensor)?.into()))
        };
        let initializers = graph.initializer.iter().map(initializer).collect::<Result<Vec<_>, Refusal>>()?;
        let kind_of = |name: &str| {
            let declared = graph.input.iter().find(|i| i.name.as_deref() == Some(name))?;
            ValueKind::from_proto(declared.r#type.as_ref()?)
        };
        let inputs = model.input_names().into_iter().map(|name| (name.to_owned(), kind_of(name))).collect();
        let outputs = model.output_names().into_iter().map(str::to_owned).collect();
        Ok(Graph { steps, inputs, initializers, outputs })
    }
}

fn step_of(model: &Model, node: &NodeProto) -> Result<Step, Refusal> {
    let domain = node.domain.as_deref().unwrap_or("");
    let name = node.op_type.as_deref().unwrap_or("");
    if model
        .proto
        .functions
        .iter()
        .any(|f| f.name.as_deref() == Some(name) && f.domain.as_deref().unwrap_or("") == domain)
    {
        return Err(Refusal::unsupported("functions of the model").at(name));
    }
    let opset = model
        .opset(domain)
        .ok_or_else(|| Refusal::invalid(format!("no opset of domain `{domain}` is imported")).at(name))?;
    let version = Spec::embedded().resolve(domain, name, opset).ok_or_else(|| {
        Refusal::invalid(format!("domain `{domain}` has no operator `{name}` at opset {opset}")).at(name)
    })?;
    let operator = ops::find(canonical_domain(domain), name)
        .ok_or_else(|| Refusal::unsupported("no kernel for this operator").at(&version.id))?;
    Ok(Step { node: node.clone(), version, operator })
}

/// A name stands for one value.
fn names_are_given_once(graph: &GraphProto) -> Result<(), Refusal> {
    let inputs: HashSet<&str> = graph.input.iter().filter_map(|i| i.name.as_deref()).collect();
    let initializers = graph.initializer.iter().filter_map(|i| i.name.as_deref());
    let mut known: HashSet<&str> = inputs.into_iter().chain(initializers).collect();
    for output in graph.node.iter().flat_map(|n| &n.output).filter(|name| !name.is_empty()) {
        if !known.insert(output) {
            return Err(Refusal::invalid(format!("`{output}` is computed twice")));
        }
    }
    Ok(())
}

impl Graph {
    /// The inputs, each of the type that the model says.
    pub fn taken(&self, inputs: &[Value]) -> Result<Vec<Held>, Refusal> {
        if inputs.len() != self.inputs.len() {
            return Err(Refusal::invalid(format!("{} inputs, the model has {}", inputs.len(), self.inputs.len())));
        }
        let taken = |((name, declared), value): (&(String, Option<ValueKind>), &Value)| match declared {
            Some(declared) if *declared != value.kind() => {
                Err(Refusal::invalid(format!("input `{name}` is {}, the model says {declared}", value.kind())))
            }
            _ => Held::from_value(value),
        };
        self.inputs.iter().zip(inputs).map(taken).collect()
    }

    /// The outputs.
    pub fn answer(&self, inputs: &[Held]) -> Result<Vec<Held>, Refusal> {
        let mut values: HashMap<&str, Held> = HashMap::new();
        values.extend(self.initializers.iter().map(|(name, held)| (name.as_str(), held.clone())));
        values.extend(self.inputs.iter().map(|(name, _)| name.as_str()).zip(inputs.iter().cloned()));
        for step in &self.steps {
            let outputs = run_step(step, &values).map_err(|refusal| refusal.at(&step.version.id))?;
            let named = step.node.output.iter().map(String::as_str).zip(outputs);
            values.extend(named.filter(|(name, _)| !name.is_empty()));
        }
        let output = |name: &String| match values.get(name.as_str()) {
            Some(held) => Ok(held.clone()),
            None => Err(Refusal::invalid(format!("output `{name}` is computed by no node"))),
        };
        self.outputs.iter().map(output).collect()
    }
}

impl Prepared for Graph {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        self.answer(&self.taken(inputs)?)?.iter().map(Held::to_value).collect()
    }
}

fn run_step(step: &Step, values: &HashMap<&str, Held>) -> Result<Vec<Held>, Refusal> {
    let input = |name: &String| match (name.as_str(), values.get(name.as_str())) {
        ("", _) => Ok(None),
        (_, Some(held)) => Ok(Some(held.clone())),
        (_, None) => Err(Refusal::invalid(format!("input `{name}` is computed by no earlier node"))),
    };
    let inputs = step.node.input.iter().map(input).collect::<Result<Vec<_>, _>>()?;
    let node = Node::new(step.version, &step.node, &inputs)?;
    let outputs = (step.operator)(&node)?;
    if outputs.len() < node.outputs() {
        let message = format!("output {} of this operator is not computed", outputs.len());
        return Err(Refusal::unsupported(message));
    }
    Ok(outputs)
}
