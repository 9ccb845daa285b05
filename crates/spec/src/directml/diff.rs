//! The changes between two feature levels of an operator, as data.

use super::level::FeatureLevel;
use super::load::DirectMl;
use super::names::listed;
use super::operator::Operator;
use super::support::{SupportRow, SupportTable};
use crate::diff::What;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// All changes from one feature level to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelDiff {
    /// The name of the operator.
    pub operator: String,
    /// The level before the changes.
    pub from: FeatureLevel,
    /// The level after the changes.
    pub to: FeatureLevel,
    /// The changes of each support table, and after them the changes of the values that attributes may have.
    pub changes: Vec<LevelChange>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelChange {
    /// The functions that the change concerns, such as `DML_REDUCE_FUNCTION_SUM`, or empty if it concerns all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<String>,
    /// The fields that changed, or empty if the change concerns the whole operator.
    pub fields: Vec<String>,
    /// The part that changed.
    pub part: LevelPart,
    /// The kind of change, with the old and new value.
    #[serde(flatten)]
    pub what: What,
}

/// The parts of an operator that can change with the feature level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelPart {
    /// Whether the operator exists and has a support table for the level.
    Support,
    /// The element types of a tensor.
    DataTypes,
    /// The dimension counts of a tensor.
    DimensionCounts,
    /// Whether a tensor may be left out.
    Optional,
    /// The sizes of a tensor, as the documentation writes them.
    SymbolicSizes,
    /// The values that an attribute may have.
    Values,
}

impl LevelPart {
    /// Returns the name of the part: `data types`, ...
    pub fn name(self) -> &'static str {
        match self {
            LevelPart::Support => "support",
            LevelPart::DataTypes => "data types",
            LevelPart::DimensionCounts => "dimension counts",
            LevelPart::Optional => "optional",
            LevelPart::SymbolicSizes => "sizes",
            LevelPart::Values => "values",
        }
    }
}

impl DirectMl {
    /// Returns the changes from level `from` to level `to` of an operator.
    pub fn diff(&self, operator: &Operator, from: FeatureLevel, to: FeatureLevel) -> LevelDiff {
        let mut changes = Vec::new();
        for table in &operator.support {
            compare_tables(table, from, to, &mut changes);
        }
        for field in operator.attributes() {
            let Some(known) = field.enumeration().and_then(|name| self.enumeration(name)) else { continue };
            let at = |level| -> Vec<&str> {
                let there = known.values.iter().filter(|value| value.introduced <= level);
                there.map(|value| value.name.as_str()).collect()
            };
            push_lists(&mut changes, &[], &field.name, LevelPart::Values, &at(from), &at(to));
        }
        LevelDiff { operator: operator.name.clone(), from, to, changes }
    }
}

impl LevelDiff {
    /// Returns whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

fn compare_tables(table: &SupportTable, from: FeatureLevel, to: FeatureLevel, changes: &mut Vec<LevelChange>) {
    let functions = &table.functions;
    let (old, new) = match (table.at(from), table.at(to)) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return,
        (old, _) => {
            let support = json!(if old.is_some() { from } else { to });
            let what = if old.is_some() { What::Removed { from: support } } else { What::Added { to: support } };
            return push(changes, functions, None, LevelPart::Support, what);
        }
    };
    for (old, new) in old.tensors.iter().zip(&new.tensors) {
        let name = &new.name;
        let types = |row: &SupportRow| -> Vec<_> { row.data_types.iter().flatten().copied().collect() };
        push_lists(changes, functions, name, LevelPart::DataTypes, &types(old), &types(new));
        let mut field = |part, from: Value, to: Value| {
            if from != to {
                push(changes, functions, Some(name), part, What::Changed { from, to });
            }
        };
        field(LevelPart::DimensionCounts, json!(old.dimension_counts), json!(new.dimension_counts));
        field(LevelPart::Optional, json!(old.optional), json!(new.optional));
        field(LevelPart::SymbolicSizes, json!(old.symbolic_sizes), json!(new.symbolic_sizes));
    }
}

/// Adds a change for the items that were removed, and one for those that were added.
fn push_lists<T: PartialEq + Serialize>(
    changes: &mut Vec<LevelChange>,
    functions: &[String],
    field: &str,
    part: LevelPart,
    from: &[T],
    to: &[T],
) {
    let without = |these: &[T], those: &[T]| -> Option<Value> {
        let rest: Vec<&T> = these.iter().filter(|item| !those.contains(item)).collect();
        (!rest.is_empty()).then(|| json!(rest))
    };
    if let Some(from) = without(from, to) {
        push(changes, functions, Some(field), part, What::Removed { from });
    }
    if let Some(to) = without(to, from) {
        push(changes, functions, Some(field), part, What::Added { to });
    }
}

/// Adds a change. If `changes` has the same change for another field, adds `field` to that change instead.
fn push(changes: &mut Vec<LevelChange>, functions: &[String], field: Option<&str>, part: LevelPart, what: What) {
    let same = |change: &&mut LevelChange| {
        change.functions == functions && change.part == part && change.what == what && !change.fields.is_empty()
    };
    if let (Some(field), Some(change)) = (field, changes.iter_mut().find(same)) {
        return change.fields.push(field.to_owned());
    }
    let fields = field.map(str::to_owned).into_iter().collect();
    changes.push(LevelChange { functions: functions.to_vec(), fields, part, what });
}

impl fmt::Display for LevelDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {} to {}", self.operator, self.from, self.to)?;
        if self.changes.is_empty() {
            return writeln!(f, "  nothing changed");
        }
        self.changes.iter().try_for_each(|change| writeln!(f, "  {change}"))
    }
}

impl fmt::Display for LevelChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.what {
            What::Added { to } => ('+', show(to)),
            What::Removed { from } => ('-', show(from)),
            What::Changed { from, to } => ('~', format!("{} -> {}", show(from), show(to))),
        };
        write!(f, "{sign} ")?;
        if !self.functions.is_empty() {
            write!(
                f,
                "{}: ",
                listed(self.functions.iter().map(|name| name.trim_start_matches("DML_REDUCE_FUNCTION_")))
            )?;
        }
        if !self.fields.is_empty() {
            write!(f, "{} ", listed(&self.fields))?;
        }
        write!(f, "{}: {text}", self.part.name())
    }
}

/// Formats a value as the documentation writes it.
fn show(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => listed(items.iter().map(show)),
        Value::Object(counts) => match (counts.get("min"), counts.get("max")) {
            (Some(min), Some(max)) if min == max => min.to_string(),
            (Some(min), Some(max)) => format!("{min} to {max}"),
            _ => value.to_string(),
        },
        other => other.to_string(),
    }
}
