//! Pieces of work, and the order in which a run with a time limit does them.

use std::collections::BTreeMap;

use plumbline_generator::{Case, Cell};
use plumbline_spec::Label;

use crate::suite_run::SuiteCase;

/// A piece of work for a run.
#[derive(Clone, Debug)]
pub enum Work {
    /// Generated cases of a cell: valid ones, or ones that violate the given constraint.
    Cell(Cell, Option<Label>),
    /// A published case.
    Published(SuiteCase),
    /// A single case, either a kept regression or one that was asked for by its id, and the name of its suite.
    Kept(Box<Case>, String),
}

/// Orders the work in turns: the first piece of each operator, then the second of each, and so on. Every operator thus
/// has its turn before the time is up.
pub(crate) fn operators_in_turn(work: Vec<Work>) -> Vec<Work> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut keyed: Vec<(usize, Work)> = Vec::with_capacity(work.len());
    for piece in work {
        let turn = seen.entry(piece.operator()).or_default();
        keyed.push((*turn, piece));
        *turn += 1;
    }
    keyed.sort_by_key(|(turn, _)| *turn);
    keyed.into_iter().map(|(_, piece)| piece).collect()
}

impl Work {
    /// Returns the operator that the piece tests. A published case counts as an operator of its own.
    fn operator(&self) -> String {
        match self {
            Work::Cell(cell, _) => format!("{}.{}", cell.version.id.domain, cell.version.id.name),
            Work::Kept(case, _) => format!("{}.{}", case.version.domain, case.version.name),
            Work::Published(case) => case.id(),
        }
    }
}

impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Work::Cell(cell, None) => write!(f, "{cell}"),
            Work::Cell(cell, Some(label)) => write!(f, "{cell}/{label}"),
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
        let work = operators_in_turn(cells.iter().map(|cell| Work::Cell(cell.clone(), None)).collect());
        assert_eq!(work.len(), cells.len());
        let operators: BTreeSet<String> = work.iter().map(Work::operator).collect();
        let first: BTreeSet<String> = work[..operators.len()].iter().map(Work::operator).collect();
        assert_eq!(first, operators);
    }
}
