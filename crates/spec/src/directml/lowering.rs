//! `specs/directml/lowering`: which DirectML operators ONNX Runtime's provider makes out of an operator of ONNX.
//!
//! It is what that provider does, and not always what ONNX asks for: a registration's note tells.

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use plumbline_tensor::DType;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What holds for the whole provider: `lowering/provider.json`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Where the facts come from.
    pub source: ProviderSource,
    /// The level below which it does not start.
    pub minimum_dml_feature_level: FeatureLevel,
    /// The release of DirectML it comes with.
    pub directml_package: String,
    /// The type that carries each of ONNX's; what is not listed is rejected.
    pub onnx_to_dml_types: BTreeMap<DType, TensorDataType>,
    /// Types it rejects, as people write them.
    pub unsupported_types: Vec<String>,
    /// When a node is rejected for its types.
    pub type_gate: String,
    /// The newest opset it knows.
    pub max_opset_registered: u32,
    /// How it broadcasts.
    pub broadcast: String,
}

/// The code the facts were read from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSource {
    /// The repository.
    pub repo: String,
    /// The commit.
    pub commit: String,
    /// The files.
    pub files: Vec<String>,
    /// Its licence.
    pub licence: String,
}

/// An operator of ONNX or of Microsoft's domains, in every version that is registered:
/// `lowering/<domain>/<Op>.json`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Lowering {
    /// Its domain; ONNX's own is `ai.onnx`.
    pub domain: String,
    /// Its name.
    pub name: String,
    /// One a version, ascending.
    pub registrations: Vec<Registration>,
}

/// A version of an operator, as the provider registers it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    /// The opset it is registered from; the provider begins at 7.
    pub registered_at_opset: u32,
    /// The version of the operator that is.
    pub since_version: u32,
    /// The operators it becomes, the main one first; none where it is done without DirectML.
    pub dml_operators: Vec<String>,
    /// The `Function` of `REDUCE`: `DML_REDUCE_FUNCTION_SUM`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduce_function: Option<String>,
    /// How, where it is not plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowering_note: Option<String>,
    /// The types of each type variable, where it says any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub type_constraints: BTreeMap<String, RegisteredTypes>,
    /// A condition beyond types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support_query: Option<SupportQuery>,
    /// Inputs that are read on the CPU when the node is built.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constant_cpu_inputs: Vec<u32>,
    /// Inputs and outputs that may be one buffer: (input, output).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_aliases_input: Vec<(u32, u32)>,
    /// Whether it can be a node of a DirectML graph.
    pub dml_graph_node: bool,
    /// With how many inputs only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph_only_with_input_count: Option<u32>,
    /// What a build has to define to have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_guard: Option<String>,
    /// The code.
    pub kernel: Kernel,
}

/// The code of a registration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// The class.
    pub class: String,
    /// The file.
    pub file: String,
}

/// A condition of a registration beyond types.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportQuery {
    /// The function that asks.
    pub function: String,
    /// What has to hold.
    pub condition: String,
}

/// The types registered for a type variable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredTypes {
    /// Which.
    pub types: TypeList,
    /// Those of sequences, beside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequence_types: Vec<DType>,
    /// The tensor of the DirectML operator that has this type; none where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dml_tensor: Option<String>,
    /// For each type the lowest level at which the documentation has that tensor carry it (signed indices may be
    /// carried as unsigned); `None` where it never does.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dml_min_feature_level: BTreeMap<DType, Option<FeatureLevel>>,
}

/// Types, or all there are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum TypeList {
    /// `"all"`.
    All(All),
    /// These.
    These(Vec<DType>),
}

/// The word `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum All {
    /// `all`.
    #[serde(rename = "all")]
    All,
}

impl TypeList {
    /// Whether a type is among them.
    pub fn contains(&self, dtype: DType) -> bool {
        match self {
            TypeList::All(_) => true,
            TypeList::These(types) => types.contains(&dtype),
        }
    }
}

impl Lowering {
    /// The registration of an operator version.
    pub fn version(&self, since: u32) -> Option<&Registration> {
        self.registrations.iter().find(|registration| registration.since_version == since)
    }
}
