//! Model functions: a call becomes a graph of its own, in which the attributes of the caller replace the references to
//! them.

use std::collections::HashSet;

use plumbline_spec::canonical_domain;
use plumbline_tensor::Model;
use plumbline_tensor::onnx::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};

use super::graph::Graph;
use plumbline_graph::Refusal;

/// Largest depth of functions that call functions.
const MOST_DEPTH: u32 = 32;

/// The functions and opset imports that give the operator names of a graph their meaning.
pub struct Library<'a> {
    functions: &'a [FunctionProto],
    imports: &'a [OperatorSetIdProto],
    depth: u32,
}

fn domain_of(domain: &Option<String>) -> &str {
    canonical_domain(domain.as_deref().unwrap_or(""))
}

impl<'a> Library<'a> {
    /// Returns the library for the graphs of a model.
    pub fn of(model: &'a Model) -> Library<'a> {
        Library { functions: &model.proto.functions, imports: &model.proto.opset_import, depth: 0 }
    }

    /// Returns the opset that is imported for a domain.
    pub fn opset(&self, domain: &str) -> Option<i64> {
        let import = self.imports.iter().find(|import| domain_of(&import.domain) == canonical_domain(domain));
        import.and_then(|import| import.version)
    }

    /// Returns the function that a node calls, or `None` if the node is an operator.
    pub fn function(&self, node: &NodeProto) -> Option<&'a FunctionProto> {
        let overload = |overload: &Option<String>| overload.clone().unwrap_or_default();
        self.functions.iter().find(|function| {
            function.name == node.op_type
                && domain_of(&function.domain) == domain_of(&node.domain)
                && overload(&function.overload) == overload(&node.overload)
        })
    }
}

/// Expands a call of a function. The returned graph takes only the inputs that the call supplies and returns only the
/// outputs that the call names; the returned node lists just these inputs and outputs.
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

/// Returns the formal values for which the caller has a name, and these names.
fn named(formal: &[String], actual: &[String]) -> (Vec<ValueInfoProto>, Vec<String>) {
    let value = |name: &String| ValueInfoProto { name: Some(name.clone()), ..ValueInfoProto::default() };
    let pairs = formal.iter().zip(actual).filter(|(_, actual)| !actual.is_empty());
    pairs.map(|(formal, actual)| (value(formal), actual.clone())).unzip()
}

/// A call of a function: it replaces names and attributes in the nodes of the function.
struct Call<'a> {
    function: &'a FunctionProto,
    attributes: &'a [AttributeProto],
}

impl Call<'_> {
    /// Returns a node of the function with the attributes of the caller and without the inputs that the caller omits.
    fn bound(&self, inner: &NodeProto, missing: &[&str]) -> NodeProto {
        let mut node = inner.clone();
        node.input.iter_mut().filter(|name| missing.contains(&name.as_str())).for_each(String::clear);
        node.attribute = inner.attribute.iter().filter_map(|own| self.attribute(own, missing)).collect();
        node
    }

    /// Resolves an attribute. Returns `None` if it refers to an attribute of the function that the caller does not set
    /// and that has no default.
    fn attribute(&self, own: &AttributeProto, missing: &[&str]) -> Option<AttributeProto> {
        let mut bound = own.clone();
        if let Some(reference) = own.ref_attr_name.as_deref().filter(|name| !name.is_empty()) {
            let mut known = self.attributes.iter().chain(&self.function.attribute_proto);
            let given = known.find(|given| given.name.as_deref() == Some(reference))?;
            return Some(AttributeProto { name: bound.name, ..given.clone() });
        }
        for graph in bound.g.as_deref_mut().into_iter().chain(&mut bound.graphs) {
            // An input of the inner graph hides an input of the function that has the same name.
            let hides = |name: &str| graph.input.iter().any(|input| input.name.as_deref() == Some(name));
            let missing: Vec<&str> = missing.iter().copied().filter(|name| !hides(name)).collect();
            graph.node = graph.node.iter().map(|node| self.bound(node, &missing)).collect();
        }
        Some(bound)
    }
}
