//! `specs/directml/types.json`: feature levels, element types, constants, enumerations, activations that can be fused.

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use serde::{Deserialize, Serialize};

/// An error type for a name that stands for nothing: what was written, and all there are.
macro_rules! name_error {
    ($error:ident, $message:literal, $all:expr) => {
        #[doc = "The text is no such name."]
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error($message, $crate::directml::types::listed($all))]
        pub struct $error {
            text: String,
        }
    };
}
pub(super) use name_error;

/// Names with commas between them.
pub(super) fn listed(names: impl IntoIterator<Item = impl ToString>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

/// What operators share: the file `types.json`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Types {
    /// Where the facts come from.
    pub sources: Vec<Source>,
    /// Every feature level, ascending.
    pub feature_levels: Vec<LevelFacts>,
    /// Every element type, by its number.
    pub tensor_data_types: Vec<DataTypeFacts>,
    /// Numbers that have a name.
    pub constants: Vec<Constant>,
    /// Every enumeration but those of levels and element types.
    pub enums: Vec<Enumeration>,
    /// Operators that can be fused into others.
    pub fused_activations: Vec<FusedActivation>,
    /// What holds for the description of every fused activation.
    pub fused_activation_rule: String,
}

/// A work that facts were taken from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// What it tells.
    pub name: String,
    /// The repository.
    pub repo: String,
    /// The file in it.
    pub path: String,
    /// The commit.
    pub commit: String,
    /// Its licence.
    pub licence: String,
}

/// A feature level, as the file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LevelFacts {
    /// The level.
    pub level: FeatureLevel,
    /// Its number in `DML_FEATURE_LEVEL`.
    pub value: u32,
    /// The first release of DirectML that has it.
    pub directml_version: String,
}

/// An element type, as the file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DataTypeFacts {
    /// The type.
    pub name: TensorDataType,
    /// Its number in `DML_TENSOR_DATA_TYPE`.
    pub value: u32,
    /// The first feature level that has it.
    pub introduced: FeatureLevel,
    /// Bits of one element; `None` for UNKNOWN.
    pub bits: Option<u32>,
    /// What else there is to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A number that has a name: `DML_TENSOR_DIMENSION_COUNT_MAX1`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: u64,
}

/// An enumeration: `DML_REDUCE_FUNCTION`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Its values, in the order of the header.
    pub values: Vec<EnumValue>,
}

/// A value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EnumValue {
    /// Its name, in full: `DML_REDUCE_FUNCTION_SUM`.
    pub name: String,
    /// Its number.
    pub value: u32,
    /// The first feature level that has it.
    pub introduced: FeatureLevel,
}

impl Enumeration {
    /// The value of this number.
    pub fn value(&self, value: u32) -> Option<&EnumValue> {
        self.values.iter().find(|known| known.value == value)
    }

    /// The value of this name: `DML_REDUCE_FUNCTION_SUM`.
    pub fn named(&self, name: &str) -> Option<&EnumValue> {
        self.values.iter().find(|known| known.name == name)
    }
}

/// Which operators an activation can be fused into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FusedInto {
    /// Every operator that has a `FusedActivation`.
    Any,
    /// Convolutions and GEMM.
    ConvolutionAndGemm,
    /// GEMM.
    Gemm,
}

impl FusedInto {
    /// Whether an operator that has a `FusedActivation` is one of them; `name` is `DML_OPERATOR_GEMM`.
    pub fn includes(self, name: &str) -> bool {
        match self {
            FusedInto::Any => true,
            FusedInto::ConvolutionAndGemm => ["DML_OPERATOR_CONVOLUTION", "DML_OPERATOR_GEMM"].contains(&name),
            FusedInto::Gemm => name == "DML_OPERATOR_GEMM",
        }
    }
}

/// An operator that can be the `FusedActivation` of another.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FusedActivation {
    /// The activation: `DML_OPERATOR_ACTIVATION_RELU`.
    pub operator: String,
    /// What it can be fused into.
    pub into: FusedInto,
    /// From which feature level on; `None`: since it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_feature_level: Option<FeatureLevel>,
}
