//! Runs a model node by node.

use std::collections::HashMap;

use plumbline_spec::{OperatorVersion, Spec};
use plumbline_tensor::onnx::{FunctionProto, GraphProto, NodeProto};
use plumbline_tensor::{Model, Value, ValueKind, tensor_from_proto};

use super::call::{Answer, Call};
use super::kernels;
use super::operand::Operand;
use crate::Refusal;

/// Values by name; an inner graph sees those of the graph around it.
pub struct Scope<'a> {
    values: HashMap<&'a str, Operand>,
    outer: Option<&'a Scope<'a>>,
}

impl<'a> Scope<'a> {
    fn get(&self, name: &str) -> Option<&Operand> {
        self.values.get(name).or_else(|| self.outer?.get(name))
    }
}

/// What stays the same while a model runs.
pub struct Context<'a> {
    spec: &'a Spec,
    functions: &'a [FunctionProto],
    opsets: Vec<(String, i64)>,
}

impl<'a> Context<'a> {
    fn of(spec: &'a Spec, model: &'a Model) -> Context<'a> {
        Context { spec, functions: &model.proto.functions, opsets: opsets(&model.proto.opset_import) }
    }

    fn resolve(&self, node: &NodeProto) -> Result<&'a OperatorVersion, Refusal> {
        let domain = plumbline_spec::canonical_domain(node.domain.as_deref().unwrap_or(""));
        let name = node.op_type.as_deref().unwrap_or("");
        let opset = self.opsets.iter().find(|(d, _)| d == domain).map(|(_, v)| *v);
        let opset =
            opset.ok_or_else(|| Refusal::invalid(format!("no opset of domain `{domain}` is imported")).at(name))?;
        self.spec.resolve(domain, name, opset).ok_or_else(|| {
            Refusal::invalid(format!("domain `{domain}` has no operator `{name}` at opset {opset}")).at(name)
        })
    }
}

fn opsets(imports: &[plumbline_tensor::onnx::OperatorSetIdProto]) -> Vec<(String, i64)> {
    let canonical = |d: &Option<String>| plumbline_spec::canonical_domain(d.as_deref().unwrap_or("")).to_owned();
    imports.iter().map(|o| (canonical(&o.domain), o.version.unwrap_or(1))).collect()
}

/// Runs a model on inputs in the order of [`Model::input_names`].
pub fn run_model(spec: &Spec, model: &Model, inputs: &[Value]) -> Answer {
    let context = Context::of(spec, model);
    let graph = model.graph();
    let names = model.input_names();
    if names.len() < inputs.len() {
        return Err(Refusal::invalid(format!("{} inputs are given, the model has {}", inputs.len(), names.len())));
    }
    let mut scope = Scope { values: HashMap::new(), outer: None };
    for (name, value) in names.iter().zip(inputs) {
        declared_type(graph, name, value)?;
        scope.values.insert(name, value.into());
    }
    run_graph(&context, graph, scope)
}

fn declared_type(graph: &GraphProto, name: &str, value: &Value) -> Result<(), Refusal> {
    let declared = graph.input.iter().find(|i| i.name.as_deref() == Some(name)).and_then(|i| i.r#type.as_ref());
    match declared.and_then(ValueKind::from_proto) {
        Some(kind) if kind != value.kind() => {
            Err(Refusal::invalid(format!("input `{name}` is {}, the model declares {kind}", value.kind())))
        }
        _ => Ok(()),
    }
}

fn run_graph<'a>(context: &Context<'a>, graph: &'a GraphProto, mut scope: Scope<'a>) -> Answer {
    for initializer in &graph.initializer {
        let name = initializer.name.as_deref().unwrap_or("");
        let tensor = tensor_from_proto(initializer).map_err(|e| Refusal::invalid(e.to_string()))?;
        scope.values.entry(name).or_insert_with(|| super::Expected::from(tensor).into());
    }
    for node in &graph.node {
        run_node(context, node, &mut scope)?;
    }
    let take = |name: &str| {
        scope
            .get(name)
            .cloned()
            .ok_or_else(|| Refusal::invalid(format!("graph output `{name}` is computed by no node")))
    };
    graph.output.iter().map(|o| take(o.name.as_deref().unwrap_or(""))).collect()
}

fn run_node<'a>(context: &Context<'a>, node: &'a NodeProto, scope: &mut Scope<'a>) -> Result<(), Refusal> {
    let inputs = gather_inputs(node, scope)?;
    let outputs = match function_of(context, node) {
        Some(function) => run_function(context, function, node, &inputs)?,
        None => {
            let version = context.resolve(node)?;
            run_operator(version, node, &inputs).map_err(|refusal| refusal.at(&version.id))?
        }
    };
    for (name, value) in node.output.iter().zip(outputs) {
        if !name.is_empty() {
            scope.values.insert(name, value);
        }
    }
    Ok(())
}

fn gather_inputs(node: &NodeProto, scope: &Scope) -> Result<Vec<Option<Operand>>, Refusal> {
    let operator = node.op_type.as_deref().unwrap_or("");
    let value = |name: &String| match (name.as_str(), scope.get(name)) {
        ("", _) => Ok(None),
        (_, Some(operand)) => Ok(Some(operand.clone())),
        (_, None) => Err(Refusal::invalid(format!("input `{name}` is computed by no earlier node")).at(operator)),
    };
    node.input.iter().map(value).collect()
}

fn run_operator(version: &OperatorVersion, node: &NodeProto, inputs: &[Option<Operand>]) -> Answer {
    let call = Call::new(version, node, inputs)?;
    let kernel = kernels::find(&version.id.domain, &version.id.name)
        .ok_or_else(|| Refusal::unsupported("the oracle has no kernel for this operator"))?;
    let outputs = kernel(&call)?;
    if outputs.len() < node.output.len() {
        return Err(Refusal::failed(format!(
            "the kernel gave {} outputs, the node names {}",
            outputs.len(),
            node.output.len()
        )));
    }
    Ok(outputs)
}

fn function_of<'a>(context: &Context<'a>, node: &NodeProto) -> Option<&'a FunctionProto> {
    context.functions.iter().find(|f| {
        f.name == node.op_type
            && f.domain.as_deref().unwrap_or("") == node.domain.as_deref().unwrap_or("")
            && f.overload.as_deref().unwrap_or("") == node.overload.as_deref().unwrap_or("")
    })
}

/// Runs a model-local function. Its attributes stand in for `ref_attr_name`; it sees no value but its inputs.
fn run_function(context: &Context, function: &FunctionProto, node: &NodeProto, inputs: &[Option<Operand>]) -> Answer {
    let name = function.name.as_deref().unwrap_or("");
    if inputs.len() > function.input.len() {
        return Err(
            Refusal::invalid(format!("{} inputs, the function has {}", inputs.len(), function.input.len())).at(name)
        );
    }
    let bound: Vec<NodeProto> = function.node.iter().map(|n| bind_attributes(n, function, node)).collect();
    let inner = Context { spec: context.spec, functions: context.functions, opsets: opsets(&function.opset_import) };
    let mut scope = Scope { values: HashMap::new(), outer: None };
    for (formal, operand) in function.input.iter().zip(inputs) {
        if let Some(operand) = operand {
            scope.values.insert(formal, operand.clone());
        }
    }
    // Inputs that the caller left out read as left out inside.
    let missing: Vec<&str> =
        function.input.iter().map(String::as_str).filter(|n| !scope.values.contains_key(n)).collect();
    let bound: Vec<NodeProto> = bound
        .into_iter()
        .map(|mut n| {
            n.input.iter_mut().filter(|i| missing.contains(&i.as_str())).for_each(String::clear);
            n
        })
        .collect();
    run_body(&inner, &bound, scope, &function.output).map_err(|r| r.at(name))
}

fn run_body<'a>(context: &Context<'a>, nodes: &'a [NodeProto], mut scope: Scope<'a>, outputs: &[String]) -> Answer {
    for node in nodes {
        run_node(context, node, &mut scope)?;
    }
    let take = |name: &String| {
        scope
            .get(name)
            .cloned()
            .ok_or_else(|| Refusal::invalid(format!("function output `{name}` is computed by no node")))
    };
    outputs.iter().map(take).collect()
}

fn bind_attributes(inner: &NodeProto, function: &FunctionProto, caller: &NodeProto) -> NodeProto {
    let mut node = inner.clone();
    node.attribute = inner
        .attribute
        .iter()
        .filter_map(|attribute| {
            let Some(reference) = attribute.ref_attr_name.as_deref().filter(|r| !r.is_empty()) else {
                return Some(attribute.clone());
            };
            let named = |a: &&plumbline_tensor::onnx::AttributeProto| a.name.as_deref() == Some(reference);
            let given = caller.attribute.iter().find(named).or_else(|| function.attribute_proto.iter().find(named));
            given.map(|g| plumbline_tensor::onnx::AttributeProto { name: attribute.name.clone(), ..g.clone() })
        })
        .collect();
    node
}
