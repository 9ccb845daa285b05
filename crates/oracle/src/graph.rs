//! Runs a model node by node.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use plumbline_graph::{FunctionCall, Library};
use plumbline_spec::{OperatorId, OperatorVersion, Spec};
use plumbline_tensor::onnx::{FunctionProto, GraphProto, NodeProto, TensorProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, ValueKind, tensor_from_proto};

use super::call::{Answer, Call, Kernel, Surroundings};
use super::last_read::last_read;
use super::limits::Budget;
use super::openness::{OpenRule, Openness};
use super::operand::Operand;
use super::progress::Progress;
use super::readings::Readings;
use super::releases::Texts;
use crate::{Label, Limit, Refusal, steps, unsettled};

/// Values by name. A nested graph also sees the values of the graph around it.
pub struct Scope<'a> {
    values: HashMap<&'a str, Operand>,
    outer: Option<&'a Scope<'a>>,
}

impl<'a> Scope<'a> {
    fn get(&self, name: &str) -> Option<&Operand> {
        self.values.get(name).or_else(|| self.outer?.get(name))
    }

    /// Defines the values of a node's outputs. [`plumbline_graph::names::check`] has made sure that each name is
    /// defined once.
    fn define(&mut self, node: &'a NodeProto, values: Vec<Operand>) {
        let named = node.output.iter().map(String::as_str).zip(values);
        self.values.extend(named.filter(|(name, _)| !name.is_empty()));
    }
}

/// Finds the kernel of an operator by the domain and name of the operator.
pub type Find = fn(&str, &str) -> Option<Kernel>;

/// The state that all nodes of a model share while it runs.
pub struct Context<'a> {
    spec: &'static Spec,
    find: Find,
    library: Library<'a>,
    work: Cell<u64>,
    /// The elements of the values that are needed at the moment.
    elements: Cell<usize>,
    budget: Budget,
    open: &'a RefCell<Vec<OpenRule>>,
    readings: &'a Readings,
    texts: &'a Texts,
    /// Where the run stores how far it is in the main graph, if the caller asked for it. `None` in the context of a
    /// function.
    progress: Option<&'a Progress>,
}

impl<'a> Context<'a> {
    /// Returns the state for one run of a model by the texts of one release. Where a rule has several interpretations,
    /// `readings` chooses one. The run adds to `open` the rules that leave something open.
    pub fn new(
        spec: &'static Spec,
        find: Find,
        model: &'a Model,
        open: &'a RefCell<Vec<OpenRule>>,
        readings: &'a Readings,
        texts: &'a Texts,
    ) -> Context<'a> {
        let (work, elements) = (Cell::new(0), Cell::new(0));
        Context {
            spec,
            find,
            library: Library::new(model),
            work,
            elements,
            budget: Budget::default(),
            open,
            readings,
            texts,
            progress: None,
        }
    }

    /// Returns the same state. A run with it stores in `progress` how far it is in the main graph.
    pub fn with_progress(self, progress: &'a Progress) -> Context<'a> {
        Context { progress: Some(progress), ..self }
    }

    /// Returns the same state with another budget.
    pub fn with_budget(self, budget: Budget) -> Context<'a> {
        Context { budget, ..self }
    }

    /// Counts one more node or run of a nested graph, and refuses to go on after too many of them.
    fn work(&self) -> Result<(), Refusal> {
        self.work.set(self.work.get() + 1);
        match self.work.get() <= self.budget.nodes {
            true => Ok(()),
            false => Err(Refusal::beyond(Limit::Nodes, "the model runs more nodes than the oracle takes")),
        }
    }

    /// Counts the elements of values that a node or a nested graph has computed; `before` is how many elements were
    /// needed before it ran. Refuses to go on if too many are needed now. The elements are steps, too, so that values
    /// that are not needed for long count as well.
    fn hold(&self, before: usize, outputs: &[Operand]) -> Result<(), Refusal> {
        let computed: usize = outputs.iter().map(elements).sum();
        steps::take(computed);
        self.elements.set(before.saturating_add(computed));
        if self.elements.get() > self.budget.elements {
            let message = "the nodes of the model compute more elements than the oracle takes";
            return Err(Refusal::beyond(Limit::Elements, message));
        }
        Ok(())
    }

    /// Counts that a value is not needed any more.
    fn release(&self, operand: &Operand) {
        self.elements.set(self.elements.get().saturating_sub(elements(operand)));
    }
}

/// Returns how many elements the tensors of an operand have.
fn elements(operand: &Operand) -> usize {
    match operand {
        Operand::Tensor(tensor) => tensor.len(),
        Operand::Sequence { items, .. } | Operand::Map { items, .. } => items.iter().map(elements).sum(),
        Operand::Optional { item, .. } => item.as_deref().map_or(0, elements),
        Operand::Other(_) => 0,
    }
}

/// Runs a model with inputs in the order of [`Model::input_names`]. Values are dropped after the last node that reads
/// them.
pub fn run_model(context: &Context, model: &Model, inputs: &[Operand]) -> Answer {
    plumbline_graph::names::check(model)?;
    let graph = model.graph();
    let names = model.input_names();
    if names.len() < inputs.len() {
        return Err(Refusal::invalid(format!("{} inputs are given, the model has {}", inputs.len(), names.len())));
    }
    let mut scope = Scope { values: HashMap::new(), outer: None };
    for (name, operand) in names.iter().zip(inputs) {
        declared_type(graph, name, operand)?;
        scope.values.insert(name, operand.clone());
    }
    define_initializers(graph, &mut scope)?;
    for (at, (node, unneeded)) in graph.node.iter().zip(last_read(graph)).enumerate() {
        let place = Place { before: &graph.node[..at], constants: &graph.initializer };
        let mut run = || run_node(context, node, place, &mut scope);
        match context.progress {
            Some(progress) => progress.count(at, run),
            None => run(),
        }?;
        for value in unneeded.into_iter().filter_map(|name| scope.values.remove(name)) {
            context.release(&value);
        }
    }
    context.progress.inspect(|progress| progress.set_node(None));
    take_outputs(graph, &scope)
}

fn declared_type(graph: &GraphProto, name: &str, operand: &Operand) -> Result<(), Refusal> {
    let declared = graph.input.iter().find(|i| i.name.as_deref() == Some(name)).and_then(|i| i.r#type.as_ref());
    match declared.and_then(ValueKind::from_proto) {
        Some(kind) if kind != operand.kind() => {
            Err(Refusal::invalid(format!("input `{name}` is {}, but the model declares {kind}", operand.kind())))
        }
        _ => Ok(()),
    }
}

/// The place of a node in its graph: the nodes before it, and the initializers.
#[derive(Clone, Copy)]
struct Place<'a> {
    before: &'a [NodeProto],
    constants: &'a [TensorProto],
}

/// Where a node is run: the model, the values that the node's nested graphs see, and the node's place in its graph.
#[derive(Clone, Copy)]
struct Position<'a> {
    context: &'a Context<'a>,
    scope: &'a Scope<'a>,
    place: Place<'a>,
}

impl Surroundings for Position<'_> {
    fn before(&self) -> &[NodeProto] {
        self.place.before
    }

    fn reading(&self, operator: &OperatorId, label: Label, count: usize) -> usize {
        self.context.readings.take(operator, label, count)
    }

    fn follows(&self, version: &OperatorVersion, label: Label) -> bool {
        self.context.texts.follow(self.context.spec, version, label)
    }

    fn constants(&self) -> HashMap<String, Operand> {
        let names = self.place.constants.iter().filter_map(|constant| constant.name.as_deref());
        names.filter_map(|name| Some((name.to_owned(), self.scope.get(name)?.clone()))).collect()
    }

    fn run_node(&self, node: &NodeProto, inputs: &[Option<Operand>]) -> Answer {
        self.context.work()?;
        run_operator(self.context.library.resolve(node)?, node, inputs, *self)
    }

    fn run(&self, graph: &GraphProto, inputs: &[Operand]) -> Answer {
        self.context.work()?;
        let name = graph.name.as_deref().unwrap_or("");
        let given = |i: &ValueInfoProto| graph.initializer.iter().any(|t| t.name == i.name);
        let least = graph.input.iter().filter(|i| !given(i)).count();
        if inputs.len() > graph.input.len() || inputs.len() < least {
            return Err(Refusal::invalid(format!(
                "{} inputs are given, the nested graph `{name}` has {} and needs at least {least}",
                inputs.len(),
                graph.input.len()
            )));
        }
        let mut scope = Scope { values: HashMap::new(), outer: Some(self.scope) };
        for (formal, operand) in graph.input.iter().zip(inputs) {
            agrees(formal, operand, "input")?;
            scope.values.insert(formal.name.as_deref().unwrap_or(""), operand.clone());
        }
        let before = self.context.elements.get();
        let outputs = run_graph(self.context, graph, scope)?;
        self.context.hold(before, &outputs)?;
        for (formal, operand) in graph.output.iter().zip(&outputs) {
            agrees(formal, operand, "output")?;
        }
        Ok(outputs)
    }
}

/// Checks a value against the type that a nested graph declares for it, if it declares one.
fn agrees(formal: &ValueInfoProto, operand: &Operand, what: &str) -> Result<(), Refusal> {
    match formal.r#type.as_ref().and_then(ValueKind::from_proto) {
        Some(kind) if kind != operand.kind() => {
            let name = formal.name.as_deref().unwrap_or("");
            Err(Refusal::invalid(format!(
                "{what} `{name}` is {}, but the nested graph declares {kind}",
                operand.kind()
            )))
        }
        _ => Ok(()),
    }
}

fn run_graph<'a>(context: &Context<'a>, graph: &'a GraphProto, mut scope: Scope<'a>) -> Answer {
    define_initializers(graph, &mut scope)?;
    run_nodes(context, &graph.node, &graph.initializer, &mut scope)?;
    take_outputs(graph, &scope)
}

fn define_initializers<'a>(graph: &'a GraphProto, scope: &mut Scope<'a>) -> Result<(), Refusal> {
    for initializer in &graph.initializer {
        let name = initializer.name.as_deref().unwrap_or("");
        let tensor = tensor_from_proto(initializer).map_err(|e| Refusal::invalid(e.to_string()))?;
        scope.values.entry(name).or_insert_with(|| super::Expected::from(tensor).into());
    }
    Ok(())
}

fn take_outputs(graph: &GraphProto, scope: &Scope) -> Answer {
    let take = |name: &str| {
        scope
            .get(name)
            .cloned()
            .ok_or_else(|| Refusal::invalid(format!("graph output `{name}` is computed by no node")))
    };
    graph.output.iter().map(|o| take(o.name.as_deref().unwrap_or(""))).collect()
}

fn run_nodes<'a>(
    context: &Context<'a>,
    nodes: &'a [NodeProto],
    constants: &'a [TensorProto],
    scope: &mut Scope<'a>,
) -> Result<(), Refusal> {
    let mut places = (0..nodes.len()).map(|at| Place { before: &nodes[..at], constants });
    nodes.iter().zip(&mut places).try_for_each(|(node, place)| run_node(context, node, place, scope))
}

fn run_node<'a>(
    context: &Context<'a>,
    node: &'a NodeProto,
    place: Place<'a>,
    scope: &mut Scope<'a>,
) -> Result<(), Refusal> {
    context.work()?;
    let inputs = gather_inputs(node, scope)?;
    let outputs = match context.library.function(node) {
        Some(function) => run_function(context, function, node, &inputs)?,
        None => {
            let version = context.library.resolve(node)?;
            let position = Position { context, scope, place };
            run_operator(version, node, &inputs, position).map_err(|refusal| refusal.at(&version.id))?
        }
    };
    scope.define(node, outputs);
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

fn run_operator(version: &OperatorVersion, node: &NodeProto, inputs: &[Option<Operand>], position: Position) -> Answer {
    let call = Call::new(version, node, inputs)?.within(&position);
    let kernel = (position.context.find)(&version.id.domain, &version.id.name)
        .ok_or_else(|| Refusal::unsupported("the oracle has no kernel for this operator"))?;
    let openness = Openness::before(position.context.open, inputs);
    let before = position.context.elements.get();
    let outputs = unsettled::opened(&version.id, inputs, kernel(&call)?)?;
    position.context.hold(before, &outputs)?;
    openness.record(position.context.spec, version, &call.opened(), &outputs);
    if outputs.len() < node.output.len() {
        return Err(Refusal::failed(format!(
            "the kernel returned {} outputs, but the node has {}",
            outputs.len(),
            node.output.len()
        )));
    }
    Ok(outputs)
}

/// Runs a model-local function. Attributes of its nodes that refer to an attribute of the function (`ref_attr_name`)
/// get the value of that attribute in this call. The function sees no values but its inputs.
fn run_function(context: &Context, function: &FunctionProto, node: &NodeProto, inputs: &[Option<Operand>]) -> Answer {
    let name = function.name.as_deref().unwrap_or("");
    let call = FunctionCall::new(function, node).map_err(|refusal| refusal.at(name))?;
    let inner = Context {
        spec: context.spec,
        find: context.find,
        library: context.library.inside(function).map_err(|refusal| refusal.at(name))?,
        work: Cell::new(context.work.get()),
        elements: Cell::new(context.elements.get()),
        budget: context.budget,
        open: context.open,
        readings: context.readings,
        texts: context.texts,
        progress: None,
    };
    let mut scope = Scope { values: HashMap::new(), outer: None };
    for (formal, operand) in function.input.iter().zip(inputs) {
        if let Some(operand) = operand {
            scope.values.insert(formal, operand.clone());
        }
    }
    let bound = call.nodes();
    let wanted = |i: usize| node.output.get(i).is_some_and(|output| !output.is_empty());
    let outputs: Vec<(&str, bool)> =
        function.output.iter().take(node.output.len()).enumerate().map(|(i, o)| (o.as_str(), wanted(i))).collect();
    let answer = run_body(&inner, &bound, scope, &outputs).map_err(|r| r.at(name));
    context.work.set(inner.work.get());
    context.hold(context.elements.get(), answer.as_deref().unwrap_or(&[]))?;
    answer
}

/// Runs the nodes of a function. They need not compute outputs that the caller does not want.
fn run_body<'a>(
    context: &Context<'a>,
    nodes: &'a [NodeProto],
    mut scope: Scope<'a>,
    outputs: &[(&str, bool)],
) -> Answer {
    run_nodes(context, nodes, &[], &mut scope)?;
    // This value stands for an output that the caller does not want; nothing reads it.
    let nothing = || Operand::Sequence { element: ValueKind::Tensor(DType::Float), items: vec![] };
    let take = |&(name, wanted): &(&str, bool)| match scope.get(name) {
        Some(value) => Ok(value.clone()),
        None if !wanted => Ok(nothing()),
        None => Err(Refusal::invalid(format!("function output `{name}` is computed by no node"))),
    };
    outputs.iter().map(take).collect()
}
