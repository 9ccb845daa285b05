//! `specs/directml/types.json`: feature levels, element types, constants, enumerations, and activations that can be
//! fused.

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use serde::{Deserialize, Serialize};

/// The facts that operators share: the file `types.json`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Types {
    /// Where the facts come from.
    pub sources: Vec<Source>,
    /// All feature levels, ascending.
    pub feature_levels: Vec<LevelFacts>,
    /// All element types, in the order of their numbers.
    pub tensor_data_types: Vec<DataTypeFacts>,
    /// The named constants.
    pub constants: Vec<Constant>,
    /// All enumerations. The file leaves out those of feature levels and element types, which the loader adds.
    pub enums: Vec<Enumeration>,
    /// The operators that can be fused into others.
    pub fused_activations: Vec<FusedActivation>,
    /// The rule for the description struct of every fused activation.
    pub fused_activation_rule: String,
}

/// A source that facts were taken from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The name of the source: `DirectML.h`.
    pub name: String,
    /// The repository.
    pub repo: String,
    /// The path of the file in the repository.
    pub path: String,
    /// The commit.
    pub commit: String,
    /// The licence of the source.
    pub licence: String,
}

/// A feature level, as the file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LevelFacts {
    /// The level.
    pub level: FeatureLevel,
    /// The number in `DML_FEATURE_LEVEL`.
    pub value: u32,
    /// The first release of DirectML that has the level.
    pub directml_version: String,
}

/// An element type, as the file holds it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DataTypeFacts {
    /// The type.
    pub name: TensorDataType,
    /// The number in `DML_TENSOR_DATA_TYPE`.
    pub value: u32,
    /// The first feature level that has the type.
    pub introduced: FeatureLevel,
    /// The number of bits of one element, or `None` for UNKNOWN.
    pub bits: Option<u32>,
    /// A remark on the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A named constant, such as `DML_TENSOR_DIMENSION_COUNT_MAX1`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// The name of the constant.
    pub name: String,
    /// The value of the constant.
    pub value: u64,
}

/// An enumeration, such as `DML_REDUCE_FUNCTION`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Enumeration {
    /// The name of the enumeration.
    pub name: String,
    /// The values, in the order of the header.
    pub values: Vec<EnumValue>,
}

/// A value of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EnumValue {
    /// The full name: `DML_REDUCE_FUNCTION_SUM`.
    pub name: String,
    /// The number of the value.
    pub value: u32,
    /// The first feature level that has the value.
    pub introduced: FeatureLevel,
}

impl Enumeration {
    /// Returns the value with this number.
    pub fn value(&self, value: u32) -> Option<&EnumValue> {
        self.values.iter().find(|known| known.value == value)
    }

    /// Returns the value with this full name, such as `DML_REDUCE_FUNCTION_SUM`.
    pub fn named(&self, name: &str) -> Option<&EnumValue> {
        self.values.iter().find(|known| known.name == name)
    }
}

/// The operators that an activation can be fused into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FusedInto {
    /// All operators that have a field `FusedActivation`.
    Any,
    /// CONVOLUTION and GEMM.
    ConvolutionAndGemm,
    /// Only GEMM.
    Gemm,
}

impl FusedInto {
    /// Returns whether the activation can be fused into the operator with this full name, such as `DML_OPERATOR_GEMM`.
    /// The answer is only right if the operator has a field `FusedActivation`.
    pub fn includes(self, name: &str) -> bool {
        match self {
            FusedInto::Any => true,
            FusedInto::ConvolutionAndGemm => ["DML_OPERATOR_CONVOLUTION", "DML_OPERATOR_GEMM"].contains(&name),
            FusedInto::Gemm => name == "DML_OPERATOR_GEMM",
        }
    }
}

/// An operator that the field `FusedActivation` of another operator can hold.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FusedActivation {
    /// The name of the activation: `DML_OPERATOR_ACTIVATION_RELU`.
    pub operator: String,
    /// The operators that it can be fused into.
    pub into: FusedInto,
    /// The first feature level at which the activation can be fused, or `None` if it can be fused at every level that
    /// has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_feature_level: Option<FeatureLevel>,
}
