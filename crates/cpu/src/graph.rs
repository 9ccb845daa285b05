//! Runs a model node by node.

use std::collections::{HashMap, HashSet};

use plumbline_spec::{OperatorVersion, canonical_domain};
use plumbline_tensor::onnx::{AttributeProto, FunctionProto, GraphProto, NodeProto, TensorProto, ValueInfoProto};
use plumbline_tensor::{Model, Value, tensor_from_proto};

use super::array::{Array, Held};
use super::body::{Body, Declared};
use super::node::{Node, Operator};
use plumbline_backend::Prepared;
use plumbline_graph::{FunctionCall, Library, Refusal};

/// Finds the operator of a domain and a name.
pub type Find = fn(&str, &str) -> Option<Operator>;

/// A node, the operator or function that runs it, and, for an operator, the graphs in the node's attributes.
struct Step {
    node: NodeProto,
    runs: Runs,
    bodies: Vec<(String, Graph)>,
}

enum Runs {
    Operator(&'static OperatorVersion, Operator),
    /// A function of the model. The node of this step lists only the inputs and outputs that the call uses.
    Function(Graph),
}

/// A graph that is ready to run: the graph of a model, of a function, or of a node's attribute.
pub struct Graph {
    steps: Vec<Step>,
    inputs: Vec<Declared>,
    initializers: Vec<(String, Held)>,
    outputs: Vec<Declared>,
}

/// The values of a running graph, and the scope of the graph around it.
pub struct Scope<'a> {
    values: HashMap<&'a str, Held>,
    outer: Option<&'a Scope<'a>>,
}

impl Scope<'_> {
    fn get(&self, name: &str) -> Option<&Held> {
        self.values.get(name).or_else(|| self.outer?.get(name))
    }
}

impl Graph {
    /// Prepares the graph of a model: finds the operators and reads the initializers.
    pub fn new(model: &Model, find: Find) -> Result<Graph, Refusal> {
        Graph::build(&Library::new(model), find, model.graph(), &HashSet::new())
    }

    /// Prepares any graph. `around` has the names of the values in the enclosing graphs. A node output that reuses one
    /// of these names or an earlier name of this graph is an error.
    pub fn build(library: &Library, find: Find, graph: &GraphProto, around: &HashSet<&str>) -> Result<Graph, Refusal> {
        if !graph.sparse_initializer.is_empty() {
            return Err(Refusal::unsupported("the graph has sparse initializers, which this backend does not take"));
        }
        let initializer = |proto: &TensorProto| {
            let tensor = tensor_from_proto(proto).map_err(|e| Refusal::invalid(e.to_string()))?;
            Ok((proto.name.clone().unwrap_or_default(), Array::from_tensor(&tensor)?.into()))
        };
        let initializers =
            graph.initializer.iter().map(initializer).collect::<Result<Vec<(String, Held)>, Refusal>>()?;
        // The caller does not supply an input that has the name of an initializer.
        let given = |input: &Declared| initializers.iter().all(|(name, _)| *name != input.name);
        let inputs: Vec<Declared> = graph.input.iter().map(Declared::new).filter(given).collect();
        let mut known = around.clone();
        known.extend(inputs.iter().map(|input| input.name.as_str()));
        known.extend(initializers.iter().map(|(name, _)| name.as_str()));
        let mut steps = Vec::with_capacity(graph.node.len());
        for node in &graph.node {
            steps.push(step_of(library, find, node, &known)?);
            for output in node.output.iter().filter(|name| !name.is_empty()) {
                if !known.insert(output) {
                    return Err(Refusal::invalid(format!(
                        "`{output}` is the output of a node, but already has a value"
                    )));
                }
            }
        }
        let outputs = graph.output.iter().map(Declared::new).collect();
        Ok(Graph { steps, inputs, initializers, outputs })
    }

    /// Converts the inputs to values of this backend. [`Graph::answer`] checks their types.
    pub fn taken(&self, inputs: &[Value]) -> Result<Vec<Held>, Refusal> {
        inputs.iter().map(Held::from_value).collect()
    }

    /// Runs the graph and returns its outputs. Checks that the inputs have the declared types.
    pub fn answer<'a>(&'a self, inputs: &[Held], outer: Option<&'a Scope<'a>>) -> Result<Vec<Held>, Refusal> {
        if inputs.len() != self.inputs.len() {
            return Err(Refusal::invalid(format!(
                "{} inputs are given, the graph has {}",
                inputs.len(),
                self.inputs.len()
            )));
        }
        let mut scope = Scope { values: HashMap::new(), outer };
        scope.values.extend(self.initializers.iter().map(|(name, held)| (name.as_str(), held.clone())));
        for (input, held) in self.inputs.iter().zip(inputs) {
            input.takes(held)?;
            scope.values.insert(&input.name, held.clone());
        }
        for step in &self.steps {
            let outputs = step.run(&scope)?;
            let named = step.node.output.iter().map(String::as_str).zip(outputs);
            scope.values.extend(named.filter(|(name, _)| !name.is_empty()));
        }
        let output = |output: &Declared| match scope.get(&output.name) {
            Some(held) => Ok(held.clone()),
            None => Err(Refusal::invalid(format!("graph output `{}` is computed by no node", output.name))),
        };
        self.outputs.iter().map(output).collect()
    }
}

impl Prepared for Graph {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        self.answer(&self.taken(inputs)?, None)?.iter().map(Held::to_value).collect()
    }
}

/// A graph in an attribute of a node, and the scope whose values the graph sees.
struct InScope<'a> {
    graph: &'a Graph,
    scope: &'a Scope<'a>,
}

impl Body for InScope<'_> {
    fn inputs(&self) -> &[Declared] {
        &self.graph.inputs
    }

    fn outputs(&self) -> &[Declared] {
        &self.graph.outputs
    }

    fn run(&self, inputs: &[Held]) -> Result<Vec<Held>, Refusal> {
        let outputs = self.graph.answer(inputs, Some(self.scope))?;
        self.graph.outputs.iter().zip(&outputs).try_for_each(|(declared, held)| declared.takes(held))?;
        Ok(outputs)
    }
}

/// Expands a call of a function. The returned graph takes only the inputs that the call supplies and returns only the
/// outputs that the call names; the returned node lists just these inputs and outputs.
fn called(
    library: &Library,
    find: Find,
    function: &FunctionProto,
    node: &NodeProto,
) -> Result<(Graph, NodeProto), Refusal> {
    let call = FunctionCall::new(function, node)?;
    let (inputs, input) = named(&function.input, &node.input);
    let (outputs, output) = named(&function.output, &node.output);
    let graph = GraphProto { node: call.nodes(), input: inputs, output: outputs, ..GraphProto::default() };
    let inside = library.inside(function)?;
    Ok((Graph::build(&inside, find, &graph, &HashSet::new())?, NodeProto { input, output, ..node.clone() }))
}

/// Returns the formal inputs or outputs to which a call gives names, and these names.
fn named(formal: &[String], actual: &[String]) -> (Vec<ValueInfoProto>, Vec<String>) {
    let value = |name: &String| ValueInfoProto { name: Some(name.clone()), ..ValueInfoProto::default() };
    let pairs = formal.iter().zip(actual).filter(|(_, actual)| !actual.is_empty());
    pairs.map(|(formal, actual)| (value(formal), actual.clone())).unzip()
}

fn step_of(library: &Library, find: Find, node: &NodeProto, known: &HashSet<&str>) -> Result<Step, Refusal> {
    let domain = node.domain.as_deref().unwrap_or("");
    let name = node.op_type.as_deref().unwrap_or("");
    if let Some(function) = library.function(node) {
        let (graph, node) = called(library, find, function, node).map_err(|refusal| refusal.at(name))?;
        return Ok(Step { node, runs: Runs::Function(graph), bodies: Vec::new() });
    }
    let version = library.resolve(node)?;
    let operator = find(canonical_domain(domain), name)
        .ok_or_else(|| Refusal::unsupported("this backend has no kernel for this operator").at(&version.id))?;
    let body = |attribute: &AttributeProto| {
        let graph = Graph::build(library, find, attribute.g.as_deref()?, known);
        Some(graph.map(|graph| (attribute.name.clone().unwrap_or_default(), graph)))
    };
    let bodies = node.attribute.iter().filter_map(body).collect::<Result<_, _>>()?;
    Ok(Step { node: node.clone(), runs: Runs::Operator(version, operator), bodies })
}

impl Step {
    fn run(&self, scope: &Scope) -> Result<Vec<Held>, Refusal> {
        let input = |name: &String| match (name.as_str(), scope.get(name)) {
            ("", _) => Ok(None),
            (_, Some(held)) => Ok(Some(held.clone())),
            (_, None) => Err(Refusal::invalid(format!("input `{name}` is computed by no earlier node"))),
        };
        let inputs = self.node.input.iter().map(input).collect::<Result<Vec<_>, _>>();
        match &self.runs {
            Runs::Operator(version, operator) => inputs
                .and_then(|inputs| self.operated(version, *operator, &inputs, scope))
                .map_err(|r| r.at(&version.id)),
            Runs::Function(graph) => {
                let given: Vec<Held> = inputs?.into_iter().flatten().collect();
                graph.answer(&given, None).map_err(|r| r.at(self.node.op_type.as_deref().unwrap_or("")))
            }
        }
    }

    fn operated(
        &self,
        version: &OperatorVersion,
        operator: Operator,
        inputs: &[Option<Held>],
        scope: &Scope,
    ) -> Result<Vec<Held>, Refusal> {
        let bodies: Vec<InScope> = self.bodies.iter().map(|(_, graph)| InScope { graph, scope }).collect();
        let named = self.bodies.iter().zip(&bodies).map(|((name, _), body)| (name.as_str(), body as &dyn Body));
        let node = Node::new(version, &self.node, inputs)?.with(named.collect());
        let outputs = operator(&node)?;
        if outputs.len() < node.outputs() {
            let message = format!("the kernel of this operator does not compute output {}", outputs.len());
            return Err(Refusal::unsupported(message));
        }
        Ok(outputs)
    }
}
