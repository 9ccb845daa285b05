//! History files: the records of a backend's runs, small enough to be kept in a repository and beside a site.
//!
//! A history file is JSON Lines, compressed with gzip. The first line lists the runs. Each further line is an operator.
//! What several runs have in common is written once, with a list of these runs; a run is named by its place in the
//! first line. docs/site.md says what the keys mean.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use plumbline_conformance::{FailKind, Verdict};
use serde::{Deserialize, Serialize};

use super::codes::{Code, decode, encode};
use super::error::SiteError;
use super::record::{
    CellKey, CellRecord, Groups, OperatorKey, OperatorRecord, Operators, RunFacts, StateKey, StateRecord, types_key,
};
use crate::Counts;
use crate::aggregate::shown_domain;

/// The version of the format. It is raised when a key changes its meaning.
const FORMAT: u32 = 1;
/// The longest accepted line in bytes. This is far longer than the line of any operator.
const MAX_LINE_BYTES: u64 = 64 << 20;
/// The largest number of cases in a file, all runs together. A few bytes can stand for many cases, so a damaged file
/// could otherwise need more memory than there is.
const MAX_CASES: usize = 1 << 26;

/// A run of a backend: its facts, and its results if they are kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    pub facts: RunFacts,
    /// The results by operator. They are not kept if a newer run of the version has the same cases.
    pub operators: Option<Operators>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: u32,
    runs: Vec<Run>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    facts: RunFacts,
    /// Whether the lines of the operators have results of the run.
    results: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorLine {
    domain: String,
    op: String,
    states: Vec<StateLine>,
    cells: Vec<CellLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateLine {
    verdict: Verdict,
    kind: Option<FailKind>,
    signature: Option<String>,
    examples: Vec<Example>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    /// The runs in which the state has this example.
    runs: Vec<usize>,
    case: String,
    detail: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellLine {
    since: u32,
    types: BTreeMap<String, String>,
    results: Vec<CellResults>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellResults {
    /// The runs in which the cell has these results.
    runs: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_ulp: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_ulp_passing: Option<f64>,
    suites: BTreeMap<String, BTreeMap<String, String>>,
}

/// Writes records as a history file.
pub(super) fn write(path: &Path, records: &[Record]) -> Result<(), SiteError> {
    let error = |source| SiteError::io("write", path, source);
    let file = File::create(path).map_err(error)?;
    // The encoder writes no time and no name, so that the same records give the same bytes.
    let mut out = GzEncoder::new(file, Compression::best());
    let run = |record: &Record| Run { facts: record.facts.clone(), results: record.operators.is_some() };
    let head = Head { format: FORMAT, runs: records.iter().map(run).collect() };
    writeln!(out, "{}", serde_json::to_string(&head)?).map_err(error)?;
    let operators = || records.iter().filter_map(|record| record.operators.as_ref());
    let keys: BTreeSet<&OperatorKey> = operators().flat_map(BTreeMap::keys).collect();
    for key in keys {
        let line = OperatorLine::new(key, records);
        writeln!(out, "{}", serde_json::to_string(&line)?).map_err(error)?;
    }
    out.finish().and_then(|mut file| file.flush()).map_err(error)
}

impl OperatorLine {
    fn new(key: &OperatorKey, records: &[Record]) -> OperatorLine {
        let known = records.iter().enumerate();
        let runs: Vec<(usize, &OperatorRecord)> =
            known.filter_map(|(at, record)| Some((at, record.operators.as_ref()?.get(key)?))).collect();
        let mut states: BTreeMap<StateKey, Vec<Example>> = BTreeMap::new();
        for (at, operator) in &runs {
            for state in &operator.states {
                let examples = states.entry(state.key()).or_default();
                match examples.iter_mut().find(|known| (&known.case, &known.detail) == (&state.case, &state.detail)) {
                    Some(known) => known.runs.push(*at),
                    None => {
                        let (case, detail) = (state.case.clone(), state.detail.clone());
                        examples.push(Example { runs: vec![*at], case, detail });
                    }
                }
            }
        }
        let places: BTreeMap<&StateKey, usize> = states.keys().enumerate().map(|(place, key)| (key, place)).collect();
        let mut cells: BTreeMap<&CellKey, CellLine> = BTreeMap::new();
        for (at, operator) in &runs {
            let moved: Vec<usize> =
                operator.states.iter().filter_map(|state| places.get(&state.key()).copied()).collect();
            for (cell_key, cell) in &operator.cells {
                let new = || CellLine { since: cell_key.0, types: cell.types.clone(), results: Vec::new() };
                let line = cells.entry(cell_key).or_insert_with(new);
                let found = CellResults::new(*at, cell, &moved);
                match line.results.iter_mut().find(|known| known.is_like(&found)) {
                    Some(known) => known.runs.push(*at),
                    None => line.results.push(found),
                }
            }
        }
        let cells = cells.into_values().collect();
        let state = |((verdict, kind, signature), examples)| StateLine { verdict, kind, signature, examples };
        OperatorLine {
            domain: key.0.clone(),
            op: key.1.clone(),
            states: states.into_iter().map(state).collect(),
            cells,
        }
    }
}

impl CellResults {
    /// `moved` maps the place of a state in the operator's record to its place in the file.
    fn new(run: usize, cell: &CellRecord, moved: &[usize]) -> CellResults {
        let code = |code: &Code| code.place().and_then(|at| moved.get(at)).map_or(*code, |&at| Code::state(at));
        let row = |codes: &Vec<Code>| encode(&codes.iter().map(code).collect::<Vec<_>>());
        let groups = |groups: &BTreeMap<String, Vec<Code>>| {
            groups.iter().map(|(template, codes)| (template.clone(), row(codes))).collect()
        };
        CellResults {
            runs: vec![run],
            max_ulp: cell.max_ulp,
            max_ulp_passing: cell.max_ulp_passing,
            suites: cell.suites.iter().map(|(suite, inner)| (suite.clone(), groups(inner))).collect(),
        }
    }
}

/// Reads a history file, compressed or not.
pub(super) fn read(path: &Path) -> Result<Vec<Record>, SiteError> {
    let error = |source| SiteError::io("read", path, source);
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(error)?);
    let is_compressed = file.fill_buf().map_err(error)?.starts_with(&[0x1f, 0x8b]);
    let mut lines: Box<dyn BufRead> = match is_compressed {
        true => Box::new(BufReader::new(GzDecoder::new(file))),
        false => Box::new(file),
    };
    let mut number = 0;
    let mut buffer = Vec::new();
    let mut records: Option<Vec<Record>> = None;
    let mut cases = 0;
    loop {
        buffer.clear();
        number += 1;
        let damaged = |message: String| SiteError::History { path: path.to_owned(), line: number, message };
        let length = (&mut lines).take(MAX_LINE_BYTES).read_until(b'\n', &mut buffer);
        match length.map_err(|error| damaged(error.to_string()))? {
            0 => break,
            _ if buffer.last() != Some(&b'\n') => return Err(damaged("the line is cut off, or too long".to_owned())),
            _ => {}
        }
        match &mut records {
            None => records = Some(read_head(&buffer).map_err(damaged)?),
            Some(records) => read_operator(&buffer, records, &mut cases).map_err(damaged)?,
        }
    }
    // The first line has the counts of verdicts, to which the results in the other lines have to add up.
    let damaged = |message: String| SiteError::History { path: path.to_owned(), line: 1, message };
    let records = records.ok_or_else(|| damaged("the file is empty".to_owned()))?;
    for record in &records {
        let Some(operators) = &record.operators else { continue };
        let mut verdicts = Counts::default();
        for operator in operators.values() {
            operator.cells.values().for_each(|cell| verdicts.merge(&operator.verdicts(cell)));
        }
        if verdicts != record.facts.verdicts {
            let label = record.facts.label();
            return Err(damaged(format!(
                "the verdicts of the results of {label} do not add up to the counts in the first line"
            )));
        }
    }
    Ok(records)
}

fn read_head(line: &[u8]) -> Result<Vec<Record>, String> {
    let head: Head = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if head.format != FORMAT {
        return Err(format!("the format is {}, and this version of Plumbline reads {FORMAT}", head.format));
    }
    let record = |run: Run| Record { facts: run.facts, operators: run.results.then(Operators::new) };
    Ok(head.runs.into_iter().map(record).collect())
}

/// Reads the line of an operator, and adds its results to the runs in `records`. `cases` counts the cases of the file.
fn read_operator(line: &[u8], records: &mut [Record], cases: &mut usize) -> Result<(), String> {
    let line: OperatorLine = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    // For each run, the operator's record, and a map from the place of a state in the line to its place in the record.
    let mut runs: BTreeMap<usize, (OperatorRecord, BTreeMap<usize, usize>)> = BTreeMap::new();
    for (place, state) in line.states.into_iter().enumerate() {
        if !state.verdict.is_bad() {
            return Err(format!("{} is not the verdict of a failing case", state.verdict));
        }
        for Example { runs: places, case, detail } in state.examples {
            for at in places {
                let (operator, moved) = runs.entry(at).or_default();
                moved.insert(place, operator.states.len());
                let (case, detail, signature) = (case.clone(), detail.clone(), state.signature.clone());
                let StateLine { verdict, kind, .. } = state;
                operator.states.push(StateRecord { verdict, kind, signature, case, detail });
            }
        }
    }
    // Earlier versions of Plumbline wrote a domain even for graphs of several operators. It is dropped here.
    let newest = line.cells.iter().map(|cell| cell.since).max().unwrap_or(1);
    let domain = shown_domain(newest, line.domain);
    for CellLine { since, types, results } in line.cells {
        for cell in results {
            for &at in &cell.runs {
                let (operator, moved) = runs.entry(at).or_default();
                let suites = cell.decode(moved, cases)?;
                let (max_ulp, max_ulp_passing) = (cell.max_ulp, cell.max_ulp_passing);
                let read = CellRecord { types: types.clone(), max_ulp, max_ulp_passing, suites };
                if operator.cells.insert((since, types_key(&types)), read).is_some() {
                    return Err(format!("run {at} has a cell of {}-{since} twice", line.op));
                }
            }
        }
    }
    for (at, (operator, _)) in runs {
        let operators = records.get_mut(at).and_then(|record| record.operators.as_mut());
        let operators = operators.ok_or_else(|| format!("there is no run {at} with results"))?;
        if operators.insert((domain.clone(), line.op.clone()), operator).is_some() {
            return Err(format!("run {at} has two lines of {}", line.op));
        }
    }
    Ok(())
}

impl CellResults {
    /// Returns whether both have the same results. Their runs may differ.
    fn is_like(&self, other: &CellResults) -> bool {
        (self.max_ulp, self.max_ulp_passing, &self.suites) == (other.max_ulp, other.max_ulp_passing, &other.suites)
    }

    fn decode(&self, moved: &BTreeMap<usize, usize>, cases: &mut usize) -> Result<Groups, String> {
        let mut suites = BTreeMap::new();
        for (suite, groups) in &self.suites {
            let mut decoded = BTreeMap::new();
            for (template, text) in groups {
                let mut codes = decode(text).ok_or_else(|| format!("`{text}` is not a row of results"))?;
                *cases += codes.len();
                if *cases > MAX_CASES {
                    return Err(format!("the file has more than {MAX_CASES} cases"));
                }
                for code in &mut codes {
                    if let Some(place) = code.place() {
                        let found = moved.get(&place);
                        let found = found.ok_or_else(|| format!("`{text}` names a state without an example"))?;
                        *code = Code::state(*found);
                    }
                }
                decoded.insert(template.clone(), codes);
            }
            suites.insert(suite.clone(), decoded);
        }
        Ok(suites)
    }
}
