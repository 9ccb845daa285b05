//! What a release added without a new version: operator versions in an older opset, and types of operators. A runtime of
//! an earlier release reads the opset, and does not have them.

use plumbline_backend::Profile;
use plumbline_generator::kind_of;
use plumbline_graph::{Refusal, domain_of};
use plumbline_spec::{AddedBy, Addition, Additions, Spec};
use plumbline_tensor::Model;
use plumbline_tensor::onnx::NodeProto;

use crate::cases::value_kinds;

/// Returns the refusal of a model with something that is newer than the releases that a backend's profile names,
/// although these may have its opset.
pub(crate) fn refusal(model: &Model, profile: &Profile) -> Option<Refusal> {
    Additions::embedded().iter().find_map(|added| {
        let has = earlier(added.by, profile)?;
        let Addition { operator, types, by } = added;
        let types: Vec<String> = types.values().flatten().map(ToString::to_string).collect();
        let what = match types[..] {
            [] => format!("{operator} to an opset of an earlier release"),
            _ => format!("{} to {operator}", types.join(" and ")),
        };
        let refused = || Refusal::unsupported(format!("{by} added {what}; the backend implements {has}"));
        is_used(added, model).then(refused)
    })
}

/// Returns what the profile says that the backend implements, if that is an earlier release than this one.
fn earlier(by: AddedBy, profile: &Profile) -> Option<String> {
    match by {
        AddedBy::Onnx(release) => profile.onnx.filter(|has| *has < release).map(|has| format!("ONNX {has}")),
        AddedBy::OnnxRuntime(release) => {
            let has = profile.onnxruntime.filter(|has| *has < release)?;
            Some(format!("the operators of ONNX Runtime {has}"))
        }
    }
}

/// Returns whether a node of a model is of the operator version and, if types were added, has an input of one of them,
/// as far as the types of the values follow from the model.
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
    let mut found = nodes.flat_map(NodeProto::with_nested).filter(is_it).peekable();
    if !is_imported || found.peek().is_none() {
        return false;
    }
    let (Some(version), false) = (Spec::embedded().version(id), added.types.is_empty()) else { return true };
    let kinds = value_kinds(model);
    let is_added = |(at, name): (usize, &String)| {
        let variable = version.input_at(at).map(|formal| &formal.type_);
        let mut types = variable.and_then(|variable| added.types.get(variable)).into_iter().flatten();
        types.any(|type_| kinds.get(name) == Some(&kind_of(type_)))
    };
    found.any(|node| node.input.iter().enumerate().any(is_added))
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
