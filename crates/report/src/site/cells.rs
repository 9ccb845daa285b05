//! A small JSON file for each cell: what each version of each backend did with it.

use std::collections::BTreeMap;

use plumbline_conformance::{FailKind, Verdict};
use plumbline_spec::Spec;
use serde::Serialize;

use super::model::{Backend, Model, Version};
use super::names::{Origin, file_name};
use super::record::{CellKey, CellRecord, OperatorKey, OperatorRecord, qualified};
use crate::{Counts, VERDICTS};

/// The version of the format, which is also in the name of the schema.
const FORMAT: u32 = 1;
/// The path of the schema in a site.
pub(super) const SCHEMA_FILE: &str = "schema/cell-1.schema.json";
/// The largest number of signatures that a cell's file lists for one version of a backend.
const MAX_SIGNATURES: usize = 32;

/// The contents of a cell's file.
#[derive(Serialize)]
struct Cell<'a> {
    #[serde(rename = "$schema")]
    schema: String,
    format: u32,
    cell: String,
    domain: &'a str,
    op: &'a str,
    since_version: u32,
    types: &'a BTreeMap<String, String>,
    backends: Vec<CellBackend<'a>>,
}

#[derive(Serialize)]
struct CellBackend<'a> {
    name: &'a str,
    version: Option<&'a str>,
    started: &'a str,
    seed: &'a str,
    profile: &'a str,
    plumbline: &'a str,
    /// The number of results with each verdict that occurs.
    verdicts: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_ulp: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_ulp_passing: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    signatures: Vec<Signature<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signatures_left_out: Option<usize>,
}

#[derive(Serialize)]
struct Signature<'a> {
    signature: Option<&'a str>,
    verdict: Verdict,
    kind: Option<FailKind>,
    count: u64,
}

/// The results of a cell by backend, and for each backend the newest version first. Versions without results are left
/// out.
pub(super) type CellResults<'a> = Vec<(&'a Backend, &'a Version, &'a OperatorRecord, &'a CellRecord)>;

/// Returns the results of all cells of all operators, from the newest run of each version.
pub(super) fn collect(model: &Model) -> BTreeMap<&OperatorKey, BTreeMap<&CellKey, CellResults<'_>>> {
    let mut all: BTreeMap<&OperatorKey, BTreeMap<&CellKey, CellResults>> = BTreeMap::new();
    for backend in &model.backends {
        for version in backend.versions.iter().rev() {
            for (key, operator) in backend.newest(version).operators.iter().flatten() {
                for (cell_key, cell) in &operator.cells {
                    let results = all.entry(key).or_default().entry(cell_key).or_default();
                    results.push((backend, version, operator, cell));
                }
            }
        }
    }
    all
}

/// Returns the path of a cell's file in a site: `cells/Min-13/T=float16.json`.
pub(super) fn path(spec: &Spec, key: &OperatorKey, cell_key: &CellKey, types: &BTreeMap<String, String>) -> String {
    let operator = spec.operators().find(|operator| (&operator.domain, &operator.name) == (&key.0, &key.1));
    let version = operator.and_then(|operator| operator.version(cell_key.0));
    let folder = format!("{}-{}", qualified(&key.0, &key.1), cell_key.0);
    let is_listed = version.is_some_and(|version| {
        let is_lower = |bound: &String| !bound.bytes().any(|byte| byte.is_ascii_uppercase());
        types.iter().all(|(variable, bound)| version.types.contains_key(variable) && is_lower(bound))
    });
    let origin = |is_listed| if is_listed { Origin::Specification } else { Origin::Outside };
    format!(
        "cells/{}/{}.json",
        file_name(&folder, origin(version.is_some())),
        file_name(if types.is_empty() { "none" } else { &cell_key.1 }, origin(is_listed))
    )
}

/// Returns the text of a cell's file.
pub(super) fn json(key: &OperatorKey, cell_key: &CellKey, results: &CellResults) -> Result<String, serde_json::Error> {
    let Some((_, _, _, first)) = results.first() else { return Ok(String::new()) };
    let backends = results.iter().map(|(backend, version, operator, cell)| {
        let facts = &backend.newest(version).facts;
        let mut signatures = signatures(operator, cell);
        let left_out = signatures.len().checked_sub(MAX_SIGNATURES).filter(|more| *more > 0);
        signatures.truncate(MAX_SIGNATURES);
        CellBackend {
            name: &facts.name,
            version: facts.version.as_deref(),
            started: &facts.started,
            seed: &facts.seed,
            profile: &facts.profile,
            plumbline: &facts.project_version,
            verdicts: verdicts(&operator.verdicts(cell)),
            max_ulp: cell.max_ulp,
            max_ulp_passing: cell.max_ulp_passing,
            signatures,
            signatures_left_out: left_out,
        }
    });
    let cell = Cell {
        schema: format!("../../{SCHEMA_FILE}"),
        format: FORMAT,
        cell: super::record::cell_path(key, cell_key),
        domain: &key.0,
        op: &key.1,
        since_version: cell_key.0,
        types: &first.types,
        backends: backends.collect(),
    };
    // Every version of a backend is on a line of its own.
    let text = serde_json::to_string(&cell)?;
    Ok(text.replacen("\"backends\":[{", "\"backends\":[\n{", 1).replace("},{\"name\":", "},\n{\"name\":") + "\n")
}

fn verdicts(counts: &Counts) -> BTreeMap<&'static str, u64> {
    let found = VERDICTS.into_iter().map(|verdict| (verdict.name(), counts.count(verdict)));
    found.filter(|(_, count)| *count > 0).collect()
}

/// Returns the signatures of a cell's failures, the most frequent first.
fn signatures<'a>(operator: &'a OperatorRecord, cell: &CellRecord) -> Vec<Signature<'a>> {
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for place in cell.codes().filter_map(|code| code.place()) {
        *counts.entry(place).or_default() += 1;
    }
    let signature = |(place, count): (usize, u64)| {
        let state = operator.states.get(place)?;
        Some(Signature { signature: state.signature.as_deref(), verdict: state.verdict, kind: state.kind, count })
    };
    let mut found: Vec<Signature> = counts.into_iter().filter_map(signature).collect();
    found.sort_by_key(|signature| std::cmp::Reverse(signature.count));
    found
}
