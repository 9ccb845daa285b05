//! Attributes that the schema calls optional and the meaning of the operator asks for: no valid case leaves them out.

use plumbline_spec::OperatorVersion;

/// Of both tree ensembles before version 5, whose trees are nothing without them.
const NODES: [&str; 6] =
    ["nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids"];

/// Whether a valid node always has this attribute, required or not.
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
