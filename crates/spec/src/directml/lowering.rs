//! `specs/directml/lowering`: the DirectML operators that ONNX Runtime's provider uses for an ONNX operator.
//!
//! The files describe what the provider does. If that differs from what ONNX asks for, the note of the registration
//! says so.

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use crate::write::to_lines;
use plumbline_tensor::DType;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Facts that hold for the whole provider: `lowering/provider.json`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Where the facts come from.
    pub source: ProviderSource,
    /// The lowest feature level with which the provider starts.
    pub minimum_dml_feature_level: FeatureLevel,
    /// The release of DirectML that the provider ships with.
    pub directml_package: String,
    /// The DirectML type that carries each ONNX type. The provider rejects types that are not listed.
    pub onnx_to_dml_types: BTreeMap<DType, TensorDataType>,
    /// The types that the provider rejects, as free text.
    pub unsupported_types: Vec<String>,
    /// The condition under which the provider rejects a node because of its types.
    pub type_gate: String,
    /// The newest opset that the provider knows.
    pub max_opset_registered: u32,
    /// How the provider broadcasts.
    pub broadcast: String,
}

/// The code that the facts were read from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSource {
    /// The repository of the code.
    pub repo: String,
    /// The commit of the repository.
    pub commit: String,
    /// The files that were read.
    pub files: Vec<String>,
    /// The licence of the code.
    pub licence: String,
}

/// The lowering of an operator of ONNX or of Microsoft's domains, in all registered versions:
/// `lowering/<domain>/<Op>.json`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Lowering {
    /// The domain of the operator. ONNX's own domain is `ai.onnx`.
    pub domain: String,
    /// The name of the operator.
    pub name: String,
    /// One registration for each version, ascending.
    pub registrations: Vec<Registration>,
}

/// The registration of one operator version by the provider.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    /// The first opset for which the version is registered. In ONNX's own domain the provider starts at opset 7.
    pub registered_at_opset: u32,
    /// The version of the operator at the opset `registered_at_opset`.
    pub since_version: u32,
    /// The DirectML operators that a node becomes, the main one first. Empty if the provider does not use DirectML.
    pub dml_operators: Vec<String>,
    /// The `Function` of `REDUCE`, such as `DML_REDUCE_FUNCTION_SUM`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduce_function: Option<String>,
    /// How the provider lowers the operator, if that is not obvious.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowering_note: Option<String>,
    /// The types of each type variable, if the provider states them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub type_constraints: BTreeMap<String, RegisteredTypes>,
    /// A condition that a node must satisfy in addition to having registered types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support_query: Option<SupportQuery>,
    /// The inputs that the provider reads on the CPU when it builds the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constant_cpu_inputs: Vec<u32>,
    /// The pairs (input, output) that may share a buffer, as indices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_aliases_input: Vec<(u32, u32)>,
    /// Whether the operator can be a node of a DirectML graph.
    pub dml_graph_node: bool,
    /// The only number of inputs with which the operator can be a node of a DirectML graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph_only_with_input_count: Option<u32>,
    /// The preprocessor condition under which a build includes the registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_guard: Option<String>,
    /// The code that implements the registration.
    pub kernel: Kernel,
}

/// The code that implements a registration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// The class.
    pub class: String,
    /// The source file.
    pub file: String,
}

/// A condition of a registration that a node must satisfy in addition to having registered types.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportQuery {
    /// The function that checks the condition.
    pub function: String,
    /// The condition.
    pub condition: String,
}

/// The types that are registered for a type variable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredTypes {
    /// The tensor element types.
    pub types: TypeList,
    /// The element types of sequences, in addition to `types`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequence_types: Vec<DType>,
    /// The DirectML operator's tensor that has the type of the type variable, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dml_tensor: Option<String>,
    /// For each type, the lowest level at which the documentation of `dml_tensor` lists the DirectML type that carries
    /// it, or `None` if there is no such level. For signed integers that are indices, the level may be that of the
    /// unsigned type.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dml_min_feature_level: BTreeMap<DType, Option<FeatureLevel>>,
}

/// A list of types, or all types.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum TypeList {
    /// All types, written as `"all"`.
    All(All),
    /// The listed types.
    These(Vec<DType>),
}

/// The word `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum All {
    /// The word `all`.
    #[serde(rename = "all")]
    All,
}

impl TypeList {
    /// Returns whether the list contains a type.
    pub fn contains(&self, dtype: DType) -> bool {
        match self {
            TypeList::All(_) => true,
            TypeList::These(types) => types.contains(&dtype),
        }
    }
}

impl Lowering {
    /// Returns the registration of an operator version.
    pub fn version(&self, since: u32) -> Option<&Registration> {
        self.registrations.iter().find(|registration| registration.since_version == since)
    }

    /// Returns the text of the operator's `lowering/<domain>/<Op>.json`.
    pub fn to_json(&self) -> String {
        to_lines(self)
    }
}
