//! Calls of a model's functions: the nodes of a function with the attributes and inputs of one call.

use plumbline_spec::canonical_domain;
use plumbline_tensor::onnx::{AttributeProto, FunctionProto, GraphProto, NodeProto};

use crate::Refusal;

/// Returns the canonical name of a domain: a domain that is left out or empty is `ai.onnx`.
pub fn domain_of(domain: &Option<String>) -> &str {
    canonical_domain(domain.as_deref().unwrap_or(""))
}

/// A node that calls a function of the model.
pub struct FunctionCall<'a> {
    function: &'a FunctionProto,
    caller: &'a NodeProto,
    /// The formal inputs that the caller leaves out.
    missing: Vec<&'a str>,
}

impl<'a> FunctionCall<'a> {
    /// Returns the call of `function` by `caller`.
    ///
    /// # Errors
    /// The caller has more inputs or outputs than the function.
    pub fn new(function: &'a FunctionProto, caller: &'a NodeProto) -> Result<FunctionCall<'a>, Refusal> {
        let more = |what: &str, found: usize, most: usize| {
            let message = format!("{found} {what} are given, the function has {most}");
            if found > most { Err(Refusal::invalid(message)) } else { Ok(()) }
        };
        more("inputs", caller.input.len(), function.input.len())?;
        more("outputs", caller.output.len(), function.output.len())?;
        let given = |at: usize| caller.input.get(at).is_some_and(|name| !name.is_empty());
        let missing = function.input.iter().enumerate().filter(|(at, _)| !given(*at));
        let missing = missing.map(|(_, formal)| formal.as_str()).collect();
        Ok(FunctionCall { function, caller, missing })
    }

    /// Returns the nodes of the function, with the caller's attributes in place of `ref_attr_name`, and without the
    /// inputs that the caller leaves out. The nodes of nested graphs are changed in the same way.
    pub fn nodes(&self) -> Vec<NodeProto> {
        self.function.node.iter().map(|inner| self.node(inner, &self.missing)).collect()
    }

    fn node(&self, inner: &NodeProto, missing: &[&str]) -> NodeProto {
        let mut node = inner.clone();
        node.input.iter_mut().filter(|name| missing.contains(&name.as_str())).for_each(String::clear);
        node.attribute = inner.attribute.iter().filter_map(|own| self.attribute(own, missing)).collect();
        node
    }

    /// Returns an attribute, or `None` if it refers to an attribute of the caller that is not given and has no default.
    fn attribute(&self, own: &AttributeProto, missing: &[&str]) -> Option<AttributeProto> {
        if let Some(reference) = own.ref_attr_name.as_deref().filter(|name| !name.is_empty()) {
            let mut known = self.caller.attribute.iter().chain(&self.function.attribute_proto);
            let given = known.find(|given| given.name.as_deref() == Some(reference))?;
            return Some(AttributeProto { name: own.name.clone(), ..given.clone() });
        }
        let mut bound = own.clone();
        bound.g.as_deref_mut().into_iter().chain(&mut bound.graphs).for_each(|graph| self.graph(graph, missing));
        Some(bound)
    }

    fn graph(&self, graph: &mut GraphProto, missing: &[&str]) {
        // An input or initializer of the inner graph hides an input of the function that has the same name.
        let own = |name: &str| {
            let inputs = graph.input.iter().map(|input| &input.name);
            inputs.chain(graph.initializer.iter().map(|tensor| &tensor.name)).any(|n| n.as_deref() == Some(name))
        };
        let missing: Vec<&str> = missing.iter().copied().filter(|name| !own(name)).collect();
        graph.node = graph.node.iter().map(|node| self.node(node, &missing)).collect();
    }
}
