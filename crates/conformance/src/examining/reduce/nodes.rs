//! Fewer nodes: one node alone, one output, without stretches of nodes, and what is nested written out.

use std::collections::{BTreeSet, HashMap};

use plumbline_graph::{Library, domain_of};
use plumbline_tensor::onnx::{AttributeProto, FunctionProto, GraphProto, NodeProto, TensorProto};
use plumbline_tensor::{Value, ValueKind};

use super::draft::Draft;
use super::{Likeness, Search};
use crate::cases::{IR_OF_FREE_INITIALIZERS, Layout, named_outputs, renamed};

impl Search<'_> {
    /// Makes the graph smaller until no change of it is kept.
    pub(super) fn nodes(&mut self) {
        self.take(self.draft.clone().tidied(), Likeness::Class);
        loop {
            let before = self.draft.key();
            self.written_out();
            self.alone();
            self.one_output();
            self.fewer_nodes();
            self.passed_over();
            if self.exhausted() || self.draft.key() == before {
                return;
            }
        }
    }

    /// Tries each node alone, on the values that it has in a right run.
    fn alone(&mut self) {
        if self.draft.graph().node.len() < 2 {
            return;
        }
        let values = self.values();
        let kinds: HashMap<&str, ValueKind> =
            values.iter().map(|(name, value)| (name.as_str(), value.kind())).collect();
        let model = self.draft.model.clone();
        let layout = Layout::new(&model);
        for (at, node) in layout.nodes().iter().enumerate() {
            let outputs: Vec<&str> = named_outputs(node).collect();
            let part = layout.part(at, &outputs, &mut |name| kinds.get(name).cloned());
            let inputs: Option<Vec<Value>> = part.inputs.iter().map(|name| values.get(name).cloned()).collect();
            let Some(inputs) = inputs else { continue };
            if part.nodes.len() < layout.nodes().len()
                && self.take(Draft { model: part.model, inputs }.tidied(), Likeness::Kind)
            {
                return;
            }
        }
    }

    fn one_output(&mut self) {
        let names: Vec<String> = self.draft.model.output_names().into_iter().map(str::to_owned).collect();
        if names.len() > 1 {
            for name in names {
                if self.take(self.draft.clone().with_outputs(&[name]), Likeness::Kind) {
                    return;
                }
            }
        }
    }

    /// Drops stretches of nodes, long ones first.
    fn fewer_nodes(&mut self) {
        // The nodes that are left compute the same values as before.
        let values = self.values();
        let mut size = self.draft.graph().node.len() / 2;
        while size > 0 && !self.exhausted() {
            let mut end = self.draft.graph().node.len();
            while end > 0 && !self.exhausted() {
                let from = end.saturating_sub(size);
                if end - from < self.draft.graph().node.len()
                    && let Some(draft) = self.draft.without(from..end, &values)
                {
                    self.take(draft, Likeness::Kind);
                }
                end = from.min(self.draft.graph().node.len());
            }
            size /= 2;
        }
    }

    /// Passes over a node: what it computes is replaced by an input of the node that has the same type and shape.
    fn passed_over(&mut self) {
        let mut values = self.values();
        let mut at = 0;
        while at < self.draft.graph().node.len() && self.draft.graph().node.len() > 1 && !self.exhausted() {
            let node = self.draft.graph().node[at].clone();
            let shaped = |name: &str| {
                let value = values.get(name)?;
                Some((value.kind(), value.as_tensor().map(|tensor| tensor.shape().to_vec())))
            };
            let outputs: Vec<&str> = named_outputs(&node).collect();
            let [output] = outputs[..] else {
                at += 1;
                continue;
            };
            let alike = node.input.iter().filter(|input| shaped(input).is_some() && shaped(input) == shaped(output));
            let inputs: Vec<String> = alike.cloned().collect();
            let shorter = inputs.into_iter().any(|input| {
                passed_over(&self.draft, at, output, &input).is_some_and(|draft| self.take(draft, Likeness::Kind))
            });
            if shorter {
                values = self.values();
            } else {
                at += 1;
            }
        }
    }

    /// Writes out what nodes contain: branches of `If` and bodies of functions become nodes of the graph, and constants
    /// become initializers.
    fn written_out(&mut self) {
        let mut at = 0;
        while at < self.draft.graph().node.len() && !self.exhausted() {
            let node = self.draft.graph().node[at].clone();
            let candidates: Vec<Draft> = match node.op_type.as_deref() {
                Some("Constant") => constant(&self.draft, at, &node).into_iter().collect(),
                Some("If") => node.nested().filter_map(|branch| branched(&self.draft, at, &node, branch)).collect(),
                _ => inlined(&self.draft, at, &node).into_iter().collect(),
            };
            let kept = candidates.into_iter().any(|draft| self.take(draft.tidied(), Likeness::Class));
            at += usize::from(!kept);
        }
    }
}

/// Removes a node. What read its output reads `input` instead. Returns `None` if the output of the model would be one
/// of its inputs.
fn passed_over(draft: &Draft, at: usize, output: &str, input: &str) -> Option<Draft> {
    let mut draft = draft.clone();
    let is_input = draft.model.input_names().contains(&input);
    let names = HashMap::from([(output.to_owned(), input.to_owned())]);
    let graph = draft.graph_mut();
    graph.node.remove(at);
    for info in graph.output.iter_mut().filter(|info| info.name.as_deref() == Some(output)) {
        if is_input {
            return None;
        }
        info.name = Some(input.to_owned());
    }
    graph.node = graph.node.iter().map(|node| renamed(node, &names)).collect();
    Some(draft.tidied())
}

/// Replaces a `Constant` node by an initializer.
fn constant(draft: &Draft, at: usize, node: &NodeProto) -> Option<Draft> {
    let tensor = node.attribute.iter().find(|a| a.name.as_deref() == Some("value"))?.t.clone()?;
    let name = named_outputs(node).next()?;
    let is_free = draft.model.proto.ir_version >= Some(IR_OF_FREE_INITIALIZERS);
    if !is_free || draft.model.output_names().contains(&name) {
        return None;
    }
    let mut draft = draft.clone();
    let graph = draft.graph_mut();
    graph.node.remove(at);
    graph.initializer.push(TensorProto { name: Some(name.to_owned()), ..tensor });
    Some(draft)
}

/// Returns the names of all values of a graph, without those of nested graphs.
fn names(graph: &GraphProto) -> BTreeSet<String> {
    let inputs = graph.input.iter().filter_map(|info| info.name.clone());
    let constants = graph.initializer.iter().filter_map(|tensor| tensor.name.clone());
    inputs.chain(constants).chain(graph.node.iter().flat_map(named_outputs).map(str::to_owned)).collect()
}

/// Replaces an `If` by the nodes of one of its branches.
fn branched(draft: &Draft, at: usize, node: &NodeProto, branch: &GraphProto) -> Option<Draft> {
    let mut draft = draft.clone();
    let taken = names(draft.graph());
    let inner = names(branch);
    let results = branch.output.iter().filter_map(|info| info.name.clone());
    let new: HashMap<String, String> = results.zip(node.output.iter().cloned()).collect();
    // A branch may give a value from outside, and its names may be those of other values.
    if !new.keys().all(|name| inner.contains(name))
        || inner.iter().any(|name| taken.contains(name) && !new.contains_key(name))
    {
        return None;
    }
    let graph = draft.graph_mut();
    graph.node.splice(at..=at, branch.node.iter().map(|node| renamed(node, &new)));
    graph.initializer.extend(branch.initializer.iter().cloned());
    Some(draft)
}

/// Replaces a call of a function of the model by the nodes of the function.
fn inlined(draft: &Draft, at: usize, node: &NodeProto) -> Option<Draft> {
    let function = Library::new(&draft.model).function(node)?.clone();
    let mut draft = draft.clone();
    let taken = names(draft.graph());
    let formal = function.input.iter().zip(node.input.iter().cloned().chain(std::iter::repeat(String::new())));
    let mut new: HashMap<String, String> = formal.map(|(name, given)| (name.clone(), given)).collect();
    new.extend(function.output.iter().cloned().zip(node.output.iter().cloned()));
    for name in function.node.iter().flat_map(named_outputs) {
        let fresh = || (0..).map(|number| format!("{name}_{number}")).find(|name| !taken.contains(name));
        if !new.contains_key(name) && taken.contains(name) {
            new.insert(name.to_owned(), fresh()?);
        }
    }
    let body: Vec<NodeProto> =
        function.node.iter().map(|inner| renamed(&with_attributes(inner, &function, node), &new)).collect();
    draft.graph_mut().node.splice(at..=at, body);
    let imports = &mut draft.model.proto.opset_import;
    for import in function.opset_import {
        if !imports.iter().any(|other| domain_of(&other.domain) == domain_of(&import.domain)) {
            imports.push(import);
        }
    }
    Some(draft)
}

/// Returns a node of a function with the attributes that a call gives it.
fn with_attributes(inner: &NodeProto, function: &FunctionProto, call: &NodeProto) -> NodeProto {
    let given = |name: &str| {
        let all = call.attribute.iter().chain(&function.attribute_proto);
        all.clone().find(|attribute| attribute.name.as_deref() == Some(name)).cloned()
    };
    let attribute = |attribute: &AttributeProto| match attribute.ref_attr_name.as_deref() {
        Some(name) if !name.is_empty() => Some(AttributeProto { name: attribute.name.clone(), ..given(name)? }),
        _ => Some(attribute.clone()),
    };
    NodeProto { attribute: inner.attribute.iter().filter_map(attribute).collect(), ..inner.clone() }
}
