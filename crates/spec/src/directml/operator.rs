//! An operator of DirectML: the fields of its description struct, and what it supports.

use super::data_type::TensorDataType;
use super::field::{Field, FieldKind};
use super::level::FeatureLevel;
use super::support::{SupportBlock, SupportRow, SupportTable};
use crate::rules_file::{Names, Rules};
use crate::write::to_lines;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The prefix of operator names.
pub const OPERATOR_PREFIX: &str = "DML_OPERATOR_";

/// An operator of DirectML, as `specs/directml/<name>.json` holds it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    /// The name in `DML_OPERATOR_TYPE`: `DML_OPERATOR_ELEMENT_WISE_MIN`.
    pub name: String,
    /// The number in `DML_OPERATOR_TYPE`.
    pub value: u32,
    /// The first feature level that has the operator.
    pub introduced: FeatureLevel,
    /// The name of the description struct: `DML_ELEMENT_WISE_MIN_OPERATOR_DESC`.
    pub desc_struct: String,
    /// Other names of the operator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The fields of the description struct, in order.
    pub fields: Vec<Field>,
    /// Whether an output may be bound to the same buffer as an input.
    pub in_place: bool,
    /// What the sources say about working in place.
    pub in_place_evidence: InPlaceEvidence,
    /// The properties that must be equal between tensors.
    pub tensor_constraints: Vec<TensorConstraint>,
    /// The support of the tensors: one table, or one for each group of functions (`REDUCE`).
    pub support: Vec<SupportTable>,
    /// Remarks on contradictions in the documentation, and on facts that no other field can state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The page that the support table was read from.
    pub page: PageSource,
    /// The handwritten rules of `specs/directml/<name>.rules.toml`, if there are any. Their attributes and inputs are the
    /// fields of the description struct.
    #[serde(skip)]
    pub rules: Option<Rules>,
}

/// What the sources say about whether an operator may work in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct InPlaceEvidence {
    /// What the schema header of ONNX Runtime's provider says.
    pub schema: bool,
    /// What the documentation says, or `None` if it says nothing.
    #[serde(deserialize_with = "Option::deserialize")]
    pub docs_state_it: Option<bool>,
}

/// A page of the documentation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PageSource {
    /// The repository that holds the page.
    pub repo: String,
    /// The path of the file in the repository.
    pub path: String,
    /// The commit, or `None` if it is not known.
    #[serde(deserialize_with = "Option::deserialize")]
    pub commit: Option<String>,
}

/// Properties that must be equal between tensors.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TensorConstraint {
    /// The properties.
    pub same: Vec<Property>,
    /// The tensors. An optional tensor that is absent does not take part.
    pub tensors: Vec<String>,
}

impl fmt::Display for TensorConstraint {
    /// Writes `DataType, Sizes of ATensor, BTensor`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same: Vec<String> = self.same.iter().map(|property| format!("{property:?}")).collect();
        write!(f, "{} of {}", same.join(", "), self.tensors.join(", "))
    }
}

/// A property of a tensor's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Property {
    /// The element type.
    DataType,
    /// The number of dimensions.
    DimensionCount,
    /// The size in each dimension.
    Sizes,
}

impl Operator {
    /// Returns the name without `DML_OPERATOR_`: `ELEMENT_WISE_MIN`.
    pub fn short_name(&self) -> &str {
        self.name.strip_prefix(OPERATOR_PREFIX).unwrap_or(&self.name)
    }

    /// Returns the names that the rules may use. The rules are the same at every level, unless their text says so.
    pub(super) fn names(&self) -> Names<'_> {
        Names {
            since: 1,
            attributes: self.attributes().map(|field| field.name.as_str()).collect(),
            inputs: self.tensors().map(|field| field.name.as_str()).collect(),
        }
    }

    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the tensors, inputs and outputs, in the order of the fields.
    pub fn tensors(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.is_tensor())
    }

    /// Returns the tensors that the operator reads, in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.kind == FieldKind::InputTensor)
    }

    /// Returns the tensors that the operator writes, in order.
    pub fn outputs(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.kind == FieldKind::OutputTensor)
    }

    /// Returns the fields that are not tensors, in order.
    pub fn attributes(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| field.kind == FieldKind::Attribute)
    }

    /// Returns the field that chooses between several support tables: `Function` of `REDUCE`.
    pub fn function_field(&self) -> Option<&Field> {
        let first = self.support.first()?.functions.first()?;
        self.attributes().find(|field| field.enumeration().is_some_and(|name| first.starts_with(name)))
    }

    /// Returns the support table for a function (`DML_REDUCE_FUNCTION_SUM`), or the only table if support does not
    /// depend on a function.
    pub fn table(&self, function: Option<&str>) -> Option<&SupportTable> {
        let fits = |table: &&SupportTable| {
            table.functions.is_empty() || function.is_some_and(|f| table.functions.iter().any(|known| known == f))
        };
        self.support.iter().find(fits)
    }

    /// Returns the support of the tensors at a level. Returns `None` if the operator does not exist at the level, if
    /// the documentation has no table for the level, or if the table depends on a function. In the last case, use
    /// [`Operator::table`].
    pub fn support_at(&self, level: FeatureLevel) -> Option<&SupportBlock> {
        self.table(None)?.at(level)
    }

    /// Returns the row of a tensor at a level. Returns `None` in the same cases as [`Operator::support_at`], and if the
    /// operator has no such tensor.
    pub fn row(&self, level: FeatureLevel, tensor: &str) -> Option<&SupportRow> {
        self.support_at(level)?.row(tensor)
    }

    /// Returns the first level at which a tensor may have this element type in at least one support table.
    pub fn first_level_with(&self, tensor: &str, data_type: TensorDataType) -> Option<FeatureLevel> {
        self.support.iter().filter_map(|table| table.first_level_with(tensor, data_type)).min()
    }

    /// Returns the first level at which a tensor may have this many dimensions in at least one support table.
    pub fn first_level_with_dimension_count(&self, tensor: &str, count: u32) -> Option<FeatureLevel> {
        self.support.iter().filter_map(|table| table.first_level_with_dimension_count(tensor, count)).min()
    }

    /// Returns whether the documentation lists the element types of every tensor. For FOLD and UNFOLD it does not.
    pub fn is_documented(&self) -> bool {
        let mut rows = self.support.iter().flat_map(|table| &table.blocks).flat_map(|block| &block.tensors);
        rows.all(|row| row.data_types.is_some())
    }

    /// Returns the text of the operator's `DML_OPERATOR_....json`.
    pub fn to_json(&self) -> String {
        to_lines(self)
    }
}
