//! Pieces of work, and the order in which a run does them.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumbline_generator::directml::{self, DirectMlCell, Violated};
use plumbline_generator::{Case, Cell, LARGE};
use plumbline_spec::Label;
use plumbline_spec::directml::TensorDataType;
use plumbline_tensor::DType;

use crate::cases::{SuiteCase, excerpts, graphs, mutated, regressions};
use crate::results::{GENERATED, NEGATIVE};

/// A piece of work for a run.
#[derive(Clone, Debug)]
pub enum Work {
    /// Generated cases of a cell: valid ones, or ones that violate the given constraint.
    Cell(Cell, Option<Label>),
    /// Large cases of a cell.
    Large(Cell),
    /// Generated cases of a cell, changed at random.
    Mutated(Cell),
    /// Graphs of several operators, with a node of a cell or with a pattern.
    Graphs(graphs::Start),
    /// Cases of an operator of DirectML: valid ones, or ones that break a rule.
    DirectMl(DirectMlCell, Option<Violated>),
    /// A part of a model that somebody gives.
    Excerpt(Arc<excerpts::Excerpt>),
    /// A published case.
    Published(SuiteCase),
    /// A single case, either a kept regression or one that was asked for by its id, and the name of its suite.
    Kept(Box<Case>, String),
}

/// Returns whether the case is neither invalid nor changed at random. Only such cases count for the coverage.
pub(crate) fn is_drawn_valid(case: &Case) -> bool {
    case.violates.is_none() && case.origin.base().is_none()
}

/// Returns the pieces of one of `count` shards; `number` is the shard, counted from 1. Sorting all pieces by a hash of
/// their names spreads expensive operators over the shards.
pub(crate) fn shard(work: Vec<Work>, (number, count): (u64, u64)) -> Vec<Work> {
    let mut keyed: Vec<(u64, Work)> = work.into_iter().map(|w| (plumbline_judge::hash(&w.to_string()), w)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let of_shard = |(at, (_, work)): (usize, (u64, Work))| (at as u64 % count == number - 1).then_some(work);
    keyed.into_iter().enumerate().filter_map(of_shard).collect()
}

/// Orders the work so that a run that is stopped early has tried a little of everything: first each operator's newest
/// version with `float` elements, then the second piece of each operator, the third, and so on.
pub(crate) fn by_value(work: Vec<Work>) -> Vec<Work> {
    let mut of_operator: BTreeMap<String, Vec<Work>> = BTreeMap::new();
    let mut order = Vec::new();
    for piece in work {
        let name = piece.operator();
        let pieces = of_operator.entry(name.clone()).or_default();
        if pieces.is_empty() {
            order.push(name);
        }
        pieces.push(piece);
    }
    let mut turns: Vec<(usize, Work)> = Vec::new();
    for name in order {
        let mut pieces = of_operator.remove(&name).unwrap_or_default();
        if let Some(first) = (0..pieces.len()).min_by_key(|&at| pieces[at].rank()) {
            let first = pieces.remove(first);
            pieces.insert(0, first);
        }
        turns.extend(pieces.into_iter().enumerate());
    }
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, piece)| piece).collect()
}

impl Work {
    /// Returns whether the piece may have no cases: a negative recipe may decline a cell in which its constraint cannot be
    /// violated, a cell may have no case that can be mutated, or that can begin a graph, and all values that are drawn for
    /// a part of a model may be invalid.
    pub(crate) fn may_decline(&self) -> bool {
        matches!(
            self,
            Work::Cell(_, Some(_))
                | Work::Large(_)
                | Work::Mutated(_)
                | Work::Graphs(_)
                | Work::DirectMl(..)
                | Work::Excerpt(_)
        )
    }

    /// Returns the cell whose valid cases the piece has, which count for the coverage.
    pub(crate) fn valid_cell(&self) -> Option<&Cell> {
        match self {
            Work::Cell(cell, None) => Some(cell),
            _ => None,
        }
    }

    /// Returns the cell that all cases of the piece belong to.
    pub fn cell(&self) -> Option<&Cell> {
        match self {
            Work::Cell(cell, _) | Work::Large(cell) | Work::Mutated(cell) | Work::Graphs(graphs::Start::Cell(cell)) => {
                Some(cell)
            }
            Work::Graphs(_) | Work::DirectMl(..) | Work::Excerpt(_) | Work::Published(_) | Work::Kept(..) => None,
        }
    }

    /// Returns the suite that the cases belong to.
    pub(crate) fn suite(&self) -> &str {
        match self {
            Work::Cell(_, None) => GENERATED,
            Work::Cell(_, Some(_)) => NEGATIVE,
            Work::Large(_) => LARGE,
            Work::Mutated(_) => mutated::SUITE,
            Work::Graphs(start) => start.suite(),
            Work::DirectMl(..) => directml::SUITE,
            Work::Excerpt(_) => excerpts::SUITE,
            Work::Published(case) => &case.suite,
            Work::Kept(_, suite) => suite,
        }
    }

    /// Returns a key that sorts the most informative piece of an operator first: valid cases of the newest version with
    /// elements of type `float`.
    fn rank(&self) -> (bool, std::cmp::Reverse<u32>, bool) {
        match self {
            Work::Cell(cell, violates) => {
                let is_float = cell.bound.as_ref().is_some_and(|(_, type_)| type_.leaf_dtype() == DType::Float);
                (violates.is_some(), std::cmp::Reverse(cell.version.since()), !is_float)
            }
            Work::Large(cell) | Work::Mutated(cell) | Work::Graphs(graphs::Start::Cell(cell)) => {
                (true, std::cmp::Reverse(cell.version.since()), true)
            }
            Work::DirectMl(cell, violates) => {
                let is_float = cell.data_type == TensorDataType::Float32;
                (violates.is_some(), std::cmp::Reverse(cell.level.value()), !is_float)
            }
            Work::Graphs(_) => (true, std::cmp::Reverse(0), true),
            Work::Excerpt(_) | Work::Published(_) | Work::Kept(..) => (true, std::cmp::Reverse(0), true),
        }
    }

    /// Returns the operator that the piece tests. A published case counts as an operator of its own.
    pub fn operator(&self) -> String {
        match self {
            Work::Graphs(start) => start.operator(),
            Work::DirectMl(cell, _) => cell.operator.name.clone(),
            Work::Excerpt(excerpt) => excerpt.operator(),
            Work::Cell(cell, _) | Work::Large(cell) | Work::Mutated(cell) => {
                format!("{}.{}", cell.version.id.domain, cell.version.id.name)
            }
            Work::Kept(case, _) => format!("{}.{}", case.version.domain, case.version.name),
            Work::Published(case) => case.id(),
        }
    }

    /// Returns the seed of a case that was asked for by its id, which can differ from the seed of the run. A kept
    /// regression does not depend on a seed.
    pub(crate) fn own_seed(&self) -> Option<String> {
        match self {
            Work::Kept(case, suite) if suite != regressions::SUITE => case.origin.seed().map(|seed| seed.to_string()),
            _ => None,
        }
    }
}

impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Work::Cell(cell, None) => write!(f, "{cell}"),
            Work::Large(cell) => write!(f, "{LARGE}/{cell}"),
            Work::Mutated(cell) => write!(f, "{}/{cell}", mutated::SUITE),
            Work::Graphs(start) => write!(f, "{}/{start}", start.suite()),
            Work::Cell(cell, Some(label)) => write!(f, "{cell}/{label}"),
            Work::DirectMl(cell, None) => write!(f, "{}/{cell}", directml::SUITE),
            Work::DirectMl(cell, Some(rule)) => write!(f, "{}/{cell}/{rule}", directml::SUITE),
            Work::Excerpt(excerpt) => write!(f, "{excerpt}"),
            Work::Published(case) => write!(f, "{}", case.id()),
            Work::Kept(case, _) => f.write_str(&case.id),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_operator_runs_once_before_any_runs_twice() {
        let cells = plumbline_generator::cells();
        let work = by_value(cells.iter().map(|cell| Work::Cell(cell.clone(), None)).collect());
        assert_eq!(work.len(), cells.len());
        let operators: BTreeSet<String> = work.iter().map(Work::operator).collect();
        let first: BTreeSet<String> = work[..operators.len()].iter().map(Work::operator).collect();
        assert_eq!(first, operators);
    }

    #[test]
    fn the_newest_version_with_floats_comes_first() {
        let cells = plumbline_generator::cells().into_iter().filter(|cell| cell.version.id.name == "Clip");
        let negatives = |cell: &plumbline_generator::Cell| cell.negatives().into_iter().map(Some).collect::<Vec<_>>();
        let work = cells.flat_map(|cell| {
            let labels: Vec<Option<Label>> = negatives(&cell).into_iter().chain([None]).collect();
            labels.into_iter().map(move |label| Work::Cell(cell.clone(), label))
        });
        assert_eq!(by_value(work.collect())[0].to_string(), "Clip-13/T=float");
    }

    #[test]
    fn a_case_that_is_asked_for_has_the_seed_of_its_id() {
        let case = Box::new(plumbline_generator::case_of("Ceil-13/T=float/0@7").expect("there is such a cell"));
        assert_eq!(Work::Kept(case.clone(), "generated".to_owned()).own_seed().as_deref(), Some("7"));
        assert_eq!(Work::Kept(case, regressions::SUITE.to_owned()).own_seed(), None);
    }
}
