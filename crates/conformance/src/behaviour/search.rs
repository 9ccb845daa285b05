//! Searches for cases that two versions of an operator answer differently, and minimizes some cases of each kind of
//! difference.

use std::collections::BTreeMap;
use std::time::Duration;

use plumbline_generator::{Case, Cell, Sequence, cells_of};
use plumbline_oracle::{Answer, Oracle};
use plumbline_spec::Label;
use plumbline_spec::{Operator, OperatorVersion};
use plumbline_tensor::{Tensor, Value};
use rayon::prelude::*;

use super::difference::{Compared, compare};
use super::example::{Example, Found, Key, strangeness};
use super::shrink::{shrink, squared};
use super::translate::Setting;
use crate::examining::{Budget, minimize};

/// The number of valid cases drawn for each of the two versions, over all cells of the version.
const DRAWN: u64 = 300;

/// The smallest number of valid cases for each cell, even if all cells together then have more than [`DRAWN`].
const FEWEST: u64 = 16;

/// The number of cases for each cell and each constraint that differs between the versions.
const VIOLATING: u64 = 4;

/// The largest number of elements that an input of a compared case may have.
const MOST_ELEMENTS: usize = 10_000;

/// The number of cases of each kind of difference that are minimized. The most readable result becomes the example.
const CANDIDATES: usize = 3;

/// The limit of a minimization is a number of cases and not a time, so that examples do not depend on the speed of the
/// machine.
const BUDGET: Budget = Budget { runs: 300, time: Duration::MAX };

/// The origin of a case.
#[derive(Clone, Debug)]
struct Source {
    cell: Cell,
    /// The version of the cell: 0 for the earlier one, 1 for the later one.
    side: usize,
    violates: Option<Label>,
    index: u64,
    /// Whether extents are cut to 2, so that shapes fit each other where the recipe makes them different.
    squared: bool,
}

/// The result of comparing both versions on a case.
enum Outcome {
    NotComparable,
    Same,
    Differs(Key, Box<Example>),
}

impl Source {
    /// Draws the case. Returns `None` for a case that may have larger extents than usual and for a large sample of a
    /// random operator, because large tensors are unreadable in an example.
    fn case(&self) -> Option<Case> {
        let larger = self.violates.is_none() && self.cell.is_larger(self.index);
        let case = (!larger).then(|| self.cell.first_draw(self.violates, self.index, 0)).flatten()?;
        let elements = |value: &Value| value.tensors().into_iter().map(Tensor::len).max().unwrap_or(0);
        case.inputs.iter().all(|input| elements(input) <= MOST_ELEMENTS).then_some(case)
    }
}

struct Search {
    versions: [&'static OperatorVersion; 2],
    reference: Oracle,
}

/// Compares two versions of an operator on cases drawn from the recipes of both.
pub(super) fn search(
    operator: &'static Operator,
    earlier: &'static OperatorVersion,
    later: &'static OperatorVersion,
) -> Found {
    let search = Search { versions: [earlier, later], reference: Oracle::default() };
    let sources = search.sources(operator);
    let outcomes: Vec<Outcome> = sources.par_iter().map(|source| search.outcome_of(source, source.case())).collect();
    let mut compared = 0;
    let mut candidates: BTreeMap<Key, Vec<(usize, &Source)>> = BTreeMap::new();
    for (source, outcome) in sources.iter().zip(outcomes) {
        compared += usize::from(!matches!(outcome, Outcome::NotComparable));
        if let Outcome::Differs(key, example) = outcome {
            candidates.entry(key).or_default().push((example.reading_effort(), source));
        }
    }
    let all: Vec<Key> = candidates.keys().cloned().collect();
    candidates.retain(|key, _| key.is_news(&all));
    let examples: Vec<(Key, Vec<(usize, &Source)>)> = candidates.into_iter().collect();
    let smallest = |(key, mut sources): (Key, Vec<(usize, &Source)>)| {
        sources.sort_by_key(|(effort, _)| *effort);
        // The last candidate is the most readable case of a type other than float, and the candidates before it have
        // float elements. If there are too few cases of one of these two sorts, more of the other sort are taken.
        let plain = |source: &Source| source.cell.bound.as_ref().is_none_or(|b| strangeness(b.1.leaf_dtype()) == 0);
        let (known, others): (Vec<_>, Vec<_>) = sources.iter().partition(|(_, source)| plain(source));
        let some = known.iter().take(CANDIDATES - 1).chain(&others).chain(known.iter().skip(CANDIDATES - 1));
        let minimized = some.take(CANDIDATES).filter_map(|(_, source)| search.minimized(source, &key));
        let example = minimized.min_by_key(|example| example.reading_effort())?;
        Some((key, example))
    };
    Found { compared, examples: examples.into_par_iter().filter_map(smallest).collect() }
}

impl Search {
    /// Lists the cases to compare: valid cases of each type that both versions accept, and cases that violate a
    /// constraint that differs between the versions.
    fn sources(&self, operator: &Operator) -> Vec<Source> {
        let mut sources = Vec::new();
        for side in 0..2 {
            let (own, other) = (self.versions[side], self.versions[1 - side]);
            let cells: Vec<Cell> = cells_of(own).into_iter().filter(|cell| both_take(cell, other)).collect();
            let each = (DRAWN / cells.len().max(1) as u64).max(FEWEST);
            let rule = |label: Label, since| operator.rules.as_ref()?.constraint(&label.to_string(), since);
            for cell in cells {
                let of = |violates, index| Source { cell: cell.clone(), side, violates, index, squared: false };
                sources.extend((0..each).map(|index| of(None, index)));
                sources.extend((0..each).step_by(2).map(|index| Source { squared: true, ..of(None, index) }));
                let differs = |label: &Label| rule(*label, own.since()) != rule(*label, other.since());
                for label in cell.negatives().into_iter().filter(differs) {
                    sources.extend((0..VIOLATING).map(|index| of(Some(label), index)));
                }
            }
        }
        sources
    }

    fn outcome_of(&self, source: &Source, case: Option<Case>) -> Outcome {
        let setting = |case: Case| {
            let setting = Setting::read(&case)?;
            if source.squared { squared(&setting, self.versions[source.side]) } else { Some(setting) }
        };
        match case.and_then(|case| self.compared(source.side, setting(case)?)) {
            // A forbidden value of an attribute has no meaning for a version that does not have the attribute.
            Some(Outcome::Differs(key, _)) if key.dropped && source.violates.is_some() => Outcome::NotComparable,
            outcome => outcome.unwrap_or(Outcome::NotComparable),
        }
    }

    fn answer(&self, side: usize, setting: &Setting) -> Answer {
        let (model, inputs) = setting.model(self.versions[side]);
        self.reference.answer(&model, &inputs)
    }

    /// Compares both versions on `setting`, which is in terms of the version with the index `side`.
    fn compared(&self, side: usize, mut setting: Setting) -> Option<Outcome> {
        let (own, other) = (self.versions[side], self.versions[1 - side]);
        let mut moved = setting.moved(own, other)?;
        let mut answer = self.answer(side, &setting);
        if !moved.dropped.is_empty() {
            // If an attribute makes no difference to the version that has it, the other version does not need it.
            let mut without = setting.clone();
            without.attributes.retain(|a| a.name.as_ref().is_none_or(|name| !moved.dropped.contains(name)));
            let plain = self.answer(side, &without);
            if plain.is_ok() && compare(&answer, &plain) == Compared::Same {
                (setting, answer) = (without, plain);
                moved.dropped.clear();
            }
        }
        let dropped = !moved.dropped.is_empty();
        let answered = self.answer(1 - side, &moved);
        let (settings, answers) = match side {
            0 => ([setting, moved], [answer, answered]),
            _ => ([moved, setting], [answered, answer]),
        };
        Some(match compare(&answers[0], &answers[1]) {
            Compared::NotComparable => Outcome::NotComparable,
            Compared::Same => Outcome::Same,
            Compared::Differs(sort, place) => {
                let defaults = self.defaults(&settings[side]);
                let key = Key { dropped, sort, defaults: !defaults.is_empty() };
                Outcome::Differs(key, Box::new(Example { settings, answers, defaults, place }))
            }
        })
    }

    /// Returns the attributes that a setting leaves out although their defaults differ between the versions.
    fn defaults(&self, setting: &Setting) -> Vec<String> {
        let [earlier, later] = self.versions;
        let given = |name: &str| setting.attributes.iter().any(|a| a.name.as_deref() == Some(name));
        let other = |a: &&plumbline_spec::Attribute| later.attribute(&a.name).is_some_and(|b| a.default != b.default);
        let differing = earlier.attributes.iter().filter(other).filter(|a| !given(&a.name));
        differing.map(|a| a.name.clone()).collect()
    }

    /// Returns the smallest example that was found with the same kind of difference.
    fn minimized(&self, source: &Source, key: &Key) -> Option<Example> {
        let example_of = |outcome: Outcome| match outcome {
            Outcome::Differs(found, example) if found == *key => Some(*example),
            _ => None,
        };
        let case = source.case()?;
        let replayed = |choices: &Sequence| example_of(self.outcome_of(source, case.with_choices(choices.clone())));
        let smallest = minimize(case.choices.clone(), BUDGET, |choices| replayed(choices).is_some());
        let smallest = replayed(&smallest)?;
        let again = |setting| self.compared(source.side, setting).and_then(example_of);
        Some(shrink(smallest, source.side, self.versions, again))
    }
}

/// Returns whether the other version accepts the type of the cell, or does not have the cell's type variable.
fn both_take(cell: &Cell, other: &OperatorVersion) -> bool {
    let Some((variable, type_)) = &cell.bound else { return true };
    other.types.get(variable).is_none_or(|types| types.contains(type_))
}
