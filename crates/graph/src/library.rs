//! What the names of operators mean in a graph: an operator version of the specification, or a function of the model.

use plumbline_spec::{OperatorVersion, Opsets, Spec, canonical_domain};
use plumbline_tensor::Model;
use plumbline_tensor::onnx::{FunctionProto, NodeProto, OperatorSetIdProto};

use crate::{Refusal, domain_of};

/// How deeply calls of functions may be nested.
const MOST_DEPTH: u32 = 32;

/// The functions and the opsets that the nodes of a graph refer to.
#[derive(Clone, Copy, Debug)]
pub struct Library<'a> {
    functions: &'a [FunctionProto],
    imports: &'a [OperatorSetIdProto],
    depth: u32,
}

impl<'a> Library<'a> {
    /// Returns the library for the graphs of a model.
    pub fn new(model: &'a Model) -> Library<'a> {
        Library { functions: &model.proto.functions, imports: &model.proto.opset_import, depth: 0 }
    }

    /// Returns the library for the nodes of a function, which imports opsets of its own.
    ///
    /// # Errors
    /// Calls of functions are nested too deeply, for example because functions call each other without end.
    pub fn inside(&self, function: &'a FunctionProto) -> Result<Library<'a>, Refusal> {
        if self.depth >= MOST_DEPTH {
            return Err(Refusal::invalid(
                "functions call each other without end, or their calls are nested too deeply",
            ));
        }
        Ok(Library { functions: self.functions, imports: &function.opset_import, depth: self.depth + 1 })
    }

    /// Returns the opset that is imported for a domain.
    pub fn opset(&self, domain: &str) -> Option<i64> {
        let import = self.imports.iter().find(|import| domain_of(&import.domain) == canonical_domain(domain))?;
        Some(import.version.unwrap_or(1))
    }

    /// Returns the function of the model that a node calls, if it calls one.
    pub fn function(&self, node: &NodeProto) -> Option<&'a FunctionProto> {
        self.functions.iter().find(|function| {
            function.name == node.op_type
                && domain_of(&function.domain) == domain_of(&node.domain)
                && function.overload.as_deref().unwrap_or("") == node.overload.as_deref().unwrap_or("")
        })
    }

    /// Returns the operator version that a node stands for.
    ///
    /// # Errors
    /// The domain is not imported, or has no such operator at the imported opset. If the domain is imported and is not
    /// one of ONNX's, the operator is unsupported. In every other case, the model is invalid.
    pub fn resolve(&self, node: &NodeProto) -> Result<&'static OperatorVersion, Refusal> {
        let domain = domain_of(&node.domain);
        let name = node.op_type.as_deref().unwrap_or("");
        let opset = self
            .opset(domain)
            .ok_or_else(|| Refusal::invalid(format!("no opset of domain `{domain}` is imported")).at(name))?;
        Spec::embedded().resolve(domain, name, opset).ok_or_else(|| {
            let reason = format!("domain `{domain}` has no operator `{name}` at opset {opset}");
            // All operators of ONNX's domains are known. A domain of somebody else may have any operator.
            let is_known = Opsets::embedded().last(domain).is_some();
            if is_known { Refusal::invalid(reason) } else { Refusal::unsupported(reason) }.at(name)
        })
    }
}
