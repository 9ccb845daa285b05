//! What graphs begin with: a node of a cell, or a pattern; or the canonical form that they are.

use plumbline_generator::{Cell, PlanError, cells_of, parse_id};
use plumbline_judge::hash;

use super::pattern::Pattern;
use super::{SUITE, canonical, menu};

/// The part of an id that stands for a pattern instead of an operator version.
const PATTERN: &str = "pattern";

/// An operator version with fewer cells than this has as many graphs as one with this number.
const MANY_CELLS: f64 = 8.0;
/// A pattern has as many graphs as this number of cells, because the first ones break one thing each.
const OF_PATTERN: f64 = 5.0;

/// What a graph begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// A node of a cell.
    Cell(Cell),
    /// A pattern.
    Pattern(&'static Pattern),
    /// A canonical form, which is the whole graph.
    Canonical(&'static Pattern),
}

/// What grows into a graph: any start but a canonical form, which is a graph already.
#[derive(Clone, Copy)]
pub(super) enum Core<'a> {
    Cell(&'a Cell),
    Pattern(&'static Pattern),
}

impl Start {
    /// Returns what the graph grows from. `None` if it is a canonical form, which has nothing around it.
    pub(super) fn core(&self) -> Option<Core<'_>> {
        match self {
            Start::Cell(cell) => Some(Core::Cell(cell)),
            Start::Pattern(pattern) => Some(Core::Pattern(pattern)),
            Start::Canonical(_) => None,
        }
    }

    /// Returns what graphs can begin with for a cell. `None` if the cell belongs to no opset in which graphs are drawn.
    pub fn of_cell(cell: Cell) -> Option<Start> {
        menu::opsets(cell.version).map(|_| Start::Cell(cell))
    }

    /// Returns every pattern.
    pub fn patterns() -> impl Iterator<Item = Start> {
        Pattern::all().iter().map(Start::Pattern)
    }

    /// Returns every canonical form.
    pub fn canonical() -> impl Iterator<Item = Start> {
        canonical::all().iter().map(Start::Canonical)
    }

    /// Returns the suite that its graphs belong to.
    pub fn suite(&self) -> &'static str {
        match self {
            Start::Cell(_) | Start::Pattern(_) => SUITE,
            Start::Canonical(_) => canonical::SUITE,
        }
    }

    /// Returns how many graphs with this start a run draws that has `graphs` for each cell of a version with many cells.
    /// Below 1, only a part of the cells has a graph, and another seed chooses others. Each pattern has at least one,
    /// unless `graphs` is 0. `None` for a canonical form, of which there are as many as cases of a cell.
    pub(crate) fn count(&self, graphs: f64, seed: u64) -> Option<u64> {
        match self {
            Start::Canonical(_) => None,
            Start::Pattern(_) => Some((graphs * OF_PATTERN).ceil() as u64),
            Start::Cell(cell) => {
                let cells = cells_of(cell.version).len() as f64;
                let graphs = graphs * (MANY_CELLS / cells).max(1.0);
                Some(rounded(graphs, &self.to_string(), seed))
            }
        }
    }

    /// Returns the operator that it is about, or the pattern or form.
    pub fn operator(&self) -> String {
        match self {
            Start::Cell(cell) => format!("{}.{}", cell.version.id.domain, cell.version.id.name),
            Start::Pattern(pattern) => format!("{PATTERN}/{}", pattern.name),
            Start::Canonical(form) => format!("{}/{}", canonical::SUITE, form.name),
        }
    }

    /// Returns the id of graph `index`.
    pub(super) fn id(&self, index: u64, seed: u64) -> String {
        match self {
            Start::Canonical(form) => canonical::id(&form.name, index, seed),
            Start::Cell(_) | Start::Pattern(_) => format!("{SUITE}/{self}/{index}@{seed}"),
        }
    }

    /// Reads an id: what the graph begins with, its index and its seed.
    pub(super) fn parse(id: &str) -> Result<(Start, u64, u64), PlanError> {
        let bad = || PlanError::Id(id.to_owned());
        let number = |text: &str| text.parse().map_err(|_| bad());
        if let Some(rest) = id.strip_prefix(canonical::SUITE).and_then(|rest| rest.strip_prefix('/')) {
            let (name, place) = rest.split_once('/').ok_or_else(bad)?;
            let (index, seed) = place.split_once('@').ok_or_else(bad)?;
            let unknown = || PlanError::Unknown(format!("there is no canonical form `{name}`"));
            let form = canonical::find(name).ok_or_else(unknown)?;
            return Ok((Start::Canonical(form), number(index)?, number(seed)?));
        }
        let rest = id.strip_prefix(SUITE).and_then(|rest| rest.strip_prefix('/')).ok_or_else(bad)?;
        let Some(pattern) = rest.strip_prefix(PATTERN).and_then(|rest| rest.strip_prefix('/')) else {
            let (cell, violates, index, seed) = parse_id(rest)?;
            return if violates.is_some() { Err(bad()) } else { Ok((Start::Cell(cell), index, seed)) };
        };
        let (name, place) = pattern.split_once('/').ok_or_else(bad)?;
        let (index, seed) = place.split_once('@').ok_or_else(bad)?;
        let pattern = Pattern::find(name).ok_or_else(|| PlanError::Unknown(format!("there is no pattern `{name}`")))?;
        Ok((Start::Pattern(pattern), number(index)?, number(seed)?))
    }
}

/// Writes what an id has in this place: `Min-13/T=float`, `pattern/matmul-add`, `attention`.
impl std::fmt::Display for Start {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Start::Cell(cell) => write!(f, "{cell}"),
            Start::Pattern(pattern) => write!(f, "{PATTERN}/{}", pattern.name),
            Start::Canonical(form) => f.write_str(&form.name),
        }
    }
}

/// Rounds an average number of cases up or down for a piece of work: its name and the seed decide which.
pub(crate) fn rounded(cases: f64, piece: &str, seed: u64) -> u64 {
    // Uniform in [0, 1).
    let place = hash(&format!("{piece}@{seed}")) as f64 / 2f64.powi(64);
    (cases + 1.0 - place).ceil() as u64 - 1
}
