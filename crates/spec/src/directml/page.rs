//! Microsoft Learn's pages of DirectML's operators in Markdown, read to compare their facts with `specs/directml`.
//!
//! Read are the fields and their types, whether the operator works in place, the level that introduced it, the tensor
//! constraints of the form "*A* and *B* must have the same *Sizes*", and the support tables. What a page does not say is
//! not compared; other sentences are passed over. A page that does not name its operator is held against each whose
//! fields are the same, and taken to be about the one that it agrees with best.

mod compare;
mod markdown;
mod parse;

pub use markdown::{page, support_table};
pub use parse::{OperatorPageError, is_operator_page};

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use super::operator::{FieldKind, Property};
use super::support::{DimensionCounts, SymbolicSize};
use crate::page::At;
use std::collections::BTreeSet;

/// What a page says about an operator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatorPage {
    /// The description it is about (`DML_ELEMENT_WISE_MIN_OPERATOR_DESC`), where it says so.
    pub desc_struct: Option<At<String>>,
    /// The fields in order.
    pub fields: Vec<At<PageField>>,
    /// Whether the operator works in place, where it says anything.
    pub in_place: Option<At<bool>>,
    /// The level it was introduced in.
    pub introduced: Option<At<FeatureLevel>>,
    /// Properties that have to be the same, and the tensors.
    pub constraints: Vec<At<(BTreeSet<Property>, BTreeSet<String>)>>,
    /// The line of the section of constraints, if every sentence of it was understood.
    pub all_constraints: Option<usize>,
    /// The support tables, one for each group of functions.
    pub tables: Vec<PageTable>,
    /// Words of its formulas, in lower case.
    pub formula_words: BTreeSet<String>,
}

/// A field of the description.
#[derive(Clone, Debug, PartialEq)]
pub struct PageField {
    /// Its name.
    pub name: String,
    /// Its declaration, where there is one: `const DML_TENSOR_DESC*`.
    pub c_type: Option<String>,
    /// Whether it is called optional.
    pub optional: bool,
}

/// A support table.
#[derive(Clone, Debug, PartialEq)]
pub struct PageTable {
    /// The functions it is for, without their prefix: `SUM`; empty for all.
    pub functions: BTreeSet<String>,
    /// Its blocks, in the order of the page; the level is `None` where there is one block for all.
    pub blocks: Vec<At<PageBlock>>,
}

/// What holds from a level on.
#[derive(Clone, Debug, PartialEq)]
pub struct PageBlock {
    /// The level.
    pub level: Option<FeatureLevel>,
    /// The rows.
    pub rows: Vec<At<PageRow>>,
}

/// What a tensor may be.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRow {
    /// The tensor.
    pub name: String,
    /// Input or output.
    pub kind: FieldKind,
    /// Whether it may be left out.
    pub optional: bool,
    /// Fewest and most dimensions.
    pub dimension_counts: DimensionCounts,
    /// Its element types; empty where the page leaves them out.
    pub data_types: Vec<TensorDataType>,
    /// Its sizes, where there is a column of them.
    pub sizes: Option<Vec<SymbolicSize>>,
}
