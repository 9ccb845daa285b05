//! Reads Microsoft Learn's Markdown pages of DirectML's operators, to compare their facts with `specs/directml`.
//!
//! The reader takes from a page the fields and their types, whether the operator works in place, the level that
//! introduced it, the tensor constraints of the form "*A* and *B* must have the same *Sizes*", and the support tables.
//! It skips other sentences. If a page states no facts of one kind, such as fields or support tables, this kind is not
//! compared. A page that does not name its operator is compared with each operator that has the same fields, and counts
//! as the page of the operator with the fewest disagreements.

mod compare;
mod markdown;
mod parse;

pub use markdown::{page, support_table};
pub use parse::{OperatorPageError, is_operator_page};

use super::data_type::TensorDataType;
use super::field::FieldKind;
use super::level::FeatureLevel;
use super::operator::Property;
use super::support::{DimensionCounts, SymbolicSize};
use crate::page::At;
use std::collections::BTreeSet;

/// What a page says about an operator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatorPage {
    /// The description struct of the page (`DML_ELEMENT_WISE_MIN_OPERATOR_DESC`), if the page names it.
    pub desc_struct: Option<At<String>>,
    /// The fields, in order.
    pub fields: Vec<At<PageField>>,
    /// Whether the operator works in place, if the page says so.
    pub in_place: Option<At<bool>>,
    /// The level that introduced the operator.
    pub introduced: Option<At<FeatureLevel>>,
    /// The tensor constraints, each as a set of properties and the set of tensors that must agree in them.
    pub constraints: Vec<At<(BTreeSet<Property>, BTreeSet<String>)>>,
    /// The line where the section on constraints starts, if the reader understood every sentence of the section.
    pub all_constraints: Option<usize>,
    /// The support tables, one for each group of functions.
    pub tables: Vec<PageTable>,
    /// The words of the code blocks on the page, in lower case. Formulas are in code blocks.
    pub formula_words: BTreeSet<String>,
}

/// A field of the description struct.
#[derive(Clone, Debug, PartialEq)]
pub struct PageField {
    /// The name of the field.
    pub name: String,
    /// The C declaration, if the page has one: `const DML_TENSOR_DESC*`.
    pub c_type: Option<String>,
    /// Whether the page marks the field as optional.
    pub optional: bool,
}

/// A support table of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageTable {
    /// The functions of the table, without their prefix: `SUM`. Empty if the table is for all functions.
    pub functions: BTreeSet<String>,
    /// The blocks, in the order of the page.
    pub blocks: Vec<At<PageBlock>>,
}

/// The support from a level on.
#[derive(Clone, Debug, PartialEq)]
pub struct PageBlock {
    /// The first level that the block holds for, or `None` if it holds for all levels.
    pub level: Option<FeatureLevel>,
    /// The rows of the block.
    pub rows: Vec<At<PageRow>>,
}

/// The support of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRow {
    /// The name of the tensor.
    pub name: String,
    /// Whether the tensor is an input or an output.
    pub kind: FieldKind,
    /// Whether the tensor may be left out.
    pub optional: bool,
    /// The smallest and largest number of dimensions.
    pub dimension_counts: DimensionCounts,
    /// The element types, or empty if the page leaves them out.
    pub data_types: Vec<TensorDataType>,
    /// The sizes, if the table has a column for them.
    pub sizes: Option<Vec<SymbolicSize>>,
}
