//! What a site keeps of the results of one backend in one run: a few bytes for each case.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use plumbline_conformance::{CaseResult, FailKind, Verdict};
use serde::{Deserialize, Serialize};

use super::codes::{Code, MAX_STATES, join, split};
use crate::Counts;
use crate::aggregate::shown_domain;
use crate::text::{shorten, shorten_key};

/// The largest length at which a name, a signature or an id is kept unchanged.
const MAX_NAME_BYTES: usize = 256;
/// The largest length at which the detail of an example is kept unchanged.
const MAX_DETAIL_BYTES: usize = 240;

/// The facts about a backend in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFacts {
    /// The name of the backend: `onnxruntime`.
    pub name: String,
    /// The version of the backend, if it has one.
    pub version: Option<String>,
    /// The name that selects the backend on the command line: `onnxruntime@1.31.1`.
    pub selector: Option<String>,
    /// The time at which the run started.
    pub started: String,
    /// The seed of the run.
    pub seed: String,
    /// The profile of the run.
    pub profile: String,
    /// The version of Plumbline.
    pub project_version: String,
    /// Why results are missing, if the run was interrupted.
    pub incomplete: Option<String>,
    /// The number of results with each verdict.
    pub verdicts: Counts,
}

impl RunFacts {
    /// Returns the name of the backend with its version: `onnxruntime 1.31.1`.
    pub fn label(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }

    /// Returns what decides which cases a run has: seed, profile and version of Plumbline. Only runs that agree in all
    /// three are compared.
    pub fn basis(&self) -> [&str; 3] {
        [&self.seed, &self.profile, &self.project_version]
    }
}

/// An operator, by its domain and name.
pub(super) type OperatorKey = (String, String);
/// The operators of a record.
pub(super) type Operators = BTreeMap<OperatorKey, OperatorRecord>;
/// A cell of an operator: the operator's version, and the type variable with its type, `T=float`, or `-` if there is no
/// type variable.
pub(super) type CellKey = (u32, String);
/// The results of each suite, by the template of the ids of cases (see [`split`]). The number in a case's id is the
/// place of the case's code.
pub(super) type Groups = BTreeMap<String, BTreeMap<String, Vec<Code>>>;

/// The results of an operator.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OperatorRecord {
    /// The ways in which its cases fail.
    pub states: Vec<StateRecord>,
    pub cells: BTreeMap<CellKey, CellRecord>,
}

/// A way in which cases of an operator fail, with an example.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateRecord {
    pub verdict: Verdict,
    pub kind: Option<FailKind>,
    pub signature: Option<String>,
    /// The shortest id of such a case, and the first in alphabetical order if several are as short.
    pub case: String,
    /// What happened to this case.
    pub detail: Option<String>,
}

impl StateRecord {
    /// Returns what the state is, without its example.
    pub fn key(&self) -> StateKey {
        (self.verdict, self.kind, self.signature.clone())
    }
}

/// The results of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CellRecord {
    pub types: BTreeMap<String, String>,
    pub max_ulp: Option<f64>,
    pub max_ulp_passing: Option<f64>,
    pub suites: Groups,
}

/// The path of a cell in the ids of its cases: `Min-13/T=float16`.
pub(super) fn cell_path((domain, op): &OperatorKey, (since, types): &CellKey) -> String {
    format!("{}-{since}/{types}", qualified(domain, op))
}

/// The name of an operator with its domain, unless it is ONNX's own: `Min`, `ai.onnx.ml.Scaler`.
pub(super) fn qualified(domain: &str, op: &str) -> String {
    match domain {
        "" | "ai.onnx" => op.to_owned(),
        _ => format!("{domain}.{op}"),
    }
}

/// Returns the type variable of a cell: the one that is named in the id of the case, or else the first one.
///
/// The other variables may be bound to different types in the cases of a cell.
fn cell_types(case: &str, operator: &str, types: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let named = |(variable, bound): &(&String, &String)| case.contains(&format!("{operator}/{variable}={bound}/"));
    let found = types.iter().find(named).or_else(|| types.iter().next());
    found.map(|(variable, bound)| (variable.clone(), bound.clone())).into_iter().collect()
}

/// Returns the type variable of a cell as it stands in the ids of cases: `T=float`, or `-`.
pub(super) fn types_key(types: &BTreeMap<String, String>) -> String {
    match types.is_empty() {
        true => "-".to_owned(),
        false => types.iter().map(|(variable, bound)| format!("{variable}={bound}")).collect::<Vec<_>>().join(","),
    }
}

impl OperatorRecord {
    /// Returns the verdict of a code, and the state if it has one. Returns `None` for a missing case.
    pub fn meaning(&self, code: Code) -> Option<(Verdict, Option<&StateRecord>)> {
        match code.place() {
            Some(place) => self.states.get(place).map(|state| (state.verdict, Some(state))),
            None => code.verdict().map(|verdict| (verdict, None)),
        }
    }

    /// Returns the number of results of a cell with each verdict.
    pub fn verdicts(&self, cell: &CellRecord) -> Counts {
        let mut counts = Counts::default();
        for code in cell.codes() {
            if let Some((verdict, _)) = self.meaning(code) {
                *counts.of_mut(verdict) += 1;
            }
        }
        counts
    }

    /// Returns the results in the order of the cells, without distances and times. A failed result has its detail only
    /// if its case is the example of its state.
    pub fn rows<'a>(&'a self, key: &'a OperatorKey, backend: &'a str) -> impl Iterator<Item = CaseResult> + 'a {
        self.cells.iter().flat_map(move |(cell_key, cell)| {
            let path = cell_path(key, cell_key);
            let groups = cell.suites.iter().flat_map(|(suite, groups)| groups.iter().map(move |group| (suite, group)));
            groups.flat_map(move |(suite, (template, codes))| {
                let path = path.clone();
                let numbered = codes.iter().enumerate();
                numbered.filter_map(move |(number, &code)| {
                    let (verdict, state) = self.meaning(code)?;
                    let case = join(template, number, &path);
                    let detail = state.filter(|state| state.case == case).and_then(|state| state.detail.clone());
                    Some(CaseResult {
                        case,
                        suite: suite.clone(),
                        domain: key.0.clone(),
                        op: key.1.clone(),
                        since: cell_key.0,
                        types: cell.types.clone(),
                        backend: backend.to_owned(),
                        verdict,
                        kind: state.and_then(|state| state.kind),
                        signature: state.and_then(|state| state.signature.clone()),
                        detail,
                        ..CaseResult::default()
                    })
                })
            })
        })
    }
}

impl CellRecord {
    /// Returns the codes of all cases, and [`Code::MISSING`] where a number has no case.
    pub fn codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.suites.values().flat_map(BTreeMap::values).flatten().copied()
    }
}

/// Takes the results of one backend, one by one.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    operators: BTreeMap<OperatorKey, OperatorRecord>,
    /// For each operator, the place of each state in its list of states.
    places: BTreeMap<OperatorKey, BTreeMap<StateKey, usize>>,
    pub verdicts: Counts,
}

pub(super) type StateKey = (Verdict, Option<FailKind>, Option<String>);

impl Recorder {
    /// Takes a result. If there already is a result of the same case, that one stays, and this returns `false`.
    #[must_use]
    pub fn add(&mut self, result: CaseResult) -> bool {
        let name = |text| shorten_key(text, MAX_NAME_BYTES);
        let types: BTreeMap<String, String> =
            result.types.into_iter().map(|(variable, bound)| (name(variable), name(bound))).collect();
        let key = (name(shown_domain(result.since, result.domain)), name(result.op));
        let case = name(result.case);
        let types = cell_types(&case, &format!("{}-{}", qualified(&key.0, &key.1), result.since), types);
        let cell_key = (result.since, types_key(&types));
        let (template, number) = split(&case, &cell_path(&key, &cell_key));
        let operator = self.operators.entry(key.clone()).or_default();
        let code = match Code::plain(result.verdict) {
            Some(code) => code,
            None => {
                let places = self.places.entry(key).or_default();
                let signature = result.signature.map(name).filter(|_| places.len() < MAX_STATES - 64);
                let detail = result.detail.map(|text| shorten(&text, MAX_DETAIL_BYTES));
                let state = StateRecord { verdict: result.verdict, kind: result.kind, signature, case, detail };
                operator.note(places, state)
            }
        };
        let cell = operator.cells.entry(cell_key).or_insert_with(|| CellRecord { types, ..CellRecord::default() });
        let codes = cell.suites.entry(name(result.suite)).or_default().entry(template).or_default();
        if codes.len() <= number {
            codes.resize(number + 1, Code::MISSING);
        }
        if codes[number] != Code::MISSING {
            return false;
        }
        codes[number] = code;
        *self.verdicts.of_mut(result.verdict) += 1;
        raise(&mut cell.max_ulp, result.max_ulp);
        if result.verdict == Verdict::Pass {
            raise(&mut cell.max_ulp_passing, result.max_ulp);
        }
        true
    }

    /// Returns the operators. The order of the results makes no difference, unless an operator has so many states that
    /// signatures were left out.
    pub fn finish(mut self) -> Operators {
        for (key, operator) in &mut self.operators {
            let Some(places) = self.places.remove(key) else { continue };
            operator.sort_states(&places);
        }
        self.operators
    }
}

impl OperatorRecord {
    /// Returns the code of a state, and adds the state if it is new. The case with the shortest id becomes its example.
    fn note(&mut self, places: &mut BTreeMap<StateKey, usize>, state: StateRecord) -> Code {
        let place = match places.entry((state.verdict, state.kind, state.signature.clone())) {
            Entry::Occupied(known) => {
                let known_state = &mut self.states[*known.get()];
                if (state.case.len(), &state.case) < (known_state.case.len(), &known_state.case) {
                    known_state.case = state.case;
                    known_state.detail = state.detail;
                }
                *known.get()
            }
            Entry::Vacant(new) => {
                self.states.push(state);
                *new.insert(self.states.len() - 1)
            }
        };
        Code::state(place)
    }

    /// Sorts the states by verdict, kind and signature.
    fn sort_states(&mut self, places: &BTreeMap<StateKey, usize>) {
        let mut moved = vec![0; self.states.len()];
        places.values().enumerate().for_each(|(new, &old)| moved[old] = new);
        self.states = places.values().map(|&old| self.states[old].clone()).collect();
        let groups = self.cells.values_mut().flat_map(|cell| cell.suites.values_mut());
        for code in groups.flat_map(BTreeMap::values_mut).flatten() {
            if let Some(place) = code.place() {
                *code = Code::state(moved[place]);
            }
        }
    }
}

/// Rounds a distance up to three significant digits, and raises `most` to the result if that is larger. NaN counts as
/// no value.
fn raise(most: &mut Option<f64>, value: Option<f64>) {
    let Some(value) = value.filter(|value| !value.is_nan()).map(round_up) else { return };
    if most.is_none_or(|most| value > most) {
        *most = Some(value);
    }
}

/// Rounds a distance up to three significant digits, so that it never says less than was found. Infinity and numbers
/// above 1e300 become the largest finite number, because JSON has no infinity.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    if value.is_infinite() || value > 1e300 {
        return f64::MAX;
    }
    let scale = 10f64.powi(2 - value.log10().floor() as i32);
    let rounded = (value * scale).ceil() / scale;
    // The division may give 64799999.99999999 for 64800000. Both have the same text with three digits.
    let text: f64 = format!("{rounded:.2e}").parse().unwrap_or(rounded);
    if text >= value { text } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_rounded_up() {
        for (value, rounded) in [
            (0.0, 0.0),
            (-1.0, 0.0),
            (0.5, 0.5),
            (1.0, 1.0),
            (1.2341, 1.24),
            (123_456.0, 124_000.0),
            (0.3, 0.3),
            (f64::INFINITY, f64::MAX),
        ] {
            assert_eq!(round_up(value), rounded);
        }
        for at in 1..2000 {
            let value = 1.37f64.powi(at - 1000);
            assert!(
                round_up(value) >= value && round_up(value) <= (value * 1.011).max(f64::MIN_POSITIVE) || value > 1e300,
                "{value}"
            );
        }
    }
}
