//! [`DirectMlCell`]: an operator of DirectML at a feature level, with an element type.

use std::collections::BTreeSet;

use plumbline_spec::OperatorId;
use plumbline_spec::directml::{DirectMl, FeatureLevel, Operator, SupportBlock, TensorDataType};

use super::SUITE;
use super::drawing::Drawing;
use super::violate::{Violated, violate};
use crate::case::{Case, Origin};
use crate::cell::hash;
use crate::choices::{Choices, Sequence};
use crate::plan::PlanError;

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

/// The place of a case of the suite.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectMlPlace {
    /// The cell.
    pub cell: DirectMlCell,
    /// The number of the case in its cell.
    pub index: u64,
    /// The seed.
    pub seed: u64,
    /// The rule that the case breaks, and the valid case that it was made from.
    pub broken: Option<(Violated, Box<Case>)>,
}

impl DirectMlCell {
    /// Returns the cells of every operator with a meaning, in the order of the operators.
    pub fn all() -> Vec<DirectMlCell> {
        let spec = DirectMl::embedded();
        let drawn = spec.operators().iter().filter(|operator| spec.meanings(operator).next().is_some());
        drawn.flat_map(DirectMlCell::of_operator).collect()
    }

    /// Returns the cells of an operator: for each level at which a table changes, or a value of an enumeration or a fused
    /// activation is added, the element types of that level.
    pub fn of_operator(operator: &'static Operator) -> Vec<DirectMlCell> {
        let mut cells = Vec::new();
        for level in levels(operator) {
            let mut types = Vec::new();
            for block in operator.support.iter().filter_map(|table| table.at(level)) {
                types.extend(first_row(operator, block).and_then(|row| row.data_types.clone()).unwrap_or_default());
            }
            let mut seen = BTreeSet::new();
            let types = types.into_iter().filter(|data_type| seen.insert(*data_type));
            cells.extend(types.map(|data_type| DirectMlCell { operator, data_type, level }));
        }
        cells
    }

    /// Returns the name of the operator as that of an operator version.
    pub fn id(&self) -> OperatorId {
        super::id_of(self.operator)
    }

    /// Returns the rules that a case of the cell may break.
    pub fn violations(&self) -> Vec<Violated> {
        Violated::ALL.to_vec()
    }

    /// Returns the id of case `index`.
    pub fn case_id(&self, violates: Option<Violated>, index: u64, seed: u64) -> String {
        match violates {
            Some(rule) => format!("{SUITE}/{self}/{rule}/{index}@{seed}"),
            None => format!("{SUITE}/{self}/{index}@{seed}"),
        }
    }

    /// Draws case `index`. Returns `None` if there is no such case, for example because the rule cannot be broken by this
    /// operator.
    pub fn case(&self, violates: Option<Violated>, index: u64, seed: u64) -> Option<Case> {
        let choices = Choices::random(hash(&self.case_id(violates, index, seed)));
        self.draw(violates, index, seed, choices)
    }

    fn draw(&self, violates: Option<Violated>, index: u64, seed: u64, choices: Choices) -> Option<Case> {
        let mut drawing = Drawing::new(*self, index, choices)?;
        drawing.draw()?;
        let place = |broken| Origin::DirectMl(DirectMlPlace { cell: *self, index, seed, broken });
        let id = self.case_id(violates, index, seed);
        let Some(rule) = violates else { return drawing.into_case(id, place(None)) };
        let mut broken = drawing.clone();
        let base = drawing.into_case(self.case_id(None, index, seed), place(None))?;
        violate(&mut broken, rule)?;
        broken.into_broken_case(id, place(Some((rule, Box::new(base)))))
    }
}

impl std::fmt::Display for DirectMlCell {
    /// Writes the cell as in the id of a case: `DML_OPERATOR_ELEMENT_WISE_MIN/FLOAT16@2_1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}@{}", self.operator.name, self.data_type, self.level)
    }
}

impl DirectMlPlace {
    /// Draws the case in this place that these choices stand for.
    pub(crate) fn replay(&self, choices: Sequence) -> Option<Case> {
        let violates = self.broken.as_ref().map(|(rule, _)| *rule);
        self.cell.draw(violates, self.index, self.seed, Choices::replay(choices))
    }

    /// Draws the case with this id.
    ///
    /// # Errors
    /// [`PlanError`] if the id cannot be parsed, or if it names something that does not exist.
    pub fn case_of(id: &str) -> Result<Case, PlanError> {
        let bad = || PlanError::Id(id.to_owned());
        let parts: Vec<&str> = id.split('/').collect();
        let (operator, cell, violates, place) = match parts.as_slice() {
            [SUITE, operator, cell, place] => (operator, cell, None, place),
            [SUITE, operator, cell, rule, place] => (operator, cell, Some(rule.parse().map_err(|()| bad())?), place),
            _ => return Err(bad()),
        };
        let (data_type, level) = cell.split_once('@').ok_or_else(bad)?;
        let (index, seed) = place.split_once('@').ok_or_else(bad)?;
        let number = |text: &str| text.parse().map_err(|_| bad());
        let unknown = |message: String| PlanError::Unknown(message);
        let operator = DirectMl::embedded().find(operator).map_err(|error| unknown(error.to_string()))?;
        let cell = DirectMlCell {
            operator,
            data_type: data_type.parse().map_err(|_| bad())?,
            level: level.parse().map_err(|_| bad())?,
        };
        if !DirectMlCell::of_operator(operator).contains(&cell) {
            return Err(unknown(format!("there is no cell {cell}")));
        }
        let case = cell.case(violates, number(index)?, number(seed)?);
        case.ok_or_else(|| unknown(format!("{id}: no case is drawn for it")))
    }
}

/// Returns the row of the tensor whose type the cell gives.
pub(super) fn first_row<'a>(
    operator: &Operator,
    block: &'a SupportBlock,
) -> Option<&'a plumbline_spec::directml::SupportRow> {
    let name = operator.inputs().chain(operator.outputs()).next().map(|field| field.name.as_str())?;
    block.row(name)
}

/// Returns the levels at which something of the operator changes, ascending.
fn levels(operator: &'static Operator) -> Vec<FeatureLevel> {
    let spec = DirectMl::embedded();
    let mut levels: BTreeSet<FeatureLevel> =
        operator.support.iter().flat_map(|table| table.steps()).map(|(level, _)| level).collect();
    let enumerations = operator.fields.iter().filter_map(|field| spec.enumeration(field.enumeration()?));
    let is_type = |name: &str| name == "DML_TENSOR_DATA_TYPE";
    levels.extend(
        enumerations.filter(|known| !is_type(&known.name)).flat_map(|known| known.values.iter().map(|v| v.introduced)),
    );
    levels.extend(spec.operators().iter().filter_map(|activation| spec.fusable_from(activation, operator)));
    levels.into_iter().filter(|level| *level >= operator.introduced).collect()
}
