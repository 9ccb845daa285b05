//! The matrix of results: a row for each operator, and a column for each element type. Rows are grouped by family, and
//! columns by the kind of type.

use std::collections::BTreeMap;

use plumbline_spec::{Operator, Spec};
use plumbline_tensor::DType;
use serde::Serialize;

use super::{columns, facts, families, marks};
use crate::text::{compact, ulp};
use crate::{OperatorSummary, Tally};

/// The whole matrix.
#[derive(Debug, Serialize)]
pub(super) struct Matrix {
    kinds: Vec<ColumnGroup>,
    columns: Vec<Column>,
    families: Vec<Family>,
    /// If there are several backends, a strip in each cell shows the class that the cell has for each backend. This
    /// field has the CSS gradients that draw the strips. The CSS class `k0` selects the first gradient.
    #[serde(skip)]
    pub(super) strips: Vec<String>,
}

/// A group of columns.
#[derive(Debug, Serialize)]
struct ColumnGroup {
    name: &'static str,
    columns: usize,
}

#[derive(Debug, Serialize)]
struct Column {
    name: &'static str,
    short: String,
    is_first: bool,
}

/// The rows of a family of operators.
#[derive(Debug, Serialize)]
struct Family {
    name: String,
    head: Row,
    rows: Vec<Row>,
}

/// The results of an operator, or of a family, on all backends.
#[derive(Debug, Serialize)]
struct Row {
    id: String,
    name: String,
    domain: String,
    /// The number of bad results in the whole row. It is empty if there are none.
    bad: String,
    bad_class: &'static str,
    ulp: Option<String>,
    heat: u8,
    cells: Vec<Cell>,
}

/// A cell of the matrix. It has no class if there are no results and the specification does not allow the type.
#[derive(Debug, Default, Serialize)]
struct Cell {
    class: String,
    text: String,
    has_findings: bool,
}

/// An operator on the page. It may be known from the specification, from the results, or from both.
pub(super) struct Subject<'a> {
    /// The anchor of the operator on the page.
    pub id: String,
    pub domain: String,
    pub name: String,
    pub operator: Option<&'a Operator>,
    pub results: Option<&'a OperatorSummary>,
}

/// The results of an operator by element type and backend.
pub(super) type ByColumn<'a> = BTreeMap<Option<DType>, BTreeMap<&'a str, Tally>>;

/// Returns the columns that the page shows: types that a specification allows or that results have. `None` is the
/// column of results without an element type.
pub(super) fn shown_columns(spec: &Spec, subjects: &[Subject]) -> Vec<Option<DType>> {
    let tallies: Vec<ByColumn> = subjects.iter().map(|subject| by_column(spec, subject)).collect();
    let allowed: Vec<Vec<DType>> = subjects.iter().map(allowed).collect();
    let used = |dtype: &DType| {
        allowed.iter().any(|dtypes| dtypes.contains(dtype))
            || tallies.iter().any(|columns| columns.contains_key(&Some(*dtype)))
    };
    let other = tallies.iter().any(|columns| columns.contains_key(&None));
    columns::sorted().iter().copied().filter(used).map(Some).chain(other.then_some(None)).collect()
}

fn allowed(subject: &Subject) -> Vec<DType> {
    subject.operator.map(facts::allowed_columns).unwrap_or_default()
}

pub(super) fn by_column<'a>(spec: &Spec, subject: &Subject<'a>) -> ByColumn<'a> {
    let mut by_column = ByColumn::new();
    let Some(results) = subject.results else { return by_column };
    for version in &results.versions {
        let facts = spec.operator(&results.domain, &results.op).and_then(|operator| operator.version(version.since));
        for cell in &version.cells {
            let column = by_column.entry(facts::column(facts, &cell.types)).or_default();
            for (backend, tally) in &cell.backends {
                column.entry(backend.as_str()).or_default().merge(tally);
            }
        }
    }
    by_column
}

impl Matrix {
    /// Makes the matrix. `backends` are those that have results, in the order of the report.
    pub(super) fn new(spec: &Spec, subjects: &[Subject], backends: &[&str]) -> Matrix {
        let shown = shown_columns(spec, subjects);
        let mut maker = Maker { shown: &shown, backends, strips: Vec::new() };
        let mut families: Vec<(String, ByColumn, Vec<DType>, Vec<Row>)> = Vec::new();
        for subject in subjects {
            let name = families::family(&subject.domain, &subject.name);
            let (tallies, allowed) = (by_column(spec, subject), allowed(subject));
            let row = maker.row(subject, &tallies, &allowed);
            let place = families.iter().position(|(family, ..)| *family == name).unwrap_or_else(|| {
                families.push((name, ByColumn::new(), Vec::new(), Vec::new()));
                families.len() - 1
            });
            let (_, total, all_allowed, rows) = &mut families[place];
            rows.push(row);
            all_allowed.extend(allowed);
            for (column, tallies) in tallies {
                for (backend, tally) in tallies {
                    total.entry(column).or_default().entry(backend).or_default().merge(&tally);
                }
            }
        }
        families.sort_by(|(one, ..), (other, ..)| families::order(one).cmp(&families::order(other)));
        let families = families.into_iter().map(|(name, total, allowed, rows)| {
            let subject = Subject {
                id: String::new(),
                domain: String::new(),
                name: String::new(),
                operator: None,
                results: None,
            };
            Family { head: maker.row(&subject, &total, &allowed), name, rows }
        });
        let families = families.collect();
        let mut kinds: Vec<ColumnGroup> = Vec::new();
        let mut columns = Vec::new();
        for dtype in &shown {
            let name = dtype.map_or("other", columns::kind_name);
            let is_first = kinds.last().is_none_or(|kind| kind.name != name);
            match kinds.last_mut() {
                Some(kind) if !is_first => kind.columns += 1,
                _ => kinds.push(ColumnGroup { name, columns: 1 }),
            }
            columns.push(Column {
                name: dtype.map_or("other", DType::name),
                short: dtype.map_or("…".to_owned(), columns::short),
                is_first,
            });
        }
        let strips = maker.strips.iter().map(|pattern| strip(pattern)).collect();
        Matrix { kinds, columns, families, strips }
    }

    /// Returns the positions in a row, counted from 1, of the columns that begin a group of types. The page draws a
    /// line before each of them.
    pub(super) fn kind_starts(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate().filter(|(_, column)| column.is_first);
        columns.map(|(index, _)| CELLS_BEFORE_TYPES + 1 + index).collect()
    }
}

/// The number of cells in a row before the first type: operator, bad results, worst distance.
const CELLS_BEFORE_TYPES: usize = 3;

/// Makes rows, and collects the patterns that their strips need. A pattern has the class of a cell for each backend.
struct Maker<'a> {
    shown: &'a [Option<DType>],
    backends: &'a [&'a str],
    strips: Vec<String>,
}

impl Maker<'_> {
    fn row(&mut self, subject: &Subject, tallies: &ByColumn, allowed: &[DType]) -> Row {
        let mut total = Tally::default();
        tallies.values().flat_map(BTreeMap::values).for_each(|tally| total.merge(tally));
        let shown = self.shown;
        let cells = shown.iter().map(|dtype| match tallies.get(dtype) {
            Some(by_backend) => self.cell(by_backend),
            None if dtype.is_some_and(|dtype| allowed.contains(&dtype)) => {
                Cell { class: "o".to_owned(), text: "○".to_owned(), has_findings: false }
            }
            None => Cell::default(),
        });
        let cells = cells.collect();
        let bad = total.counts.bad();
        Row {
            id: subject.id.clone(),
            name: subject.name.clone(),
            domain: subject.domain.clone(),
            bad: if bad > 0 { compact(bad) } else { String::new() },
            bad_class: if bad > 0 { marks::cell_class(&total) } else { "" },
            ulp: total.max_ulp.map(ulp),
            heat: marks::heat(total.max_ulp),
            cells,
        }
    }

    fn cell(&mut self, by_backend: &BTreeMap<&str, Tally>) -> Cell {
        let mut total = Tally::default();
        by_backend.values().for_each(|tally| total.merge(tally));
        let mut class = marks::cell_class(&total).to_owned();
        if self.backends.len() > 1 {
            let mark = |backend: &&str| by_backend.get(backend).map_or("o", marks::cell_class);
            let pattern: String = self.backends.iter().map(mark).collect();
            let number = self.strips.iter().position(|known| *known == pattern).unwrap_or_else(|| {
                self.strips.push(pattern);
                self.strips.len() - 1
            });
            class = format!("\"{class} k{number}\"");
        }
        let counts = total.counts;
        Cell { class, text: marks::short_text(&total), has_findings: counts.bad() + counts.latitude > 0 }
    }
}

/// Returns the gradient that shows a pattern: one colour for the class of each backend.
fn strip(pattern: &str) -> String {
    let width = 100.0 / pattern.len().max(1) as f64;
    let stops = pattern.chars().enumerate().map(|(index, class)| {
        let colour = match class {
            'p' => "p",
            'f' | 'e' => "f",
            'l' => "l",
            'h' => "h",
            'u' => "u",
            _ => "o",
        };
        format!("var(--{colour}-solid) {:.0}% {:.0}%", index as f64 * width, (index + 1) as f64 * width)
    });
    format!("linear-gradient(90deg,{})", stops.collect::<Vec<_>>().join(","))
}
