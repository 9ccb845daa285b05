//! Checks the names of a model's values: each is defined once, and before it is used (ONNX's IR asks for static single
//! assignment). This holds also for graphs that are not run: the branch that is not taken, and the function that is not
//! called.

use std::collections::HashSet;

use plumbline_tensor::Model;
use plumbline_tensor::onnx::{FunctionProto, GraphProto, NodeProto};

use crate::{Refusal, domain_of};

/// The names that have a value. A nested graph also sees the names of the graph around it.
#[derive(Default)]
struct Names<'a> {
    own: HashSet<&'a str>,
    outer: Option<&'a Names<'a>>,
}

impl<'a> Names<'a> {
    fn has(&self, name: &str) -> bool {
        self.own.contains(name) || self.outer.is_some_and(|outer| outer.has(name))
    }

    /// Defines formal inputs. An input may have the name of a value of an outer graph, and then hides that value.
    fn formals(&mut self, names: impl Iterator<Item = &'a str>) -> Result<(), Refusal> {
        for name in names.filter(|name| !name.is_empty()) {
            if !self.own.insert(name) {
                return Err(Refusal::invalid(format!("`{name}` is an input twice")));
            }
        }
        Ok(())
    }

    fn nodes(&mut self, nodes: &'a [NodeProto]) -> Result<(), Refusal> {
        nodes.iter().try_for_each(|node| self.node(node).map_err(|r| r.at(node.op_type.as_deref().unwrap_or(""))))
    }

    fn node(&mut self, node: &'a NodeProto) -> Result<(), Refusal> {
        if let Some(name) = node.input.iter().find(|name| !name.is_empty() && !self.has(name)) {
            return Err(Refusal::invalid(format!("input `{name}` is computed by no earlier node")));
        }
        for attribute in &node.attribute {
            attribute
                .g
                .as_deref()
                .into_iter()
                .chain(&attribute.graphs)
                .try_for_each(|inner| graph(inner, Some(self)))?;
        }
        for name in node.output.iter().filter(|name| !name.is_empty()) {
            // Unlike an input, the output of a node must not have the name of a value of an outer graph.
            if self.has(name) {
                return Err(Refusal::invalid(format!("`{name}` is the output of a node, but already has a value")));
            }
            self.own.insert(name);
        }
        Ok(())
    }
}

/// Refuses a model in which a name is ambiguous or has no value. A model with sparse initializers is refused as
/// unsupported.
pub fn check(model: &Model) -> Result<(), Refusal> {
    graph(model.graph(), None)?;
    let mut functions = HashSet::new();
    model.proto.functions.iter().try_for_each(|f| {
        let name = f.name.as_deref().unwrap_or("");
        if !functions.insert((domain_of(&f.domain), name, f.overload.as_deref().unwrap_or(""))) {
            return Err(Refusal::invalid("the model defines this function twice").at(name));
        }
        function(f).map_err(|refusal| refusal.at(name))
    })
}

fn graph(graph: &GraphProto, outer: Option<&Names>) -> Result<(), Refusal> {
    if !graph.sparse_initializer.is_empty() {
        return Err(Refusal::unsupported("the graph has sparse initializers, which are not supported"));
    }
    let mut names = Names { own: HashSet::new(), outer };
    names.formals(graph.input.iter().map(|i| i.name.as_deref().unwrap_or("")))?;
    let mut initialized = HashSet::new();
    for name in graph.initializer.iter().filter_map(|i| i.name.as_deref()) {
        // An initializer with the name of an input is that input's default.
        names.own.insert(name);
        if !initialized.insert(name) {
            return Err(Refusal::invalid(format!("`{name}` is an initializer twice")));
        }
    }
    names.nodes(&graph.node)?;
    match graph.output.iter().filter_map(|o| o.name.as_deref()).find(|name| !names.has(name)) {
        Some(name) => Err(Refusal::invalid(format!("graph output `{name}` is computed by no node"))),
        None => Ok(()),
    }
}

/// Checks the names in a function, except for those of its outputs: a function need not compute an output that no
/// caller wants, and only its calls show which outputs are wanted.
fn function(function: &FunctionProto) -> Result<(), Refusal> {
    let mut names = Names::default();
    names.formals(function.input.iter().map(String::as_str))?;
    names.nodes(&function.node)
}
