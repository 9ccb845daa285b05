//! What a release added without a new version: operator versions in an older opset, and types of operators. A runtime of
//! an earlier release reads the opset, and does not have them.

use plumbline_backend::Profile;
use plumbline_generator::kind_of;
use plumbline_graph::{Refusal, domain_of};
use plumbline_spec::{AddedBy, Addition, Additions, Formal, Spec};
use plumbline_tensor::onnx::{GraphProto, NodeProto, ValueInfoProto};
use plumbline_tensor::{DType, Model, ValueKind};

/// Returns the refusal of a model with something that is newer than the releases that a backend's profile names,
/// although these may have its opset.
pub(crate) fn refusal(model: &Model, profile: &Profile) -> Option<Refusal> {
    let added = Additions::embedded().iter().find(|added| is_later(added.by, profile) && is_used(added, model))?;
    let Addition { operator, types, by } = added;
    let types: Vec<String> = types.values().flatten().map(|type_| type_.to_string()).collect();
    let (what, whose) = match types[..] {
        [] => (operator.to_string(), "to an opset of an earlier release"),
        _ => (types.join(" and "), "to"),
    };
    let whose = if types.is_empty() { whose.to_owned() } else { format!("{whose} {operator}") };
    let has = match by {
        AddedBy::Onnx(_) => profile.onnx.map(|release| format!("ONNX {release}")),
        AddedBy::OnnxRuntime(_) => {
            profile.onnxruntime.map(|release| format!("the operators of ONNX Runtime {release}"))
        }
    };
    Some(Refusal::unsupported(format!("{by} added {what} {whose}; the backend implements {}", has?)))
}

fn is_later(by: AddedBy, profile: &Profile) -> bool {
    match by {
        AddedBy::Onnx(release) => profile.onnx.is_some_and(|has| has < release),
        AddedBy::OnnxRuntime(release) => profile.onnxruntime.is_some_and(|has| has < release),
    }
}

/// Returns whether a node of a model is of the operator version and, if types were added, has an input of one of them,
/// as far as the model declares the types of its values.
fn is_used(added: &Addition, model: &Model) -> bool {
    let (id, proto) = (&added.operator, &model.proto);
    let imports = || proto.opset_import.iter().chain(proto.functions.iter().flat_map(|f| &f.opset_import));
    let is_imported = imports().filter(|import| domain_of(&import.domain) == id.domain).any(|import| {
        let version = Spec::embedded().resolve(&id.domain, &id.name, import.version.unwrap_or(1));
        version.is_some_and(|version| version.id == *id)
    });
    let nodes = model.graph().node.iter().chain(proto.functions.iter().flat_map(|f| &f.node));
    let is_it =
        |node: &&NodeProto| node.op_type.as_deref() == Some(id.name.as_str()) && domain_of(&node.domain) == id.domain;
    let mut found = nodes.flat_map(NodeProto::with_nested).filter(is_it);
    is_imported && found.any(|node| added.types.is_empty() || has_type(added, node, model.graph()))
}

/// Returns whether an input or output of the node has one of the types that were added, in a graph that declares it.
fn has_type(added: &Addition, node: &NodeProto, graph: &GraphProto) -> bool {
    let Some(version) = Spec::embedded().version(&added.operator) else { return false };
    let is_added = |formal: Option<&Formal>, name: &str| {
        let types = formal.and_then(|formal| added.types.get(&formal.type_)).into_iter().flatten();
        let kind = declared(graph, name);
        types.map(kind_of).any(|type_| kind.as_ref() == Some(&type_))
    };
    let mut inputs = node.input.iter().enumerate();
    let mut outputs = node.output.iter().enumerate();
    inputs.any(|(at, name)| is_added(version.input_at(at), name))
        || outputs.any(|(at, name)| is_added(version.output_at(at), name))
}

fn declared(graph: &GraphProto, name: &str) -> Option<ValueKind> {
    let mut infos = graph.input.iter().chain(&graph.value_info).chain(&graph.output);
    let is_it = |info: &&ValueInfoProto| info.name.as_deref() == Some(name);
    let given = infos.find(is_it).and_then(|info| ValueKind::from_proto(info.r#type.as_ref()?));
    let mut constants = graph.initializer.iter().filter(|constant| constant.name.as_deref() == Some(name));
    given.or_else(|| constants.find_map(|t| DType::from_code(t.data_type?)).map(ValueKind::Tensor))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attention-25 came with ONNX 1.23; opset 25 came with 1.20.
    #[test]
    fn a_version_that_came_after_its_opset_is_unknown_to_earlier_releases() {
        let model = |opset: i64, node: &str| -> Model {
            let text =
                format!("<opset_import: [\"\" : {opset}]> g (float[1,1,1,1] q) => (float[1,1,1,1] y) {{ {node} }}");
            text.parse().unwrap()
        };
        let refused = |model: &Model, release: &str| {
            let profile = Profile { onnx: Some(release.parse().unwrap()), ..Profile::default() };
            refusal(model, &profile).map(|refusal| refusal.to_string())
        };
        let new = model(25, "y = Attention (q, q, q)");
        assert!(refused(&new, "1.21").is_some_and(|text| text.contains("Attention-25")));
        assert_eq!(refused(&new, "1.23"), None);
        assert_eq!(refused(&model(24, "y = Attention (q, q, q)"), "1.21"), None);
        assert_eq!(refused(&model(25, "y = Identity (q)"), "1.21"), None);
        let inner = "c = Constant <value = bool {1}> () y = If (c) <then_branch = a () => (float[1,1,1,1] z) \
                     { z = Attention (q, q, q) }, else_branch = b () => (float[1,1,1,1] z) { z = Identity (q) }>";
        assert!(refused(&model(26, inner), "1.22").is_some());
    }

    /// FastGelu takes double since ONNX Runtime 1.21, and has had one version since it exists.
    #[test]
    fn a_type_that_a_release_of_the_runtime_added_is_unknown_to_earlier_ones() {
        let refused = |dtype: &str, profile: Profile| {
            let imports = r#"opset_import: ["" : 15, "com.microsoft" : 1]"#;
            let node = "y = com.microsoft.FastGelu (x)";
            let model: Model = format!("<{imports}> g ({dtype}[2] x) => ({dtype}[2] y) {{ {node} }}").parse().unwrap();
            refusal(&model, &profile).map(|refusal| refusal.to_string())
        };
        let of = |release: &str| Profile { onnxruntime: Some(release.parse().unwrap()), ..Profile::default() };
        let text = refused("double", of("1.20.1")).unwrap();
        let said = "ONNX Runtime 1.21 added tensor(double) to com.microsoft.FastGelu-1; the backend implements the \
                    operators of ONNX Runtime 1.20.1";
        assert!(text.contains(said), "{text}");
        let constant = "<opset_import: [\"\" : 15, \"com.microsoft\" : 1]> g () => (double[1] y) { x = Constant <value = \
                        double[1] {1.0}> () y = com.microsoft.FastGelu (x) }";
        assert!(refusal(&constant.parse().unwrap(), &of("1.20.1")).is_some());
        assert_eq!(refused("double", of("1.21")), None);
        assert_eq!(refused("float", of("1.20.1")), None);
        assert_eq!(refused("double", Profile::default()), None);
    }
}
