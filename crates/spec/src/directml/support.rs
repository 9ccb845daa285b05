//! The dimension counts and element types that a tensor of an operator may have, by feature level.

use super::data_type::TensorDataType;
use super::field::FieldKind;
use super::level::FeatureLevel;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A support table of an operator. `REDUCE` has one for each group of functions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportTable {
    /// The values of the operator's `Function` that the table is for: `DML_REDUCE_FUNCTION_SUM`, ... Empty if the table
    /// does not depend on a function.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// One block for each feature level that changed something, newest first.
    pub blocks: Vec<SupportBlock>,
    /// The level that introduced the operator. Below it the operator does not exist, whatever the blocks say.
    #[serde(skip)]
    pub(super) introduced: FeatureLevel,
}

/// The support from a feature level on, until a newer block replaces it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportBlock {
    /// The first level that the block holds for.
    pub min_feature_level: FeatureLevel,
    /// One row for each tensor, in the order of the fields.
    pub tensors: Vec<SupportRow>,
}

/// The support of a tensor.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportRow {
    /// The name of the field: `InputTensor`.
    pub name: String,
    /// Whether the tensor is an input or an output.
    pub kind: FieldKind,
    /// Whether the tensor may be left out at this level.
    pub optional: bool,
    /// The smallest and largest number of dimensions.
    pub dimension_counts: DimensionCounts,
    /// The element types, in the order of the documentation, or `None` if it leaves them out, as for FOLD and UNFOLD.
    #[serde(deserialize_with = "Option::deserialize")]
    pub data_types: Option<Vec<TensorDataType>>,
    /// The sizes as the documentation writes them, outermost first. Empty if it gives none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbolic_sizes: Vec<SymbolicSize>,
}

/// The smallest and largest number of dimensions of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DimensionCounts {
    /// The smallest number of dimensions.
    pub min: u32,
    /// The largest number of dimensions.
    pub max: u32,
}

impl DimensionCounts {
    /// Returns whether a tensor may have this many dimensions.
    pub fn contains(self, count: u32) -> bool {
        (self.min..=self.max).contains(&count)
    }

    /// Returns whether a tensor may have every number of dimensions in `other`.
    pub fn includes(self, other: DimensionCounts) -> bool {
        self.min <= other.min && other.max <= self.max
    }
}

impl fmt::Display for DimensionCounts {
    /// Writes the counts as the documentation does: `4`, or `1 to 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if self.min == self.max { self.min.to_string() } else { format!("{} to {}", self.min, self.max) })
    }
}

/// A size as the documentation writes it: `ChannelCount`, `1`, `[1]`, `AScaleDimensions[]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct SymbolicSize {
    /// The value or name of the size.
    pub extent: Extent,
    /// Whether the size is in brackets, which means that it is absent if the tensor has fewer dimensions.
    pub optional: bool,
}

/// The value or name of a size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// A fixed number.
    Fixed(u32),
    /// A named size. All sizes with the same name are equal.
    Named(String),
    /// Any number of sizes under one name.
    Several(String),
}

impl fmt::Display for SymbolicSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match &self.extent {
            Extent::Fixed(extent) => extent.to_string(),
            Extent::Named(name) => name.clone(),
            Extent::Several(name) => format!("{name}[]"),
        };
        if self.optional { write!(f, "[{text}]") } else { f.write_str(&text) }
    }
}

impl FromStr for SymbolicSize {
    type Err = String;

    fn from_str(text: &str) -> Result<SymbolicSize, String> {
        let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let (optional, rest) = (inside.is_some(), inside.unwrap_or(text));
        let several = rest.strip_suffix("[]");
        let name = several.unwrap_or(rest);
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(format!("`{text}` is not a size as the documentation writes it"));
        }
        let extent = match (several, name.parse()) {
            (Some(name), _) => Extent::Several(name.to_owned()),
            (None, Ok(extent)) => Extent::Fixed(extent),
            (None, Err(_)) => Extent::Named(name.to_owned()),
        };
        Ok(SymbolicSize { extent, optional })
    }
}

impl TryFrom<String> for SymbolicSize {
    type Error = String;

    fn try_from(text: String) -> Result<SymbolicSize, String> {
        text.parse()
    }
}

impl From<SymbolicSize> for String {
    fn from(size: SymbolicSize) -> String {
        size.to_string()
    }
}

impl SupportRow {
    /// Returns whether the tensor may have this element type, or `None` if the documentation does not say.
    pub fn allows(&self, data_type: TensorDataType) -> Option<bool> {
        self.data_types.as_ref().map(|types| types.contains(&data_type))
    }

    /// Returns the sizes of a tensor with this many dimensions as the documentation writes them, one for each dimension.
    /// `None` if they cannot be matched with the dimensions.
    pub fn sizes_of(&self, count: usize) -> Option<Vec<&SymbolicSize>> {
        if self.symbolic_sizes.iter().any(|size| matches!(size.extent, Extent::Several(_))) {
            return None;
        }
        let mut left_out = self.symbolic_sizes.len().checked_sub(count)?;
        let mut named = Vec::with_capacity(count);
        for size in &self.symbolic_sizes {
            if size.optional && left_out > 0 {
                left_out -= 1;
            } else {
                named.push(size);
            }
        }
        (left_out == 0).then_some(named)
    }
}

impl SupportBlock {
    /// Returns the row of a tensor.
    pub fn row(&self, tensor: &str) -> Option<&SupportRow> {
        self.tensors.iter().find(|row| row.name == tensor)
    }
}

impl SupportTable {
    /// Returns the block that holds at a level: the newest block that starts at this level or below it. Returns `None`
    /// below the first block and at levels that do not have the operator.
    pub fn at(&self, level: FeatureLevel) -> Option<&SupportBlock> {
        self.blocks.iter().find(|block| level >= self.introduced && block.min_feature_level <= level)
    }

    /// Returns the row of a tensor at a level.
    pub fn row(&self, level: FeatureLevel, tensor: &str) -> Option<&SupportRow> {
        self.at(level)?.row(tensor)
    }

    /// Returns the levels at which something changes, ascending, each with the block that holds from there on.
    pub fn steps(&self) -> impl Iterator<Item = (FeatureLevel, &SupportBlock)> {
        let blocks = self.blocks.iter().rev().map(|block| (block.min_feature_level.max(self.introduced), block));
        let mut steps: Vec<(FeatureLevel, &SupportBlock)> = Vec::new();
        for (level, block) in blocks {
            steps.retain(|(other, _)| *other != level);
            steps.push((level, block));
        }
        steps.into_iter()
    }

    /// Returns the first level at which the row of a tensor satisfies `asked`.
    pub fn first_level_where(&self, tensor: &str, asked: impl Fn(&SupportRow) -> bool) -> Option<FeatureLevel> {
        self.steps().find(|(_, block)| block.row(tensor).is_some_and(&asked)).map(|(level, _)| level)
    }

    /// Returns the first level at which a tensor may have this element type.
    pub fn first_level_with(&self, tensor: &str, data_type: TensorDataType) -> Option<FeatureLevel> {
        self.first_level_where(tensor, |row| row.allows(data_type) == Some(true))
    }

    /// Returns the first level at which a tensor may have this many dimensions.
    pub fn first_level_with_dimension_count(&self, tensor: &str, count: u32) -> Option<FeatureLevel> {
        self.first_level_where(tensor, |row| row.dimension_counts.contains(count))
    }
}
