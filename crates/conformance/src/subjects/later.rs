//! Operator versions that a release of ONNX added to an older opset: a runtime that was built with an earlier release
//! reads the opset, and does not have them.

use plumbline_graph::{Refusal, domain_of};
use plumbline_spec::{Additions, OperatorId, ReleaseNumber, Spec};
use plumbline_tensor::Model;
use plumbline_tensor::onnx::NodeProto;

/// Returns the refusal of a model with an operator version that is newer than `release`, although `release` may have
/// its opset.
pub(crate) fn refusal(model: &Model, release: ReleaseNumber) -> Option<Refusal> {
    let proto = &model.proto;
    let imports = || proto.opset_import.iter().chain(proto.functions.iter().flat_map(|f| &f.opset_import));
    let is_imported = |id: &OperatorId| {
        imports().filter(|import| domain_of(&import.domain) == id.domain).any(|import| {
            let version = Spec::embedded().resolve(&id.domain, &id.name, import.version.unwrap_or(1));
            version.is_some_and(|version| version.id == *id)
        })
    };
    let is_used = |id: &OperatorId| {
        let nodes = model.graph().node.iter().chain(proto.functions.iter().flat_map(|f| &f.node));
        let is_it = |node: &NodeProto| {
            node.op_type.as_deref() == Some(id.name.as_str()) && domain_of(&node.domain) == id.domain
        };
        nodes.flat_map(NodeProto::with_nested).any(is_it)
    };
    let mut later = Additions::embedded().iter().filter(|(_, added)| *added > release);
    let (id, added) = later.find(|(id, _)| is_imported(id) && is_used(id))?;
    Some(Refusal::unsupported(format!(
        "ONNX {added} added {id} to an opset of an earlier release; the backend implements ONNX {release}"
    )))
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
        let refused = |model: &Model, release: &str| refusal(model, release.parse().unwrap()).map(|r| r.to_string());
        let new = model(25, "y = Attention (q, q, q)");
        assert!(refused(&new, "1.21").is_some_and(|text| text.contains("Attention-25")));
        assert_eq!(refused(&new, "1.23"), None);
        assert_eq!(refused(&model(24, "y = Attention (q, q, q)"), "1.21"), None);
        assert_eq!(refused(&model(25, "y = Identity (q)"), "1.21"), None);
        let inner = "c = Constant <value = bool {1}> () y = If (c) <then_branch = a () => (float[1,1,1,1] z) \
                     { z = Attention (q, q, q) }, else_branch = b () => (float[1,1,1,1] z) { z = Identity (q) }>";
        assert!(refused(&model(26, inner), "1.22").is_some());
    }
}
