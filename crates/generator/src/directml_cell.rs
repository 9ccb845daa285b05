//! [`DirectMlCell`]: an operator of DirectML at a feature level, with an element type; and the rules that its cases break.

use std::collections::BTreeSet;
use std::str::FromStr;

use plumbline_spec::directml::{Condition, DirectMl, FeatureLevel, Operator, SupportBlock, SupportRow, TensorDataType};

/// An operator of DirectML at a feature level at which something of it changes, with the element type of its first tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectMlCell {
    /// The operator.
    pub operator: &'static Operator,
    /// The element type of the first input, or of the first output if the operator has no input.
    pub data_type: TensorDataType,
    /// The feature level.
    pub level: FeatureLevel,
}

/// A rule of DirectML that a case breaks. The names are those of the rules by which `plumbline_directml` validates. Its rule
/// `Graph` is about nodes and edges: a case of one operator, which has neither, cannot break it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Violated {
    /// The operator does not exist at the level.
    Operator,
    /// A required tensor is missing.
    Field,
    /// The element type is one that the level does not allow.
    DataType,
    /// The number of dimensions is one that the level does not allow.
    DimensionCount,
    /// Sizes or types differ that have to be equal.
    Same,
    /// A size is not the one that the support table fixes, or differs from another of the same name.
    Size,
    /// A size is 0.
    ZeroSize,
    /// There are more strides than sizes.
    Strides,
    /// Two elements of an output have the same place.
    Overlap,
    /// There are more elements, or more bytes, than can be counted.
    Overflow,
    /// The total size is too small for the last element.
    TotalSize,
    /// The guaranteed alignment is no power of two.
    Alignment,
    /// The flags are unknown for this kind of tensor.
    Flags,
    /// A value of an enumeration does not exist at the level.
    Enumeration,
    /// An array is shorter than its length field says.
    ArrayLength,
    /// The activation cannot be fused into the operator at the level.
    FusedActivation,
    /// The buffer of an input is shorter than the total size of its tensor.
    Binding,
}

impl Violated {
    /// All rules that cases break.
    pub const ALL: [Violated; 17] = [
        Violated::Operator,
        Violated::Field,
        Violated::DataType,
        Violated::DimensionCount,
        Violated::Same,
        Violated::Size,
        Violated::ZeroSize,
        Violated::Strides,
        Violated::Overlap,
        Violated::Overflow,
        Violated::TotalSize,
        Violated::Alignment,
        Violated::Flags,
        Violated::Enumeration,
        Violated::ArrayLength,
        Violated::FusedActivation,
        Violated::Binding,
    ];

    /// Returns the feature of cases that break the rule: `violates Overlap`.
    pub fn feature(self) -> String {
        format!("violates {self}")
    }
}

impl std::fmt::Display for Violated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl FromStr for Violated {
    type Err = ();

    fn from_str(text: &str) -> Result<Violated, ()> {
        Violated::ALL.into_iter().find(|rule| rule.to_string() == text).ok_or(())
    }
}

impl DirectMlCell {
    /// Returns the cells of an operator: for each level at which a table changes, or a value of an enumeration or a fused
    /// activation is added, the element types of that level.
    pub fn of_operator(operator: &'static Operator) -> Vec<DirectMlCell> {
        let mut cells = Vec::new();
        for level in levels(operator) {
            let mut types = Vec::new();
            for block in operator.support.iter().filter_map(|table| table.at(level)) {
                types.extend(first_row(operator, block).map(drawn_types).unwrap_or_default());
            }
            let mut seen = BTreeSet::new();
            let meant = |data_type: &TensorDataType| is_meant(operator, *data_type);
            let types = types.into_iter().filter(|data_type| seen.insert(*data_type) && meant(data_type));
            cells.extend(types.map(|data_type| DirectMlCell { operator, data_type, level }));
        }
        cells
    }
}

impl std::fmt::Display for DirectMlCell {
    /// Writes the cell as in the id of a case: `DML_OPERATOR_ELEMENT_WISE_MIN/FLOAT16@2_1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}@{}", self.operator.name, self.data_type, self.level)
    }
}

/// Returns the row of the tensor whose type the cell gives.
pub(crate) fn first_row<'a>(operator: &Operator, block: &'a SupportBlock) -> Option<&'a SupportRow> {
    let name = operator.inputs().chain(operator.outputs()).next().map(|field| field.name.as_str())?;
    block.row(name)
}

/// Returns the element types that a tensor is drawn with: those of the table, or that of the examples of FOLD and UNFOLD,
/// whose tables leave the column empty.
pub(crate) fn drawn_types(row: &SupportRow) -> &[TensorDataType] {
    row.data_types.as_deref().unwrap_or(&[TensorDataType::Float32])
}

/// Returns whether the operator has a meaning for this element type of its first tensor. Conditions on element types are
/// about tensors that have the same type.
pub(crate) fn is_meant(operator: &Operator, data_type: TensorDataType) -> bool {
    let fits = |when: &Condition| !matches!(when, Condition::Float(_, float) if *float != data_type.is_float());
    DirectMl::embedded().meanings(operator).any(|meaning| meaning.when.iter().all(fits))
}

/// Returns the levels at which something of the operator changes, ascending: its tables, its enumerations, what can be
/// fused with it, and its meanings.
fn levels(operator: &'static Operator) -> Vec<FeatureLevel> {
    let spec = DirectMl::embedded();
    let mut levels: BTreeSet<FeatureLevel> =
        operator.support.iter().flat_map(|table| table.steps()).map(|(level, _)| level).collect();
    let enumerations = operator.fields.iter().filter_map(|field| spec.enumeration(field.enumeration()?));
    let is_type = |name: &str| name == "DML_TENSOR_DATA_TYPE";
    levels.extend(
        enumerations.filter(|known| !is_type(&known.name)).flat_map(|known| known.values.iter().map(|v| v.introduced)),
    );
    let conditions = spec.meanings(operator).flat_map(|meaning| &meaning.when);
    levels.extend(conditions.filter_map(|when| match when {
        Condition::Level(level) => Some(*level),
        _ => None,
    }));
    levels.extend(spec.operators().iter().filter_map(|activation| spec.fusable_from(activation, operator)));
    levels.into_iter().filter(|level| *level >= operator.introduced).collect()
}
