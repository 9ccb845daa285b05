//! The fields of the description struct of an operator.

use serde::{Deserialize, Serialize};

/// A field of an operator's description struct.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The name of the field.
    pub name: String,
    /// The role of the field.
    pub kind: FieldKind,
    /// The type of the value that the field holds.
    #[serde(rename = "type")]
    pub type_: FieldType,
    /// The C type of the field in `DirectML.h`.
    pub c_type: String,
    /// Whether the field may be null at the newest feature level. A row of a support table says this for its own level.
    pub optional: bool,
    /// For an array, the field that holds its length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_length_field: Option<String>,
}

/// The role of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A tensor, or an array of tensors, that the operator reads.
    InputTensor,
    /// A tensor, or an array of tensors, that the operator writes.
    OutputTensor,
    /// Any other field.
    Attribute,
}

impl FieldKind {
    /// Returns `Input`, `Output` or `Attribute`, as the documentation writes it.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::InputTensor => "Input",
            FieldKind::OutputTensor => "Output",
            FieldKind::Attribute => "Attribute",
        }
    }
}

/// The type of the value that a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum FieldType {
    TensorDesc,
    TensorDescArray,
    OperatorDesc,
    OperatorDescArray,
    Uint,
    UintArray,
    Int,
    IntArray,
    Float,
    FloatArray,
    Bool,
    ScaleBias,
    ScalarUnion,
    #[serde(rename = "size_2d")]
    Size2d,
}

impl FieldType {
    /// Returns whether the type is an array. Another field then holds its length.
    pub fn is_array(self) -> bool {
        use FieldType::*;
        matches!(self, TensorDescArray | OperatorDescArray | UintArray | IntArray | FloatArray)
    }
}

impl Field {
    /// Returns whether the field is a tensor or an array of tensors.
    pub fn is_tensor(&self) -> bool {
        self.kind != FieldKind::Attribute
    }

    /// Returns whether the C type is `BOOL`. The `type_` of some of these fields is `Uint`.
    pub fn is_bool(&self) -> bool {
        self.c_type == "BOOL"
    }

    /// Returns the name of the enumeration that the field's values belong to, such as `DML_REDUCE_FUNCTION`.
    pub fn enumeration(&self) -> Option<&str> {
        (self.type_ == FieldType::Uint && self.c_type.starts_with("DML_")).then_some(self.c_type.as_str())
    }
}
