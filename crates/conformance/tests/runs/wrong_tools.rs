//! Version converters and function bodies that are wrong: generated cases of the operator have to find each of them.
//!
//! They are in `wrong_conversions.txt` and `wrong_bodies.txt`. The backend answers with the oracle's own answers to the
//! model that it makes, so nothing but that model can be wrong. A model without the operator in its main graph stays.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use plumbline_conformance::{CaseResult, Minimization, Run, Settings, Work};
use plumbline_generator::{Cell, cells};

use crate::common::{Silent, new_folder, results};
use crate::wrong_optimizer::{Rewrite, rewrites, subject};

/// The cases that are drawn of each cell.
const CASES: u64 = 40;
/// At most this many cells of an operator are drawn.
const CELLS: usize = 12;

/// Returns the cells of the operator that is rewritten, in the newest version that is. Those of float come first.
fn cells_for(rewrite: &Rewrite) -> Vec<Cell> {
    let name = rewrite.find.last().and_then(|node| node.op_type.clone()).unwrap();
    let is_older = |cell: &Cell| rewrite.opset.is_none_or(|opset| i64::from(cell.version.id.since) < opset);
    let of_operator =
        |cell: &Cell| cell.version.id.domain == "ai.onnx" && cell.version.id.name == name && is_older(cell);
    let mut found: Vec<Cell> = cells().into_iter().filter(of_operator).collect();
    let newest = found.iter().map(|cell| cell.version.id.since).max();
    found.retain(|cell| Some(cell.version.id.since) == newest);
    found.sort_by_key(|cell| !format!("{cell}").contains("=float/"));
    found.truncate(CELLS);
    found
}

/// Runs cases on a backend with this tool until one fails in the way that is named.
fn run(rewrite: &Rewrite) -> Vec<CaseResult> {
    let subjects = [subject(Some(rewrite.clone()))];
    let mut rows = Vec::new();
    for cell in cells_for(rewrite) {
        let settings = Settings { cases: CASES, out: new_folder(), jobs: 1, ..Settings::default() };
        let settings = Settings { minimization: Minimization::Off, ..settings };
        let run = Run { settings: &settings, subjects: &subjects, expectations: &[], progress: &Silent };
        let outcome = run.run(vec![Work::Cell(cell, None)]).unwrap();
        assert!(outcome.broken.is_empty(), "{}: {:?}", rewrite.name, outcome.broken);
        rows.extend(results(&settings.out));
        if kinds(&rows).contains(&*rewrite.fails) {
            break;
        }
    }
    rows
}

fn kinds(rows: &[CaseResult]) -> BTreeSet<&'static str> {
    rows.iter().filter(|row| row.verdict.is_bad()).filter_map(|row| row.kind).map(|kind| kind.name()).collect()
}

/// Returns the names of those that no case finds in the way that is named.
fn missed(all: &[Rewrite]) -> Vec<String> {
    let (next, missed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(rewrite) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let rows = run(rewrite);
                    let failed = rows.iter().filter(|row| row.verdict.is_bad()).count();
                    println!("{}: {failed} of {} fail: {:?}", rewrite.name, rows.len(), kinds(&rows));
                    if !kinds(&rows).contains(&*rewrite.fails) {
                        missed.lock().unwrap().push(rewrite.name.clone());
                    }
                }
            });
        }
    });
    missed.into_inner().unwrap()
}

#[test]
fn wrong_version_converters_are_found() {
    let all = rewrites(include_str!("wrong_conversions.txt"));
    assert!(all.len() >= 20 && all.iter().all(|rewrite| rewrite.opset.is_some()));
    assert_eq!(missed(&all), Vec::<String>::new());
}

#[test]
fn wrong_function_bodies_are_found() {
    let all = rewrites(include_str!("wrong_bodies.txt"));
    assert!(all.len() >= 20 && all.iter().all(|rewrite| rewrite.opset.is_none()));
    assert_eq!(missed(&all), Vec::<String>::new());
}
