//! Checks that the values which matter to an operator occur: one special element at each end of a row of ordinary ones
//! and inside of it, the ends of int64 in attributes, and each combination of outputs. `PLUMBLINE_OP=Min` looks at one
//! operator only.

use std::collections::{BTreeMap, BTreeSet};

use plumbline_generator::{Case, Cell};
use plumbline_graph::RefusalKind;
use plumbline_oracle::Oracle;
use plumbline_spec::{AttributeKind, FormalOption};
use plumbline_tensor::onnx::{AttributeProto, NodeProto};
use plumbline_tensor::{Tensor, Value};
use rayon::prelude::*;

use crate::by_operator;

/// The number of cases per cell among which an operator's values have to occur.
const CASES: u64 = 64;
/// The number of cases per operator that are looked at, if it has few cells.
const CASES_OF_OPERATOR: u64 = 1200;
/// The number of cases per attribute that are changed to see how the oracle reacts. For combinations of outputs, four
/// times as many cases per operator version are changed.
const CHANGED: usize = 12;
/// The inputs of a case that is changed have fewer elements than this.
const FEW_ELEMENTS: usize = 200;
/// A tensor of fewer elements than this has no middle.
const WITH_A_MIDDLE: usize = 3;

/// Collects what each operator lacks, in the order of the operators.
fn lacking(of_operator: impl Fn(&str, &[Cell]) -> Vec<String> + Sync) -> Vec<String> {
    by_operator().par_iter().flat_map(|(name, cells)| of_operator(name, cells)).collect()
}

/// Draws the cases of an operator, the first case of each cell first. Includes negative cases if `negative` is set.
fn drawn(cells: &[Cell], negative: bool) -> impl Iterator<Item = Case> {
    let cases = CASES.max(CASES_OF_OPERATOR / cells.len() as u64);
    (0..cases).flat_map(move |index| {
        cells.iter().flat_map(move |cell| {
            let labels = if negative { cell.negatives() } else { vec![] };
            let labels = std::iter::once(None).chain(labels.into_iter().map(Some));
            labels.filter_map(move |label| cell.case(label, index, 5)).collect::<Vec<Case>>()
        })
    })
}

fn tensors(value: &Value) -> Vec<&Tensor> {
    match value {
        Value::Tensor(tensor) => vec![tensor],
        Value::Sequence { items, .. } | Value::Map { items, .. } => items.iter().flat_map(tensors).collect(),
        Value::Optional { item, .. } => item.iter().flat_map(|item| tensors(item)).collect(),
        Value::SparseTensor(_) => vec![],
    }
}

fn is_small(case: &Case) -> bool {
    case.inputs.iter().flat_map(tensors).map(Tensor::len).sum::<usize>() < FEW_ELEMENTS
}

fn node(case: &Case) -> &NodeProto {
    case.model.proto.graph.as_ref().and_then(|graph| graph.node.last()).unwrap()
}

#[test]
fn a_special_element_stands_alone_at_each_place() {
    let lacking = lacking(|name, cells| {
        let mut places: BTreeSet<String> = BTreeSet::new();
        let mut special = false;
        for case in drawn(cells, false) {
            places.extend(case.features.iter().filter(|f| f.starts_with("one special element")).cloned());
            if places.len() == 3 {
                return vec![];
            }
            // An operator that never gets special elements need not get one that stands alone.
            let floats = |t: &&Tensor| t.dtype().float_format().is_some() && t.len() >= WITH_A_MIDDLE;
            let mut floats = case.inputs.iter().flat_map(tensors).filter(floats);
            special |= floats.any(|t| (0..t.len()).any(|i| !t.f64_at(i).is_finite()));
        }
        let lacks = || format!("{name}: a special element has to stand alone at three places, found {places:?}");
        if special { vec![lacks()] } else { vec![] }
    });
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

/// What the oracle does with a case after the first number of an attribute is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    Answered,
    /// A rule leaves the answer open, the number makes no difference, or the oracle refuses the case for a reason other
    /// than an invalid model (such as an answer that would be too large).
    Open,
    Refused,
}

fn ints(attribute: &AttributeProto) -> Vec<i64> {
    attribute.i.into_iter().chain(attribute.ints.iter().copied()).collect()
}

/// Returns the case after `change` was applied to the first number of an attribute.
fn with_changed(case: &Case, name: &str, change: impl Fn(i64) -> i64) -> Case {
    let mut case = case.clone();
    let node = case.model.proto.graph.as_mut().and_then(|graph| graph.node.last_mut()).unwrap();
    let attribute = node.attribute.iter_mut().find(|a| a.name.as_deref() == Some(name)).unwrap();
    attribute.i.iter_mut().chain(attribute.ints.first_mut()).for_each(|i| *i = change(*i));
    case
}

fn taken(oracle: &Oracle, case: &Case, changed: &Case) -> Taken {
    match oracle.evaluate(&changed.model, &changed.inputs) {
        Ok(evaluation) => {
            let usual = oracle.answer(&case.model, &case.inputs).ok();
            let open = !evaluation.open.is_empty() || usual.is_some_and(|usual| usual == evaluation.outputs);
            if open { Taken::Open } else { Taken::Answered }
        }
        Err(refusal) if refusal.kind == RefusalKind::Invalid => Taken::Refused,
        Err(_) => Taken::Open,
    }
}

/// The numbers of one attribute in valid and in negative cases, and small valid cases that give the attribute.
#[derive(Default)]
struct Numbers {
    valid: BTreeSet<i64>,
    negative: BTreeSet<i64>,
    cases: Vec<Case>,
}

impl Numbers {
    /// Returns whether the attribute is 0 or 1 in every valid case.
    fn is_flag(&self) -> bool {
        self.valid.iter().all(|number| [0, 1].contains(number))
    }

    /// Returns whether the attribute has to agree with something else in its case: the oracle refuses both neighbours
    /// of its number.
    fn has_to_agree(&self, oracle: &Oracle, name: &str) -> bool {
        let refused = |case: &Case, by: i64| {
            let changed = with_changed(case, name, |number| number.wrapping_add(by));
            changed == *case || taken(oracle, case, &changed) == Taken::Refused
        };
        self.cases.iter().all(|case| [-1, 1].into_iter().all(|by| refused(case, by)))
    }
}

#[test]
fn integer_attributes_hold_the_ends_of_int64() {
    let oracle = Oracle::default();
    let lacking = lacking(|operator, cells| {
        let mut all: BTreeMap<String, Numbers> = BTreeMap::new();
        let has_integers = |cell: &&Cell| {
            let mut kinds = cell.version.attributes.iter().map(|attribute| attribute.kind);
            kinds.any(|kind| matches!(kind, AttributeKind::Int | AttributeKind::Ints))
        };
        let cells: Vec<Cell> = cells.iter().filter(has_integers).cloned().collect();
        if cells.is_empty() {
            return vec![];
        }
        for case in drawn(&cells, true) {
            for attribute in &node(&case).attribute {
                let numbers = ints(attribute);
                if numbers.is_empty() {
                    continue;
                }
                let of_it = all.entry(attribute.name.clone().unwrap()).or_default();
                if case.violates.is_some() {
                    of_it.negative.extend(numbers);
                    continue;
                }
                of_it.valid.extend(numbers);
                if is_small(&case) && of_it.cases.len() < CHANGED {
                    of_it.cases.push(case.clone());
                }
            }
        }
        let mut lacks = Vec::new();
        let numbers = all.iter().filter(|(_, of_it)| !of_it.valid.is_empty() && !of_it.is_flag());
        for (name, of_it) in numbers.filter(|(name, of_it)| !of_it.has_to_agree(&oracle, name)) {
            for end in [i64::MIN, i64::MAX] {
                let taken = of_it.cases.iter().map(|case| taken(&oracle, case, &with_changed(case, name, |_| end)));
                let taken: BTreeSet<Taken> = taken.collect();
                let lacks_it = match taken.iter().collect::<Vec<_>>()[..] {
                    [Taken::Answered] => !of_it.valid.contains(&end),
                    [Taken::Refused] => !of_it.negative.contains(&end),
                    _ => false,
                };
                if lacks_it {
                    lacks.push(format!("{operator}: no case has {name} = {end}; changed cases with it are {taken:?}"));
                }
            }
        }
        lacks
    });
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

/// Returns which of the outputs the node names.
fn named(case: &Case, count: usize) -> Vec<bool> {
    let output = &node(case).output;
    (0..count).map(|at| output.get(at).is_some_and(|name| !name.is_empty())).collect()
}

/// Returns the case with these outputs named instead.
fn naming(case: &Case, wanted: &[bool]) -> Case {
    let mut case = case.clone();
    let graph = case.model.proto.graph.as_mut().unwrap();
    let node = graph.node.last_mut().unwrap();
    let mut values = Vec::new();
    for (at, wanted) in wanted.iter().enumerate() {
        let name = node.output.get(at).cloned().unwrap_or_default();
        let value = graph.output.iter().find(|value| value.name.as_deref() == Some(&name) && !name.is_empty());
        if at >= node.output.len() {
            node.output.push(String::new());
        }
        if !wanted {
            node.output[at] = String::new();
        } else if let Some(value) = value {
            values.push(value.clone());
        } else {
            let name = format!("output_{at}");
            values.push(plumbline_generator::value_info(&name, &case.inputs[0].kind(), None));
            node.output[at] = name;
        }
    }
    while node.output.last().is_some_and(String::is_empty) {
        node.output.pop();
    }
    graph.output = values;
    case
}

#[test]
fn each_combination_of_outputs_is_drawn() {
    let oracle = Oracle::default();
    let lacking = lacking(|_, cells| {
        let mut lacks = Vec::new();
        let versions: BTreeSet<u32> = cells.iter().map(|cell| cell.version.since()).collect();
        for since in versions {
            let cells: Vec<Cell> = cells.iter().filter(|cell| cell.version.since() == since).cloned().collect();
            let version = cells[0].version;
            let outputs = &version.outputs;
            if outputs.len() < 2 || outputs.iter().any(|output| output.option == FormalOption::Variadic) {
                continue;
            }
            let mut reached: BTreeSet<Vec<bool>> = BTreeSet::new();
            let mut small = Vec::new();
            for case in drawn(&cells, false) {
                reached.insert(named(&case, outputs.len()));
                if is_small(&case) && small.len() < 4 * CHANGED && !case.inputs.is_empty() {
                    small.push(case);
                }
            }
            let all = (1..1u32 << outputs.len()).map(|set| (0..outputs.len()).map(|at| set >> at & 1 == 1).collect());
            for wanted in all.filter(|wanted: &Vec<bool>| !reached.contains(wanted)) {
                let is_optional = |at: usize| outputs[at].option == FormalOption::Optional;
                let may_be = wanted.iter().enumerate().all(|(at, wanted)| *wanted || is_optional(at));
                // If the oracle refuses this combination in every case, it is not valid.
                let answers = |case: &Case| {
                    let case = naming(case, &wanted);
                    oracle.answer(&case.model, &case.inputs).is_ok()
                };
                if may_be && small.iter().any(answers) {
                    lacks.push(format!("{}: no case names the outputs {wanted:?}", version.id));
                }
            }
        }
        lacks
    });
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}
