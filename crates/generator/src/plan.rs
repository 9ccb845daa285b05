//! The cells, and the cases of a cell.

use std::collections::BTreeMap;

use plumbline_spec::Label;
use plumbline_spec::{FormalOption, Found, OperatorVersion, Spec};

use crate::case::{Case, Origin, Place};
use crate::cell::{Cell, hash};
use crate::choices::{Choices, Sequence};
use crate::draw::{Draw, Size, has_large, has_large_sample, has_one_special};
use crate::recipe::Recipe;
use crate::registry;

/// The name of the suite of large cases. The ids of its cases begin with it: `large/MatMul-13/T=float/3@0`.
pub const LARGE: &str = "large";

/// The reason why an id has no case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The id cannot be parsed.
    #[error(
        "`{0}` is not the id of a generated case; such ids look like Min-13/T=float16/17@0 or Min-13/T=float16/shapes-broadcast/3@0"
    )]
    Id(String),
    /// The id names an operator version or a cell that does not exist, or a case that no recipe draws. The text says
    /// which.
    #[error("{0}")]
    Unknown(String),
}

/// Returns every cell of the operator versions that a node may use and that have a recipe, in the order of the
/// specification.
pub fn cells() -> Vec<Cell> {
    let versions = Spec::embedded().operators().flat_map(|o| o.versions.iter());
    versions
        .filter(|v| v.is_callable() && registry::find(&v.id.domain, &v.id.name).is_some())
        .flat_map(cells_of)
        .collect()
}

/// Returns the features that an operator version has to reach: each attribute and optional input given, and also left
/// out where that is valid.
pub fn wanted_features(version: &OperatorVersion) -> Vec<String> {
    let mut wanted = Vec::new();
    let operator = Spec::embedded().operator(&version.id.domain, &version.id.name);
    let rules = operator.and_then(|operator| operator.rules.as_ref());
    for attribute in &version.attributes {
        wanted.push(format!("attribute {} given", attribute.name));
        let required = rules.is_some_and(|rules| rules.requires(&attribute.name, version.since()));
        if !attribute.required && !required {
            wanted.push(format!("attribute {} omitted", attribute.name));
        }
    }
    for input in version.inputs.iter().filter(|i| i.option == FormalOption::Optional) {
        wanted.extend(["given", "omitted"].map(|way| format!("input {} {way}", input.name)));
    }
    wanted
}

/// Returns the cells of one operator version.
pub fn cells_of(version: &'static OperatorVersion) -> Vec<Cell> {
    let bound = version.types.iter().flat_map(|(variable, types)| types.iter().map(|t| (variable.clone(), t.clone())));
    let cells: Vec<Cell> = bound.map(|bound| Cell { version, bound: Some(bound) }).collect();
    if cells.is_empty() { vec![Cell { version, bound: None }] } else { cells }
}

impl Cell {
    /// Returns the recipe of the cell's operator.
    pub fn recipe(&self) -> Option<&'static Recipe> {
        registry::find(&self.version.id.domain, &self.version.id.name)
    }

    /// Returns the id of case `index`.
    pub fn case_id(&self, violates: Option<Label>, index: u64, seed: u64) -> String {
        let cell = &self.name().text;
        match violates {
            Some(label) => format!("{cell}/{label}/{index}@{seed}"),
            None => format!("{cell}/{index}@{seed}"),
        }
    }

    /// Draws case `index` of this cell. Returns `None` if there is no recipe, no negative recipe for `violates`, or if
    /// the recipe declines this case.
    pub fn case(&self, violates: Option<Label>, index: u64, seed: u64) -> Option<Case> {
        match violates {
            None => self.steered(index, seed),
            Some(_) => self.first_draw(violates, index, seed),
        }
    }

    /// Draws what case `index` of this cell would be if no case were drawn again to meet a goal of the cell.
    pub fn first_draw(&self, violates: Option<Label>, index: u64, seed: u64) -> Option<Case> {
        let id = self.case_id(violates, index, seed);
        let choices = match violates {
            None => Choices::random(hash(&id)),
            Some(label) => Choices::random(hash(&self.seed_of(label, index, seed))),
        };
        self.draw(id, violates, self.place(index, seed), choices)
    }

    /// Returns whether the cell's operator has large cases.
    pub fn has_large(&self) -> bool {
        has_large(&self.version.id)
    }

    /// Draws large case `index` of this cell. Returns `None` if its operator has none, or if the recipe declines the case.
    pub fn large_case(&self, index: u64, seed: u64) -> Option<Case> {
        let place = Place { large: true, ..self.place(index, seed) };
        let id = place.id(None);
        let choices = Choices::random(hash(&id));
        if self.has_large() { self.draw(id, None, place, choices) } else { None }
    }

    /// Returns the place of a case of usual size.
    pub fn place(&self, index: u64, seed: u64) -> Place {
        Place { cell: self.clone(), index, seed, large: false }
    }

    /// Draws valid case `index` again, so that what is rare happens often. `draw` is the number of the draw, from 1 on.
    pub fn nth_draw(&self, index: u64, seed: u64, draw: u64) -> Option<Case> {
        let id = self.case_id(None, index, seed);
        let choices = Choices::eager(hash(&format!("{id}/{draw}")));
        self.draw(id, None, self.place(index, seed), choices)
    }

    /// Returns the text that seeds the choices of a negative case: its id, but with the position of the violated
    /// constraint in the recipe's list instead of its name, so that renaming a constraint does not change the cases.
    fn seed_of(&self, label: Label, index: u64, seed: u64) -> String {
        let of_recipe = self.recipe().map_or(&[][..], |recipe| recipe.negatives);
        let place = of_recipe.iter().position(|(other, _)| *other == label).map_or(0, |at| at + 1);
        format!("{}/C{place}/{index}@{seed}", self.name().text)
    }

    fn draw(&self, id: String, violates: Option<Label>, place: Place, choices: Choices) -> Option<Case> {
        let Place { index, large, .. } = place;
        let recipe = self.recipe()?;
        let function = match violates {
            None => recipe.positive,
            Some(label) => recipe.negatives.iter().find(|(l, _)| *l == label)?.1,
        };
        let of_cell = self.name().hash;
        let mut draw = Draw {
            choices: if large { choices.seeding_blocks() } else { choices },
            version: self.version,
            binding: self.bound.iter().cloned().collect::<BTreeMap<_, _>>(),
            index,
            inputs: vec![],
            attributes: vec![],
            features: vec![],
            outputs: None,
            output_kinds: None,
            outer: vec![],
            before: vec![],
            violates,
            declined: false,
            elements: 0,
            size: match (violates, large) {
                (Some(_), _) => Size::Small,
                (None, true) => Size::Large,
                (None, false) => Size::at(index, of_cell),
            },
            one_special: violates.is_none() && !large && has_one_special(index, of_cell),
            large_sample: violates.is_none() && !large && has_large_sample(index, of_cell),
            larger: 0,
            longest: usize::MAX,
            cost: 1,
            rotation: of_cell % 5040,
            combinations: 1,
        };
        function(&mut draw);
        if draw.declined {
            return None;
        }
        let mut case = draw.into_case(id, Origin::Drawn(place));
        self.note_goals(&mut case);
        case.form = case.form_at(index, of_cell);
        case.features.push(case.form.feature());
        Some(case)
    }

    /// Returns whether valid case `index` is one of those that may have a larger extent.
    pub fn is_larger(&self, index: u64) -> bool {
        Size::at(index, self.name().hash).is_larger()
    }

    /// Returns whether valid case `index` has the usual size: neither a larger extent nor many dimensions.
    pub fn is_small(&self, index: u64) -> bool {
        Size::at(index, self.name().hash) == Size::Small
    }

    /// Returns the constraints of this version that have a negative recipe and that the newest text has.
    pub fn negatives(&self) -> Vec<Label> {
        let Some(recipe) = self.recipe() else { return vec![] };
        let spec = Spec::embedded().operator(&self.version.id.domain, &self.version.id.name);
        let rules = spec.and_then(|o| o.rules.as_ref());
        let constraint = |label: &Label| rules.and_then(|r| r.constraint(label.name(), self.version.since()));
        let applies = |label: &Label| constraint(label).is_some_and(|constraint| constraint.releases.is_current());
        recipe.negatives.iter().map(|(label, _)| *label).filter(applies).collect()
    }
}

impl Case {
    /// Draws the case again with other choices. Returns `None` if it was not drawn from choices as it is, or if no case is
    /// drawn for these.
    pub fn with_choices(&self, choices: Sequence) -> Option<Case> {
        match &self.origin {
            Origin::Drawn(place) => place.replay(self.violates, choices),
            Origin::DirectMl(place) => place.replay(choices),
            Origin::Given | Origin::Mutated { .. } | Origin::Graph { .. } => None,
        }
    }
}

impl Place {
    /// Draws the case in this place that these choices stand for.
    pub fn replay(&self, violates: Option<Label>, choices: Sequence) -> Option<Case> {
        self.cell.draw(self.id(violates), violates, self.clone(), Choices::replay(choices))
    }

    /// Returns the id of the case in this place.
    fn id(&self, violates: Option<Label>) -> String {
        let id = self.cell.case_id(violates, self.index, self.seed);
        if self.large { format!("{LARGE}/{id}") } else { id }
    }
}

/// Draws the case with this id. The same id gives the same case on every machine.
///
/// # Errors
/// [`PlanError`] if the id cannot be parsed, if it names something that does not exist, or if the recipe declines the
/// case.
pub fn case_of(id: &str) -> Result<Case, PlanError> {
    let large = id.strip_prefix(LARGE).and_then(|rest| rest.strip_prefix('/'));
    let (cell, violates, index, seed) = parse_id(large.unwrap_or(id))?;
    let case = match (large, violates) {
        (None, _) => cell.case(violates, index, seed),
        (Some(_), None) => cell.large_case(index, seed),
        (Some(_), Some(_)) => None,
    };
    case.ok_or_else(|| PlanError::Unknown(format!("{id}: no recipe draws this case")))
}

/// Returns the text that seeds the choices of the case with this id. That is the id itself, except for a negative case.
pub(crate) fn seed_of(id: &str) -> String {
    // The ids of valid cases have one part less. They are not parsed, because there are many of them.
    if id.split('/').count() < 4 {
        return id.to_owned();
    }
    match parse_id(id) {
        Ok((cell, Some(label), index, seed)) => cell.seed_of(label, index, seed),
        _ => id.to_owned(),
    }
}

/// Splits an id into its parts: cell, violated constraint, index, seed.
///
/// # Errors
/// [`PlanError`] if the id cannot be parsed, or if there is no operator version or cell of that name.
pub fn parse_id(id: &str) -> Result<(Cell, Option<Label>, u64, u64), PlanError> {
    let bad = || PlanError::Id(id.to_owned());
    let mut parts = id.split('/');
    let (version, bound) = (parts.next().ok_or_else(bad)?, parts.next().ok_or_else(bad)?);
    let mut last = parts.next().ok_or_else(bad)?;
    let mut violates = None;
    if let Some(next) = parts.next() {
        violates = Some(last.parse::<Label>().map_err(|_| bad())?);
        last = next;
    }
    if parts.next().is_some() {
        return Err(bad());
    }
    let (index, seed) = last.split_once('@').ok_or_else(bad)?;
    let index = index.parse().map_err(|_| bad())?;
    let seed = seed.parse().map_err(|_| bad())?;
    let Found::Version(_, version) =
        Spec::embedded().find(version).map_err(|error| PlanError::Unknown(error.to_string()))?
    else {
        return Err(bad());
    };
    let cell = cells_of(version).into_iter().find(|c| c.to_string().rsplit_once('/').is_some_and(|(_, b)| b == bound));
    let cell = cell.ok_or_else(|| PlanError::Unknown(format!("{} has no cell {bound}", version.id)))?;
    Ok((cell, violates, index, seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_may_leave_the_domain_out() {
        let case = case_of("Scaler-1/T=float/0@0").unwrap();
        assert_eq!(case, case_of("ai.onnx.ml.Scaler-1/T=float/0@0").unwrap());
        assert!(case.id.starts_with("ai.onnx.ml."), "{}", case.id);
        for (id, expected) in [
            ("Scaler-7/T=float/0@0", "ai.onnx.ml.Scaler has no version 7 (only 1"),
            ("Sacler-1/T=float/0@0", "no operator is called `Sacler`; nearest: ai.onnx.ml.Scaler"),
            ("Scaler/T=float/0@0", "is not the id of a generated case"),
        ] {
            let error = case_of(id).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
