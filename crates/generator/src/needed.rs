//! Attributes that the schema calls optional but that the operator's meaning requires. No valid case leaves them out.

use plumbline_spec::OperatorVersion;

/// Attributes of the classifier and the regressor before TreeEnsemble-5 that describe the nodes; without them there are
/// no trees.
const NODES: [&str; 6] =
    ["nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids"];

/// Returns whether every valid node gives this attribute although the schema does not require it.
pub(crate) fn needed(version: &OperatorVersion, attribute: &str) -> bool {
    match (version.id.domain.as_str(), version.id.name.as_str(), version.since()) {
        ("ai.onnx.ml", "LabelEncoder", 1) => attribute == "classes_strings",
        ("ai.onnx.ml", "CategoryMapper", _) => ["cats_int64s", "cats_strings"].contains(&attribute),
        ("ai.onnx.ml", "LinearRegressor", _) => attribute == "coefficients",
        ("ai.onnx.ml", "SVMClassifier", _) => {
            ["coefficients", "kernel_params", "rho", "support_vectors", "vectors_per_class"].contains(&attribute)
        }
        ("ai.onnx.ml", "SVMRegressor", _) => ["coefficients", "kernel_params", "rho"].contains(&attribute),
        ("ai.onnx.ml", "TreeEnsemble", _) => attribute == "n_targets",
        ("ai.onnx.ml", "TreeEnsembleClassifier", since) => {
            let votes = ["class_treeids", "class_nodeids", "class_ids"].contains(&attribute);
            votes || NODES.contains(&attribute) || since == 1 && ["nodes_values", "class_weights"].contains(&attribute)
        }
        ("ai.onnx.ml", "TreeEnsembleRegressor", since) => {
            let votes = ["target_treeids", "target_nodeids", "target_ids", "n_targets"].contains(&attribute);
            votes || NODES.contains(&attribute) || since == 1 && ["nodes_values", "target_weights"].contains(&attribute)
        }
        ("ai.onnx", "RegexFullMatch", _) => attribute == "pattern",
        _ => false,
    }
}
