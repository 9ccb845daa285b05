//! The matrix of results: a row for each operator and backend, and a column for each element type.

use std::collections::BTreeMap;

use plumbline_spec::{Operator, Spec};
use plumbline_tensor::DType;
use serde::Serialize;

use super::{columns, facts, marks};
use crate::text::{compact, ulp};
use crate::{OperatorSummary, Tally};

/// The whole matrix.
#[derive(Debug, Serialize)]
pub(super) struct Matrix {
    columns: Vec<Column>,
    groups: Vec<Group>,
}

#[derive(Debug, Serialize)]
struct Column {
    name: &'static str,
    #[serde(skip)]
    first_of_family: bool,
}

/// The rows of an operator.
#[derive(Debug, Serialize)]
struct Group {
    id: String,
    name: String,
    domain: String,
    rows: Vec<Row>,
}

/// The results of an operator on a backend.
#[derive(Debug, Serialize)]
struct Row {
    /// The backend's name in the results. It is empty in the only row of an operator without results.
    backend: String,
    counts: String,
    bar: String,
    text: String,
    cells: Vec<Cell>,
}

/// A cell of the matrix. It has no class if the specification does not allow the type.
#[derive(Debug, Default, Serialize)]
struct Cell {
    class: &'static str,
    counts: String,
    text: String,
    ulp: Option<String>,
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

/// The cells of a row before the first type: operator, backend, all types.
const CELLS_BEFORE_TYPES: usize = 3;

type ByColumn<'a> = BTreeMap<&'a str, BTreeMap<Option<DType>, Tally>>;

impl Matrix {
    /// Returns the positions of cells in a row, counted from 1, before which a line separates groups of types.
    pub(super) fn family_starts(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate().filter(|(_, column)| column.first_of_family);
        columns.map(|(index, _)| CELLS_BEFORE_TYPES + 1 + index).collect()
    }

    /// Makes the matrix. `backends` are those that have results, in the order of the report.
    pub(super) fn new(spec: &Spec, subjects: &[Subject], backends: &[&str]) -> Matrix {
        let tallies: Vec<ByColumn> = subjects.iter().map(|subject| by_column(spec, subject)).collect();
        let allowed: Vec<Vec<DType>> =
            subjects.iter().map(|subject| subject.operator.map(facts::allowed_columns).unwrap_or_default()).collect();
        let shown: Vec<Option<DType>> = {
            let used = |dtype: &DType| {
                allowed.iter().any(|dtypes| dtypes.contains(dtype))
                    || tallies.iter().flat_map(BTreeMap::values).any(|columns| columns.contains_key(&Some(*dtype)))
            };
            let other = tallies.iter().flat_map(BTreeMap::values).any(|columns| columns.contains_key(&None));
            columns::sorted().into_iter().filter(used).map(Some).chain(other.then_some(None)).collect()
        };
        let groups = subjects
            .iter()
            .zip(&tallies)
            .zip(&allowed)
            .map(|((subject, tallies), allowed)| Group {
                id: subject.id.clone(),
                name: subject.name.clone(),
                domain: subject.domain.clone(),
                rows: match tallies.is_empty() {
                    true => vec![row("", None, allowed, &shown)],
                    false => backends.iter().map(|&name| row(name, tallies.get(name), allowed, &shown)).collect(),
                },
            })
            .collect();
        let families: Vec<Option<u8>> = shown.iter().map(|dtype| dtype.map(columns::family)).collect();
        let columns = shown
            .iter()
            .enumerate()
            .map(|(index, dtype)| Column {
                name: dtype.map_or("other", DType::name),
                first_of_family: index == 0 || families[index - 1] != families[index],
            })
            .collect();
        Matrix { columns, groups }
    }
}

fn by_column<'a>(spec: &Spec, subject: &Subject<'a>) -> ByColumn<'a> {
    let mut by_column = ByColumn::new();
    let Some(results) = subject.results else { return by_column };
    for version in &results.versions {
        let facts = spec.operator(&results.domain, &results.op).and_then(|operator| operator.version(version.since));
        for cell in &version.cells {
            let column = facts::column(facts, &cell.types);
            for (backend, tally) in &cell.backends {
                by_column.entry(backend).or_default().entry(column).or_default().merge(tally);
            }
        }
    }
    by_column
}

fn row(
    backend: &str,
    tallies: Option<&BTreeMap<Option<DType>, Tally>>,
    allowed: &[DType],
    shown: &[Option<DType>],
) -> Row {
    let mut total = Tally::default();
    for tally in tallies.into_iter().flat_map(BTreeMap::values) {
        total.merge(tally);
    }
    let cells = shown.iter().map(|dtype| match tallies.and_then(|tallies| tallies.get(dtype)) {
        Some(tally) => Cell {
            class: marks::cell_class(tally),
            counts: marks::data_counts(tally),
            text: marks::cell_text(tally),
            ulp: tally.max_ulp.filter(|&distance| distance > 0.0).map(ulp),
        },
        None if dtype.is_some_and(|dtype| allowed.contains(&dtype)) => {
            Cell { class: "o", counts: "0".to_owned(), text: "○".to_owned(), ulp: None }
        }
        None => Cell::default(),
    });
    Row {
        backend: backend.to_owned(),
        counts: marks::data_counts(&total),
        bar: marks::bar_style(&total),
        text: match total.counts.all() {
            0 => "no case ran".to_owned(),
            all => format!("{}/{}", compact(total.counts.pass), compact(all)),
        },
        cells: cells.collect(),
    }
}
