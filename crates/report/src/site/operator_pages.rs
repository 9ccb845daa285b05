//! The pages of operators, and the list of them.

use std::collections::BTreeMap;

use plumbline_conformance::replay_command;
use plumbline_spec::Spec;
use serde::Serialize;

use super::cells::{self, CellResults};
use super::model::{Backend, Model, Version};
use super::pages::Mark;
use super::record::{CellKey, OperatorKey, OperatorRecord, StateRecord, qualified};
use super::steps::operator_path;
use crate::Counts;
use crate::comparison::{Change, Comparison, title};
use crate::text::{grouped, ulp};

/// The largest number of versions of a backend in the tables of an operator's page, the newest first.
const MAX_VERSIONS: usize = 15;
/// The largest number of signatures on an operator's page for each backend.
const MAX_SIGNATURES: usize = 30;

/// For each operator, the steps in which its cases changed: the title and the path of the step's page, and the number
/// of cases by change.
pub(super) type OperatorSteps = BTreeMap<OperatorKey, Vec<(String, String, BTreeMap<Change, u64>)>>;

/// What the list of operators shows.
#[derive(Serialize)]
pub(super) struct OperatorList {
    columns: Vec<String>,
    rows: Vec<ListRow>,
}

#[derive(Serialize)]
struct ListRow {
    name: String,
    page: String,
    marks: Vec<Option<Mark>>,
}

/// What the page of an operator shows.
#[derive(Serialize)]
pub(super) struct OperatorPage {
    name: String,
    domain: String,
    columns: Vec<String>,
    versions: Vec<VersionTable>,
    older_left_out: bool,
    findings: Vec<Finding>,
    findings_left_out: String,
    steps: Vec<StepLine>,
}

#[derive(Serialize)]
struct VersionTable {
    since: u32,
    rows: Vec<CellRow>,
}

#[derive(Serialize)]
struct CellRow {
    types: String,
    page: String,
    marks: Vec<Option<Mark>>,
    /// The worst distance in the results of the cell. The results of backend versions without a column count too.
    ulp: Option<String>,
}

#[derive(Serialize)]
struct Finding {
    backend: String,
    what: String,
    signature: Option<String>,
    count: String,
    case: String,
    detail: Option<String>,
    replay: Option<String>,
}

#[derive(Serialize)]
struct StepLine {
    title: String,
    page: String,
    changes: Vec<String>,
}

/// Returns the versions that tables have columns for: at most `most` versions of each backend, the newest first.
fn shown(model: &Model, most: usize) -> Vec<(&Backend, &Version)> {
    let mut columns = Vec::new();
    for backend in &model.backends {
        columns.extend(backend.versions.iter().rev().take(most).map(|version| (backend, version)));
    }
    columns
}

fn column((backend, version): &(&Backend, &Version)) -> String {
    backend.newest(version).facts.label()
}

/// Returns whether both are the same version of the same backend.
fn is_same(one: (&Backend, &Version), other: (&Backend, &Version)) -> bool {
    (&one.0.name, &one.1.name) == (&other.0.name, &other.1.name)
}

impl OperatorList {
    pub fn new<'a>(spec: &Spec, model: &Model, keys: impl Iterator<Item = &'a OperatorKey>) -> OperatorList {
        let columns = shown(model, 1);
        let row = |key: &OperatorKey| ListRow {
            name: qualified(&key.0, &key.1),
            page: operator_path(spec, &key.0, &key.1),
            marks: columns
                .iter()
                .map(|(backend, version)| {
                    let operator = backend.newest(version).operators.as_ref()?.get(key)?;
                    Some(Mark::new(&operator_verdicts(operator)))
                })
                .collect(),
        };
        let mut rows: Vec<ListRow> = keys.map(row).collect();
        rows.sort_by_key(|row| (row.name.contains('.'), row.name.clone()));
        OperatorList { columns: columns.iter().map(column).collect(), rows }
    }
}

fn operator_verdicts(operator: &OperatorRecord) -> Counts {
    let mut counts = Counts::default();
    operator.cells.values().for_each(|cell| counts.merge(&operator.verdicts(cell)));
    counts
}

impl OperatorPage {
    pub fn new(
        spec: &Spec,
        model: &Model,
        key: &OperatorKey,
        cells: &BTreeMap<&CellKey, CellResults>,
        steps: &OperatorSteps,
    ) -> OperatorPage {
        let columns = shown(model, MAX_VERSIONS);
        let mut versions: Vec<VersionTable> = Vec::new();
        for (cell_key, results) in cells {
            let row = cell_row(spec, key, cell_key, results, &columns);
            match versions.last_mut() {
                Some(last) if last.since == cell_key.0 => last.rows.push(row),
                _ => versions.push(VersionTable { since: cell_key.0, rows: vec![row] }),
            }
        }
        versions.reverse();
        let (findings, left_out) = findings(model, key);
        let line = |(heading, page, changes): &(String, String, BTreeMap<Change, u64>)| StepLine {
            title: heading.clone(),
            page: page.clone(),
            changes: changes.iter().map(|(change, count)| format!("{} {}", grouped(*count), title(*change))).collect(),
        };
        OperatorPage {
            name: key.1.clone(),
            domain: key.0.clone(),
            columns: columns.iter().map(column).collect(),
            versions,
            older_left_out: model.backends.iter().any(|backend| backend.versions.len() > MAX_VERSIONS),
            findings,
            findings_left_out: if left_out == 0 { String::new() } else { grouped(left_out) },
            steps: steps.get(key).into_iter().flatten().rev().map(line).collect(),
        }
    }
}

fn cell_row(
    spec: &Spec,
    key: &OperatorKey,
    cell_key: &CellKey,
    results: &CellResults,
    columns: &[(&Backend, &Version)],
) -> CellRow {
    let marks = columns.iter().map(|(backend, version)| {
        let found = results.iter().find(|(b, v, ..)| is_same((b, v), (backend, version)));
        found.map(|(_, _, operator, cell)| Mark::new(&operator.verdicts(cell)))
    });
    let worst = results.iter().filter_map(|(.., cell)| cell.max_ulp).max_by(f64::total_cmp);
    let empty = BTreeMap::new();
    let types = results.first().map_or(&empty, |(.., cell)| &cell.types);
    CellRow {
        types: if types.is_empty() { "no type variable".to_owned() } else { crate::types_text(types) },
        page: cells::path(spec, key, cell_key, types),
        marks: marks.collect(),
        ulp: worst.map(ulp),
    }
}

/// Returns the failures of the newest version of each backend, and the number of failed results that are not listed.
fn findings(model: &Model, key: &OperatorKey) -> (Vec<Finding>, u64) {
    let (mut listed, mut left_out) = (Vec::new(), 0);
    for (backend, version) in shown(model, 1) {
        let record = backend.newest(version);
        let Some(operator) = record.operators.as_ref().and_then(|operators| operators.get(key)) else { continue };
        let mut counts = vec![0; operator.states.len()];
        for code in operator.cells.values().flat_map(|cell| cell.codes()) {
            if let Some(count) = code.place().and_then(|place| counts.get_mut(place)) {
                *count += 1;
            }
        }
        let mut found: Vec<(u64, &StateRecord)> = counts.into_iter().zip(&operator.states).collect();
        found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        left_out += found.iter().skip(MAX_SIGNATURES).map(|(count, _)| count).sum::<u64>();
        listed.extend(found.into_iter().take(MAX_SIGNATURES).map(|(count, state)| Finding {
            backend: record.facts.label(),
            what: match state.kind {
                Some(kind) => format!("{} ({})", state.verdict, kind.name()),
                None => state.verdict.to_string(),
            },
            signature: state.signature.clone(),
            count: grouped(count),
            case: state.case.clone(),
            detail: state.detail.clone(),
            replay: record.facts.selector.as_ref().map(|name| replay_command("plumbline", &state.case, name, None)),
        }));
    }
    (listed, left_out)
}

/// Adds a step to the operators whose cases changed in it.
pub(super) fn add_step(all: &mut OperatorSteps, title: &str, page: &str, comparison: &Comparison) {
    let mut changes: BTreeMap<OperatorKey, BTreeMap<Change, u64>> = BTreeMap::new();
    for cause in &comparison.counted.causes {
        let key = (cause.domain.clone(), cause.op.clone());
        *changes.entry(key).or_default().entry(cause.change).or_default() += cause.count;
    }
    for (key, changes) in changes {
        all.entry(key).or_default().push((title.to_owned(), page.to_owned(), changes));
    }
}
