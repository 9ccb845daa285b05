//! Which dimension counts and element types a tensor of an operator may have, by feature level.

use super::data_type::TensorDataType;
use super::level::FeatureLevel;
use super::operator::FieldKind;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The support table of an operator; `REDUCE` has one for each group of functions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportTable {
    /// The values of the operator's `Function` it is for: `DML_REDUCE_FUNCTION_SUM`, ...; empty for one that is for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// One a feature level that changed something, newest first.
    pub blocks: Vec<SupportBlock>,
    /// Below it there is no such operator, whatever the blocks say.
    #[serde(skip)]
    pub(super) introduced: FeatureLevel,
}

/// What holds from a feature level on, until a newer block replaces it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportBlock {
    /// The first level it holds for.
    pub min_feature_level: FeatureLevel,
    /// A row for each tensor, in the order of the fields.
    pub tensors: Vec<SupportRow>,
}

/// What a tensor may be.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SupportRow {
    /// The field: `InputTensor`.
    pub name: String,
    /// Input or output.
    pub kind: FieldKind,
    /// Whether it may be left out, at this level.
    pub optional: bool,
    /// Fewest and most dimensions.
    pub dimension_counts: DimensionCounts,
    /// Its element types, in the order of the documentation, which leaves them out (`None`) for FOLD and UNFOLD.
    #[serde(deserialize_with = "Option::deserialize")]
    pub data_types: Option<Vec<TensorDataType>>,
    /// Its sizes by name, outermost first, where the documentation gives them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbolic_sizes: Vec<SymbolicSize>,
}

/// Fewest and most dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DimensionCounts {
    /// Fewest.
    pub min: u32,
    /// Most.
    pub max: u32,
}

impl DimensionCounts {
    /// Whether a tensor may have this many.
    pub fn contains(self, count: u32) -> bool {
        (self.min..=self.max).contains(&count)
    }

    /// Whether a tensor may have all of these.
    pub fn includes(self, other: DimensionCounts) -> bool {
        self.min <= other.min && other.max <= self.max
    }
}

impl fmt::Display for DimensionCounts {
    /// As the documentation writes it: `4`, or `1 to 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if self.min == self.max { self.min.to_string() } else { format!("{} to {}", self.min, self.max) })
    }
}

/// A size that has a name, as the documentation writes it: `ChannelCount`, `1`, `[1]`, `AScaleDimensions[]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct SymbolicSize {
    /// What it is.
    pub extent: Extent,
    /// In brackets: not there where the tensor has fewer dimensions.
    pub optional: bool,
}

/// What a size is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// This number.
    Fixed(u32),
    /// Equal wherever it has this name.
    Named(String),
    /// Any number of sizes.
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
            return Err(format!("`{text}` is not a size as documentation writes it"));
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
    /// Whether the tensor may have this element type; `None` where the documentation does not say.
    pub fn allows(&self, data_type: TensorDataType) -> Option<bool> {
        self.data_types.as_ref().map(|types| types.contains(&data_type))
    }
}

impl SupportBlock {
    /// The row of a tensor.
    pub fn row(&self, tensor: &str) -> Option<&SupportRow> {
        self.tensors.iter().find(|row| row.name == tensor)
    }
}

impl SupportTable {
    /// What holds at a level: the newest block that is not newer. `None` below the first, and where there is no such
    /// operator yet.
    pub fn at(&self, level: FeatureLevel) -> Option<&SupportBlock> {
        self.blocks.iter().find(|block| level >= self.introduced && block.min_feature_level <= level)
    }

    /// The row of a tensor at a level.
    pub fn row(&self, level: FeatureLevel, tensor: &str) -> Option<&SupportRow> {
        self.at(level)?.row(tensor)
    }

    /// The levels at which something changes, ascending, each with what holds from there.
    pub fn steps(&self) -> impl Iterator<Item = (FeatureLevel, &SupportBlock)> {
        let blocks = self.blocks.iter().rev().map(|block| (block.min_feature_level.max(self.introduced), block));
        let mut steps: Vec<(FeatureLevel, &SupportBlock)> = Vec::new();
        for (level, block) in blocks {
            steps.retain(|(other, _)| *other != level);
            steps.push((level, block));
        }
        steps.into_iter()
    }

    /// The first level from which the row of a tensor is as asked for.
    pub fn first_level_where(&self, tensor: &str, asked: impl Fn(&SupportRow) -> bool) -> Option<FeatureLevel> {
        self.steps().find(|(_, block)| block.row(tensor).is_some_and(&asked)).map(|(level, _)| level)
    }

    /// The first level at which a tensor may have this element type.
    pub fn first_level_with(&self, tensor: &str, data_type: TensorDataType) -> Option<FeatureLevel> {
        self.first_level_where(tensor, |row| row.allows(data_type) == Some(true))
    }

    /// The first level at which a tensor may have this many dimensions.
    pub fn first_level_with_dimension_count(&self, tensor: &str, count: u32) -> Option<FeatureLevel> {
        self.first_level_where(tensor, |row| row.dimension_counts.contains(count))
    }
}
