//! An operator of DirectML: its description struct, field by field, and what it supports.

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use super::support::{SupportBlock, SupportRow, SupportTable};
use serde::{Deserialize, Serialize};

/// What precedes the names of operators.
pub const OPERATOR_PREFIX: &str = "DML_OPERATOR_";

/// An operator, as `specs/directml/<name>.json` holds it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    /// Its name in `DML_OPERATOR_TYPE`: `DML_OPERATOR_ELEMENT_WISE_MIN`.
    pub name: String,
    /// Its number in `DML_OPERATOR_TYPE`.
    pub value: u32,
    /// The first feature level that has it.
    pub introduced: FeatureLevel,
    /// Its description: `DML_ELEMENT_WISE_MIN_OPERATOR_DESC`.
    pub desc_struct: String,
    /// Other names of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The fields of its description, in order.
    pub fields: Vec<Field>,
    /// Whether an output may be bound where an input is.
    pub in_place: bool,
    /// Who says so.
    pub in_place_evidence: InPlaceEvidence,
    /// What has to be equal between tensors.
    pub tensor_constraints: Vec<TensorConstraint>,
    /// What its tensors may be: one table, or several by function (`REDUCE`).
    pub support: Vec<SupportTable>,
    /// Where the documentation disagrees with itself, and what tables do not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The page the support table was read from.
    pub page: PageSource,
}

/// Who says whether an operator may work in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct InPlaceEvidence {
    /// The schema header of ONNX Runtime's provider.
    pub schema: bool,
    /// The documentation, where it says anything.
    #[serde(deserialize_with = "Option::deserialize")]
    pub docs_state_it: Option<bool>,
}

/// A page of the documentation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PageSource {
    /// The repository.
    pub repo: String,
    /// The file in it.
    pub path: String,
    /// The commit; `None` where it is not known.
    #[serde(deserialize_with = "Option::deserialize")]
    pub commit: Option<String>,
}

/// Properties that are equal over tensors.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TensorConstraint {
    /// Which properties.
    pub same: Vec<Property>,
    /// Over which tensors; those that are left out are no part of it.
    pub tensors: Vec<String>,
}

/// A property of a tensor's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Property {
    /// Its element type.
    DataType,
    /// How many dimensions it has.
    DimensionCount,
    /// Its size in each dimension.
    Sizes,
}

/// A field of an operator's description.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub kind: FieldKind,
    /// What it holds.
    #[serde(rename = "type")]
    pub type_: FieldType,
    /// Its declaration in `DirectML.h`.
    pub c_type: String,
    /// Whether it may be null, at the newest feature level; a support row tells it for its own.
    pub optional: bool,
    /// Of an array: the field that says how long it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array_length_field: Option<String>,
}

/// What a field is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A tensor, or an array of them, that the operator reads.
    InputTensor,
    /// A tensor, or an array of them, that the operator writes.
    OutputTensor,
    /// Anything else.
    Attribute,
}

impl FieldKind {
    /// `Input`, `Output`, `Attribute`, as the documentation writes it.
    pub fn name(self) -> &'static str {
        match self {
            FieldKind::InputTensor => "Input",
            FieldKind::OutputTensor => "Output",
            FieldKind::Attribute => "Attribute",
        }
    }
}

/// What a field holds.
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
    /// Whether it is an array, with another field for its length.
    pub fn is_array(self) -> bool {
        use FieldType::*;
        matches!(self, TensorDescArray | OperatorDescArray | UintArray | IntArray | FloatArray)
    }
}

impl Field {
    /// Whether it is a tensor or an array of tensors.
    pub fn is_tensor(&self) -> bool {
        self.kind != FieldKind::Attribute
    }

    /// Whether it is a `BOOL`, whatever the schema calls it.
    pub fn is_bool(&self) -> bool {
        self.c_type == "BOOL"
    }

    /// The enumeration its value is one of: `DML_REDUCE_FUNCTION`.
    pub fn enumeration(&self) -> Option<&str> {
        (self.type_ == FieldType::Uint && self.c_type.starts_with("DML_")).then_some(self.c_type.as_str())
    }
}

impl Operator {
    /// Its name without `DML_OPERATOR_`: `ELEMENT_WISE_MIN`.
    pub fn short_name(&self) -> &str {
        self.name.strip_prefix(OPERATOR_PREFIX).unwrap_or(&self.name)
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Its tensors, inputs and outputs as they come.
    pub fn tensors(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.is_tensor())
    }

    /// The tensors it reads, in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.kind == FieldKind::InputTensor)
    }

    /// The tensors it writes, in order.
    pub fn outputs(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.kind == FieldKind::OutputTensor)
    }

    /// What is no tensor, in order.
    pub fn attributes(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.kind == FieldKind::Attribute)
    }

    /// The field that chooses between several support tables: `Function` of `REDUCE`.
    pub fn function_field(&self) -> Option<&Field> {
        let first = self.support.first()?.functions.first()?;
        self.attributes().find(|field| field.enumeration().is_some_and(|name| first.starts_with(name)))
    }

    /// The support table for a function (`DML_REDUCE_FUNCTION_SUM`); the only one, where it does not depend on any.
    pub fn table(&self, function: Option<&str>) -> Option<&SupportTable> {
        let fits = |table: &&SupportTable| {
            table.functions.is_empty() || function.is_some_and(|f| table.functions.iter().any(|known| known == f))
        };
        self.support.iter().find(fits)
    }

    /// What its tensors may be at a level. `None` where there is no such operator yet, where the documentation has no
    /// table for the level, and for one whose table depends on a function: [`Operator::table`] takes that.
    pub fn support_at(&self, level: FeatureLevel) -> Option<&SupportBlock> {
        self.table(None)?.at(level)
    }

    /// The row of a tensor at a level; `None` as [`Operator::support_at`].
    pub fn row(&self, level: FeatureLevel, tensor: &str) -> Option<&SupportRow> {
        self.support_at(level)?.row(tensor)
    }

    /// The first level at which a tensor may have this element type, with some function if that matters.
    pub fn first_level_with(&self, tensor: &str, data_type: TensorDataType) -> Option<FeatureLevel> {
        self.support.iter().filter_map(|table| table.first_level_with(tensor, data_type)).min()
    }

    /// The first level at which a tensor may have this many dimensions, with some function if that matters.
    pub fn first_level_with_dimension_count(&self, tensor: &str, count: u32) -> Option<FeatureLevel> {
        self.support.iter().filter_map(|table| table.first_level_with_dimension_count(tensor, count)).min()
    }

    /// Whether the documentation tells all element types. It does not for FOLD and UNFOLD.
    pub fn is_documented(&self) -> bool {
        let mut rows = self.support.iter().flat_map(|table| &table.blocks).flat_map(|block| &block.tensors);
        rows.all(|row| row.data_types.is_some())
    }
}
