//! Lowers the opset and IR version that a model declares to the newest ones that a backend reads.
//!
//! A backend refuses a model that declares a newer opset or IR version than the backend knows, even if every operator
//! in the model is old. Such a model gets the newest versions that the backend knows, as long as its meaning stays the
//! same: every node must resolve to the same operator version as before.

use std::borrow::Cow;
use std::collections::BTreeMap;

use plumbline_spec::{Opsets, Spec, canonical_domain};
use plumbline_tensor::{Model, onnx};

use crate::Refusal;

/// The newest versions that a backend reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The newest opset of each known domain (`ai.onnx`, ...). The opsets of domains that are missing here are
    /// not changed.
    pub opsets: BTreeMap<String, i64>,
    /// The newest IR version.
    pub ir_version: i64,
}

impl Known {
    /// Returns whether the model declares no newer version.
    fn covers(&self, model: &Model) -> bool {
        let proto = &model.proto;
        let imports = proto.opset_import.iter().chain(proto.functions.iter().flat_map(|f| &f.opset_import));
        proto.ir_version.unwrap_or(0) <= self.ir_version
            && imports.into_iter().all(|i| self.opsets.get(domain_of(i)).is_none_or(|&n| i.version.unwrap_or(0) <= n))
    }
}

/// Returns the model with versions that the backend knows. Refuses it as unsupported if an operator would then have
/// another version, or if the model needs a newer IR version. `spec` is only called if a version has to change.
pub fn stamp<'a, 's>(
    model: &'a Model,
    spec: impl FnOnce() -> &'s Spec,
    known: &Known,
) -> Result<Cow<'a, Model>, Refusal> {
    if known.covers(model) {
        return Ok(Cow::Borrowed(model));
    }
    let spec = spec();
    let mut proto = Cow::Borrowed(&model.proto);
    let nodes = &model.graph().node;
    let mut ir_needed = ir_of_structure(&model.proto);
    for (index, import) in model.proto.opset_import.iter().enumerate() {
        let needed = lowest_opset(import, nodes, spec);
        ir_needed = ir_needed.max(ir_of_opset(import, needed));
        if let Some(version) = restamped(import, needed, known)? {
            proto.to_mut().opset_import[index].version = Some(version);
        }
    }
    for (f, function) in model.proto.functions.iter().enumerate() {
        for (index, import) in function.opset_import.iter().enumerate() {
            let needed = lowest_opset(import, &function.node, spec);
            ir_needed = ir_needed.max(ir_of_opset(import, needed));
            if let Some(version) = restamped(import, needed, known)? {
                proto.to_mut().functions[f].opset_import[index].version = Some(version);
            }
        }
    }
    let ir_version = model.proto.ir_version.unwrap_or(0);
    if ir_version > known.ir_version {
        let needed = ir_needed.min(ir_version);
        if needed > known.ir_version {
            let message = format!(
                "the model needs IR version {needed}, the newest that the backend reads is {}",
                known.ir_version
            );
            return Err(Refusal::unsupported(message));
        }
        proto.to_mut().ir_version = Some(known.ir_version);
    }
    Ok(match proto {
        Cow::Borrowed(_) => Cow::Borrowed(model),
        Cow::Owned(proto) => Cow::Owned(Model { proto }),
    })
}

fn domain_of(import: &onnx::OperatorSetIdProto) -> &str {
    canonical_domain(import.domain.as_deref().unwrap_or(""))
}

/// Returns the opset that has to replace the declared one, or `None` if the declared one can stay.
fn restamped(import: &onnx::OperatorSetIdProto, needed: i64, known: &Known) -> Result<Option<i64>, Refusal> {
    let domain = domain_of(import);
    match (known.opsets.get(domain), import.version) {
        (Some(&newest), Some(version)) if version > newest => {
            if needed > newest {
                return Err(Refusal::unsupported(format!(
                    "the model needs opset {needed} of {domain}, the newest that the backend reads is {newest}"
                )));
            }
            Ok(Some(newest))
        }
        _ => Ok(None),
    }
}

/// Returns the lowest opset that resolves every node of the import's domain to the same operator version as the
/// declared opset does. Nodes in the graphs of attributes count as well. A node that the specification does not know
/// needs the declared opset.
fn lowest_opset(import: &onnx::OperatorSetIdProto, nodes: &[onnx::NodeProto], spec: &Spec) -> i64 {
    let version = import.version.unwrap_or(1);
    let domain = domain_of(import);
    let mut lowest = 1;
    for node in nodes {
        if canonical_domain(node.domain.as_deref().unwrap_or("")) == domain {
            let since = match spec.resolve(domain, node.op_type.as_deref().unwrap_or(""), version) {
                Some(operator) => i64::from(operator.since()),
                None => version,
            };
            lowest = lowest.max(since);
        }
        for graph in node.nested() {
            lowest = lowest.max(lowest_opset(import, &graph.node, spec));
        }
    }
    lowest
}

/// Returns the IR version that was released with an opset. This IR version has everything that the operators of the
/// opset need, such as element types. Returns 1 for an opset that no known release has.
fn ir_of_opset(import: &onnx::OperatorSetIdProto, opset: i64) -> i64 {
    Opsets::embedded().release_of(domain_of(import), opset).map_or(1, |release| release.ir)
}

/// Returns the IR version that the parts of a model need, as the history in `onnx.proto` gives it: 11 for device
/// configurations, 10 for overloads of functions, 8 for functions, 4 for initializers that are not inputs, else 3.
fn ir_of_structure(proto: &onnx::ModelProto) -> i64 {
    let has_overload =
        |nodes: &[onnx::NodeProto]| nodes.iter().any(|n| n.overload.as_ref().is_some_and(|o| !o.is_empty()));
    let graph = proto.graph.as_ref();
    let mut needed = 3;
    if graph.is_some_and(|g| g.initializer.iter().any(|t| !g.input.iter().any(|i| i.name == t.name))) {
        needed = 4;
    }
    if !proto.functions.is_empty() {
        needed = 8;
    }
    if proto.functions.iter().any(|f| f.overload.as_ref().is_some_and(|o| !o.is_empty()))
        || graph.is_some_and(|g| has_overload(&g.node))
    {
        needed = 10;
    }
    if !proto.configuration.is_empty() {
        needed = 11;
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(opset: i64, ir_version: i64, operators: &[&str]) -> Model {
        let nodes = operators.iter().map(|op| onnx::NodeProto { op_type: Some(op.to_string()), ..Default::default() });
        let graph = onnx::GraphProto { node: nodes.collect(), ..Default::default() };
        Model {
            proto: onnx::ModelProto {
                ir_version: Some(ir_version),
                graph: Some(graph),
                opset_import: vec![onnx::OperatorSetIdProto { domain: None, version: Some(opset) }],
                ..Default::default()
            },
        }
    }

    fn known(opset: i64, ir_version: i64) -> Known {
        Known { opsets: [("ai.onnx".to_owned(), opset)].into(), ir_version }
    }

    fn stamped(model: &Model, known: &Known) -> Result<(i64, i64), String> {
        let model = stamp(model, Spec::embedded, known).map_err(|refusal| refusal.to_string())?;
        Ok((model.opset("").unwrap(), model.proto.ir_version.unwrap()))
    }

    #[test]
    fn a_model_of_known_versions_is_not_changed() {
        let old = model(13, 7, &["Add"]);
        assert!(matches!(
            stamp(&old, || panic!("`spec` is called although no version has to change"), &known(20, 9)),
            Ok(Cow::Borrowed(_))
        ));
    }

    #[test]
    fn an_old_operator_under_a_new_opset_gets_the_newest_known_opset() {
        // Opset 14 introduced the newest version of Add, and opset 20 that of Gelu.
        assert_eq!(stamped(&model(26, 13, &["Add"]), &known(20, 9)), Ok((20, 9)));
        assert_eq!(stamped(&model(26, 9, &["Add"]), &known(14, 9)), Ok((14, 9)));
        assert_eq!(
            stamped(&model(26, 9, &["Add"]), &known(13, 9)).unwrap_err(),
            "the model needs opset 14 of ai.onnx, the newest that the backend reads is 13"
        );
        assert!(stamped(&model(26, 9, &["Add", "Gelu"]), &known(19, 9)).unwrap_err().contains("needs opset 20"));
        assert!(stamped(&model(26, 9, &["NoSuchOperator"]), &known(20, 9)).unwrap_err().contains("needs opset 26"));
    }

    #[test]
    fn an_operator_in_a_subgraph_may_need_a_newer_opset() {
        // Alone, the outer node needs only opset 14.
        assert_eq!(stamped(&model(26, 9, &["Relu"]), &known(16, 9)), Ok((16, 9)));
        let mut outer = model(26, 9, &["Relu"]);
        let inner = onnx::GraphProto { node: model(26, 9, &["Gelu"]).graph().node.clone(), ..Default::default() };
        let branch = onnx::AttributeProto { g: Some(Box::new(inner)), ..Default::default() };
        if let Some(graph) = &mut outer.proto.graph {
            graph.node[0].attribute.push(branch);
        }
        assert!(stamped(&outer, &known(16, 9)).unwrap_err().contains("needs opset 20 of ai.onnx"));
    }

    #[test]
    fn a_model_needs_the_ir_version_of_its_operators_release() {
        // Add-14 was released with ONNX 1.9.0, which writes IR version 7.
        assert_eq!(stamped(&model(14, 13, &["Add"]), &known(20, 7)), Ok((14, 7)));
        assert_eq!(
            stamped(&model(14, 13, &["Add"]), &known(20, 6)).unwrap_err(),
            "the model needs IR version 7, the newest that the backend reads is 6"
        );
        let mut with_function = model(14, 13, &["Add"]);
        with_function.proto.functions.push(onnx::FunctionProto::default());
        assert!(stamped(&with_function, &known(20, 7)).unwrap_err().contains("needs IR version 8"));
    }
}
