//! Validates a description at a feature level, by the tables of `specs/directml` and the rules that hold for every
//! tensor. All violations are returned at once. Each names the operator or field and says what is wrong with it. It
//! also gives the allowed values and the first level that allows the value, if these are known.
//!
//! ```
//! use plumbline_directml::{OperatorDescription, TensorDescription, violations};
//! use plumbline_spec::directml::{FeatureLevel, TensorDataType::Int64};
//! let tensor = || TensorDescription::packed(Int64, [1, 2, 3, 4]);
//! let min = OperatorDescription::new("ELEMENT_WISE_MIN").tensor("ATensor", tensor()).tensor("BTensor", tensor());
//! let min = min.tensor("OutputTensor", tensor()).build()?;
//! assert!(violations(&min, FeatureLevel::V5_0).is_empty());
//! let said = violations(&min, FeatureLevel::V3_0)[0].to_string();
//! assert!(said.starts_with("ELEMENT_WISE_MIN.ATensor: DataType is INT64; at 3_0 it may be FLOAT32, FLOAT16"), "{said}");
//! assert!(said.ends_with("; available from feature level 5_0"), "{said}");
//! # Ok::<(), plumbline_directml::DescriptionError>(())
//! ```

mod attributes;
mod binding;
mod constraints;
mod graph;
mod tensor;

use super::description::Attribute;
use super::description::{FieldValue, OperatorDescription};
use super::tensor::TensorDescription;
use plumbline_spec::directml::{DirectMl, FeatureLevel, Field, Operator, SupportBlock};
use std::fmt;

pub use binding::{Binding, binding_violations};
pub use graph::graph_violations;

/// The rule that a description breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The operator exists at the level, and the documentation has a table for it.
    Operator,
    /// Required fields are set, and values are of the kind that their field holds. A fused operator has no tensors.
    Field,
    /// The element type is one that the table allows.
    DataType,
    /// The number of dimensions is one that the table allows.
    DimensionCount,
    /// Properties of tensors match where the documentation requires it, and a scalar attribute has the type of the
    /// output.
    Same,
    /// The sizes match the table. The software device also uses this rule for other fields that do not fit together.
    Size,
    /// No size is 0.
    ZeroSize,
    /// There are as many strides as sizes.
    Strides,
    /// No two elements of an output share a place in memory.
    Overlap,
    /// The numbers of elements and bytes do not overflow.
    Overflow,
    /// The total size is large enough for every element.
    TotalSize,
    /// The guaranteed alignment is 0, or a power of two that is a multiple of the element's size.
    Alignment,
    /// The flags are known and allowed for this kind of tensor.
    Flags,
    /// The value of an enumeration exists at the level.
    Enumeration,
    /// An array has the length that its length field gives.
    ArrayLength,
    /// The activation can be fused into the operator.
    FusedActivation,
    /// Each tensor that is set, and no other, has a binding that is aligned, large enough and inside of its buffer.
    Binding,
    /// The nodes of a graph exist at the level, its edges connect them in a valid way, and its constants are complete.
    Graph,
}

impl Rule {
    /// Returns the name of the rule: `data-type`.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Operator => "operator",
            Rule::Field => "field",
            Rule::DataType => "data-type",
            Rule::DimensionCount => "dimension-count",
            Rule::Same => "same",
            Rule::Size => "size",
            Rule::ZeroSize => "zero-size",
            Rule::Strides => "strides",
            Rule::Overlap => "overlap",
            Rule::Overflow => "overflow",
            Rule::TotalSize => "total-size",
            Rule::Alignment => "alignment",
            Rule::Flags => "flags",
            Rule::Enumeration => "enumeration",
            Rule::ArrayLength => "array-length",
            Rule::FusedActivation => "fused-activation",
            Rule::Binding => "binding",
            Rule::Graph => "graph",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A property of a description that DirectML refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule that is broken.
    pub rule: Rule,
    /// The operator's name: `ELEMENT_WISE_MIN`. In a graph, the node's name, followed by the operator's name if the
    /// operator is at fault; empty if no node is at fault.
    pub operator: String,
    /// The field and the place in it: `ATensor`, `InputTensors[1]`, `FusedActivation.Alpha`. In a graph, it can also be
    /// the name of an input or output of the graph. Empty for the operator, node or graph as a whole.
    pub field: String,
    /// What breaks the rule: `DataType is INT64`, `is missing`.
    pub found: String,
    /// The values that are allowed: `FLOAT32, FLOAT16`; empty if the rule needs no list.
    pub allowed: String,
    /// The feature level that the description was validated at.
    pub level: FeatureLevel,
    /// The first level that allows the value; `None` if no later level does.
    pub available_from: Option<FeatureLevel>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = if self.field.is_empty() || self.operator.is_empty() { "" } else { "." };
        write!(f, "{}{dot}{}: {}", self.operator, self.field, self.found)?;
        if !self.allowed.is_empty() {
            write!(f, "; at {} it may be {}", self.level, self.allowed)?;
        }
        match self.available_from {
            Some(level) => write!(f, "; available from feature level {level}"),
            None => Ok(()),
        }
    }
}

/// Collects the violations of one description.
struct Findings<'a> {
    description: &'a OperatorDescription,
    level: FeatureLevel,
    prefix: String,
    found: Vec<Violation>,
}

impl Findings<'_> {
    /// Adds a violation in a field.
    fn add(&mut self, rule: Rule, field: &str, found: impl Into<String>, allowed: impl Into<String>) -> &mut Violation {
        self.found.push(Violation {
            rule,
            operator: self.description.name().to_owned(),
            field: format!("{}{field}", self.prefix),
            found: found.into(),
            allowed: allowed.into(),
            level: self.level,
            available_from: None,
        });
        self.found.last_mut().expect("a violation was added by the line before")
    }
}

/// A tensor with its label: `ATensor`, `InputTensors[1]`.
struct Place<'a> {
    field: &'static Field,
    label: String,
    tensor: &'a TensorDescription,
}

/// Returns all tensors of a description.
fn places(description: &OperatorDescription) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    for (field, value) in description.fields() {
        match value {
            FieldValue::Tensor(tensor) => places.push(Place { field, label: field.name.clone(), tensor }),
            FieldValue::Tensors(tensors) => places.extend(tensors.iter().enumerate().map(|(at, tensor)| Place {
                field,
                label: format!("{}[{at}]", field.name),
                tensor,
            })),
            FieldValue::Absent | FieldValue::Attribute(_) => {}
        }
    }
    places
}

/// Returns the violations of a description at a feature level. Does not check whether attributes fit the sizes of
/// tensors, for example whether an axis is in range.
pub fn violations(description: &OperatorDescription, level: FeatureLevel) -> Vec<Violation> {
    let mut findings = Findings { description, level, prefix: String::new(), found: Vec::new() };
    operator(&mut findings, false);
    findings.found
}

/// Checks an operator. If it is `fused`, another operator calls it, and it must not have tensors.
fn operator(findings: &mut Findings, fused: bool) {
    let (description, level) = (findings.description, findings.level);
    let operator = description.operator();
    if level < operator.introduced {
        let violation = findings.add(Rule::Operator, "", format!("the operator does not exist at {level}"), "");
        violation.available_from = Some(operator.introduced);
    }
    attributes::check(findings);
    if fused {
        for place in places(description) {
            findings.add(Rule::Field, &place.label, "is given, but a fused operator has no tensors", "");
        }
        return;
    }
    let places = places(description);
    for place in &places {
        tensor::check(findings, place);
    }
    let at = level.max(operator.introduced);
    let Some(block) = block_of(description, at) else {
        // There is no table for an unknown function, but the check of enumerations already reports such a function.
        if operator.function_field().is_none() {
            let violation = findings.add(Rule::Operator, "", format!("the documentation has no table for {level}"), "");
            violation.available_from = operator.support.iter().flat_map(|table| table.steps()).map(|step| step.0).min();
        }
        missing_tensors(findings, |field| field.optional);
        return;
    };
    missing_tensors(findings, |field| block.row(&field.name).is_none_or(|row| row.optional));
    for place in &places {
        row(findings, place, block, at);
    }
    constraints::check(findings, &places, block);
}

/// Returns the name of the operator's function, if the choice of the table depends on it.
fn function_of(description: &OperatorDescription) -> Option<&'static str> {
    let field = description.operator().function_field()?;
    let known = DirectMl::embedded().enumeration(field.enumeration()?)?;
    known.value(description.uint(&field.name)?).map(|value| value.name.as_str())
}

/// Returns the part of the table that holds for this description at a level.
fn block_of(description: &OperatorDescription, level: FeatureLevel) -> Option<&'static SupportBlock> {
    let operator: &'static Operator = description.operator();
    operator.table(function_of(description))?.at(level)
}

/// Reports required tensors that are missing, and attributes in fields for tensors.
fn missing_tensors(findings: &mut Findings, optional: impl Fn(&Field) -> bool) {
    let description = findings.description;
    for (field, value) in description.fields().filter(|(field, _)| field.is_tensor()) {
        match value {
            FieldValue::Absent if !optional(field) => {
                let table = description.operator().table(function_of(description));
                let from = table.and_then(|table| table.first_level_where(&field.name, |row| row.optional));
                let from = from.filter(|from| *from > findings.level);
                findings.add(Rule::Field, &field.name, "is missing", "").available_from = from;
            }
            FieldValue::Attribute(_) => {
                findings.add(Rule::Field, &field.name, "is an attribute, expected a tensor", "");
            }
            _ => {}
        }
    }
}

/// Checks a tensor against its row of the table.
fn row(findings: &mut Findings, place: &Place, block: &SupportBlock, at: FeatureLevel) {
    let Some(row) = block.row(&place.field.name) else { return };
    let operator = findings.description.operator();
    let table = operator.table(function_of(findings.description));
    let (name, found, count) = (&place.field.name, place.tensor.data_type, place.tensor.dimension_count());
    if !row.dimension_counts.contains(count) {
        let from = table.and_then(|table| table.first_level_with_dimension_count(name, count));
        let allowed = row.dimension_counts.to_string();
        let violation = findings.add(Rule::DimensionCount, &place.label, format!("DimensionCount is {count}"), allowed);
        violation.available_from = from.filter(|from| *from > at);
    }
    if row.allows(found) == Some(false) {
        let from = table.and_then(|table| table.first_level_with(name, found));
        let allowed = row.data_types.iter().flatten().map(|known| known.name()).collect::<Vec<_>>().join(", ");
        let violation = findings.add(Rule::DataType, &place.label, format!("DataType is {found}"), allowed);
        violation.available_from = from.filter(|from| *from > at);
    }
}

/// Returns the operators that a description calls, with the fields that hold them.
fn called(description: &OperatorDescription) -> Vec<(&'static Field, String, &OperatorDescription)> {
    let mut called = Vec::new();
    for (field, value) in description.fields() {
        match value {
            FieldValue::Attribute(Attribute::Operator(inner)) => called.push((field, field.name.clone(), &**inner)),
            FieldValue::Attribute(Attribute::Operators(inner)) => {
                let labelled = |(at, inner)| (field, format!("{}[{at}]", field.name), inner);
                called.extend(inner.iter().enumerate().map(labelled));
            }
            _ => {}
        }
    }
    called
}
