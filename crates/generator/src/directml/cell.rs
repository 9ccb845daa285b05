//! The cases of a cell.

use plumbline_spec::OperatorId;
use plumbline_spec::directml::DirectMl;

use super::SUITE;
use super::drawing::Drawing;
use super::families;
use super::violate::violate;
use crate::case::{Case, DirectMlPlace, Origin};
use crate::cell::hash;
use crate::choices::{Choices, Sequence};
use crate::directml_cell::{DirectMlCell, Violated};
use crate::plan::PlanError;

impl DirectMlCell {
    /// Returns the cells of every operator with a meaning, in the order of the operators.
    pub fn all() -> Vec<DirectMlCell> {
        let spec = DirectMl::embedded();
        let drawn = spec.operators().iter().filter(|operator| spec.meanings(operator).next().is_some());
        drawn.flat_map(DirectMlCell::of_operator).collect()
    }

    /// Returns the name of the operator as that of an operator version.
    pub fn id(&self) -> OperatorId {
        super::id_of(self.operator)
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
        families::find(self.operator.short_name())(&mut drawing)?;
        drawing.finish();
        let place = |broken| Origin::DirectMl(DirectMlPlace { cell: *self, index, seed, broken });
        let id = self.case_id(violates, index, seed);
        let Some(rule) = violates else { return drawing.into_case(id, place(None)) };
        let mut broken = drawing.clone();
        let base = drawing.into_case(self.case_id(None, index, seed), place(None))?;
        violate(&mut broken, rule)?;
        broken.into_broken_case(id, place(Some((rule, Box::new(base)))))
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
