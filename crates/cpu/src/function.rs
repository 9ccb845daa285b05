//! Functions of a model: a call becomes a graph of its own, with the caller's attributes in place.

use std::collections::HashSet;

use plumbline_spec::canonical_domain;
use plumbline_tensor::Model;
use plumbline_tensor::onnx::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};

use super::graph::Graph;
use plumbline_graph::Refusal;

/// Functions within functions, at most.
const MOST_DEPTH: u32 = 32;

/// What the names of operators mean in a graph.
pub struct Library<'a> {
    functions: &'a [FunctionProto],
    imports: &'a [OperatorSetIdProto],
    depth: u32,
}

fn domain_of(domain: &Option<String>) -> &str {
    canonical_domain(domain.as_deref().unwrap_or(""))
}

impl<'a> Library<'a> {
    /// In the graphs of a model.
    pub fn of(model: &'a Model) -> Library<'a> {
        Library { functions: &model.proto.functions, imports: &model.proto.opset_import, depth: 0 }
    }

    /// The opset imported for a domain.
    pub fn opset(&self, domain: &str) -> Option<i64> {
        let import = self.imports.iter().find(|import| domain_of(&import.domain) == canonical_domain(domain));
        import.and_then(|import| import.version)
    }

    /// The function that a node calls, if it does.
    pub fn function(&self, node: &NodeProto) -> Option<&'a FunctionProto> {
        let overload = |overload: &Option<String>| overload.clone().unwrap_or_default();
        self.functions.iter().find(|function| {
            function.name == node.op_type
                && domain_of(&function.domain) == domain_of(&node.domain)
                && overload(&function.overload) == overload(&node.overload)
        })
    }
}

/// A call: the graph that takes the inputs that are given and gives the outputs that have a name, and the node with just these.
pub fn called(library: &Library, function: &FunctionProto, node: &NodeProto) -> Result<(Graph, NodeProto), Refusal> {
    if library.depth >= MOST_DEPTH {
        return Err(Refusal::invalid("functions call each other without end"));
    }
    if node.input.len() > function.input.len() || node.output.len() > function.output.len() {
        let (inputs, outputs) = (node.input.len(), node.output.len());
        return Err(Refusal::invalid(format!("{inputs} inputs and {outputs} outputs are more than the function has")));
    }
    let (inputs, input) = named(&function.input, &node.input);
    let (outputs, output) = named(&function.output, &node.output);
    let missing = |name: &&String| inputs.iter().all(|input| input.name.as_ref() != Some(name));
    let missing: Vec<&str> = function.input.iter().filter(missing).map(String::as_str).collect();
    let call = Call { function, attributes: &node.attribute };
    let graph = GraphProto {
        node: function.node.iter().map(|inner| call.bound(inner, &missing)).collect(),
        input: inputs,
        output: outputs,
        ..GraphProto::default()
    };
    let inside = Library { imports: &function.opset_import, depth: library.depth + 1, ..*library };
    Ok((Graph::of(&inside, &graph, &HashSet::new())?, NodeProto { input, output, ..node.clone() }))
}

/// Formal values that the caller names, and the caller's names for them.
fn named(formal: &[String], actual: &[String]) -> (Vec<ValueInfoProto>, Vec<String>) {
    let value = |name: &String| ValueInfoProto { name: Some(name.clone()), ..ValueInfoProto::default() };
    let pairs = formal.iter().zip(actual).filter(|(_, actual)| !actual.is_empty());
    pairs.map(|(formal, actual)| (value(formal), actual.clone())).unzip()
}

/// What a call puts in place of names inside.
struct Call<'a> {
    function: &'a FunctionProto,
    attributes: &'a [AttributeProto],
}

impl Call<'_> {
    /// A node of the function, with the caller's attributes, and without inputs that the caller leaves out.
    fn bound(&self, inner: &NodeProto, missing: &[&str]) -> NodeProto {
        let mut node = inner.clone();
        node.input.iter_mut().filter(|name| missing.contains(&name.as_str())).for_each(String::clear);
        node.attribute = inner.attribute.iter().filter_map(|own| self.attribute(own, missing)).collect();
        node
    }

    /// An attribute; none where it stands for one of the caller's that is neither given nor has a default.
    fn attribute(&self, own: &AttributeProto, missing: &[&str]) -> Option<AttributeProto> {
        let mut bound = own.clone();
        if let Some(reference) = own.ref_attr_name.as_deref().filter(|name| !name.is_empty()) {
            let mut known = self.attributes.iter().chain(&self.function.attribute_proto);
            let given = known.find(|given| given.name.as_deref() == Some(reference))?;
            return Some(AttributeProto { name: bound.name, ..given.clone() });
        }
        for graph in bound.g.as_deref_mut().into_iter().chain(&mut bound.graphs) {
            // An input of the graph hides the function's.
            let hides = |name: &str| graph.input.iter().any(|input| input.name.as_deref() == Some(name));
            let missing: Vec<&str> = missing.iter().copied().filter(|name| !hides(name)).collect();
            graph.node = graph.node.iter().map(|node| self.bound(node, &missing)).collect();
        }
        Some(bound)
    }
}
