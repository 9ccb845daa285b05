//! Judges each node on the values that an implementation itself had as the node's inputs.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::time::Instant;

use plumbline_backend::Observation;
use plumbline_judge::{FailKind, Judgement, Reason, Right, error_ratios, explained, judge_in_detail};
use plumbline_oracle::{Evaluation, Limit, OpenRule, Operand, Oracle};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind};
use rayon::prelude::*;

use super::effort::Effort;
use super::error::JudgeError;
use super::given::Values;
use super::report::{Incomplete, NodeJudgement, NodeOutcome, OutputJudgement};
use crate::cases::{Layout, NodePlace, Part, named_outputs};

/// At most this many elements of each value are listed.
const MOST_LISTED: usize = 16;

/// Why a node was not judged.
const NOT_GIVEN: &str = "no value of its outputs is given";
const LATE: &str = "the work ended before";

/// Compares values with what the oracle accepts for them: `evaluation` is its answer for a model and its inputs.
/// Returns the judgement of all values, and that of each value.
pub(super) fn judge_values(
    reference: &Oracle,
    asked: (&Model, &[Value]),
    evaluation: Evaluation,
    names: &[&str],
    values: Vec<Value>,
) -> (Judgement, Vec<OutputJudgement>) {
    let open = evaluation.open.clone();
    let right = Right::from(evaluation);
    let (whole, mut tallies) = judge_in_detail(&right, names, &values, MOST_LISTED);
    let observation = Observation::Outputs { values, seconds: 0.0 };
    let mut whole = explained(whole, reference, asked, &right, &observation);
    let ratios = error_ratios(&whole, reference, asked, &right, &observation);
    for (tally, ratio) in tallies.iter_mut().zip(&ratios) {
        tally.judgement.error_ratio = *ratio;
    }
    whole.error_ratio = ratios.into_iter().flatten().reduce(f64::max);
    if let Reason::Inaccurate { by, error, .. } = whole.reason {
        for tally in tallies.iter_mut().filter(|tally| tally.judgement.kind == Some(FailKind::WrongValue)) {
            tally.judgement = tally.judgement.clone().inaccurate(by, error);
        }
    }
    let Observation::Outputs { values, .. } = observation else { return (whole, vec![]) };
    let each = tallies.into_iter().zip(names.iter().zip(&values)).map(|(tally, (name, value))| {
        let mut elements = tally.elements;
        for element in &mut elements {
            let says =
                |rule: &OpenRule| Some(rule.behaviour?.text.as_str()).filter(|_| Some(rule.label) == element.rule);
            element.rule_text = open.iter().find_map(says);
        }
        OutputJudgement { wrong: tally.wrong, elements, ..OutputJudgement::new(name, value, tally.judgement) }
    });
    (whole, each.collect())
}

/// The nodes of a model, and the values that an implementation had at their inputs and outputs.
pub(super) struct Nodes<'a> {
    pub reference: &'a Oracle,
    pub layout: &'a Layout<'a>,
    /// The inputs of the model.
    pub inputs: HashMap<&'a str, Value>,
    /// The types of the values, as far as they are known without computing them.
    pub kinds: &'a HashMap<String, ValueKind>,
}

/// The outcome of judging one node, before it is known which wrong nodes come before it.
pub(super) struct Found {
    /// The nodes before it that were judged together with it.
    together_with: Vec<NodePlace>,
    /// How many steps the oracle took for each node that it ran for this judgement.
    steps: Vec<(usize, u64)>,
    outcome: NodeOutcome,
}

/// The judgements of the nodes of a model.
#[derive(Default)]
pub(super) struct JudgedNodes {
    /// The judgement of each node; empty if no values are known.
    pub nodes: Vec<NodeJudgement>,
    /// How many steps the oracle took for each node, 0 for one that it did not run.
    steps: Vec<u64>,
}

impl JudgedNodes {
    /// Returns the node at which the nodes from the first on have taken more steps than this together.
    pub fn beyond(&self, most: u64) -> Option<usize> {
        let mut all = 0u64;
        self.steps.iter().position(|count| {
            all = all.saturating_add(*count);
            all > most
        })
    }
}

impl Nodes<'_> {
    /// Judges some nodes, several at the same time, on these values of one run. `given` has the outputs of the model and
    /// intermediate values. Returns what was found in the order of the nodes.
    pub fn judge(&self, nodes: Range<usize>, given: &Values, effort: &Effort) -> Result<Vec<Found>, JudgeError> {
        let largest = nodes.clone().map(|at| self.elements(at, given)).max().unwrap_or(0);
        let run = || {
            let each = nodes.clone().map(|at| (at, self.layout.place(at))).collect::<Vec<_>>().into_iter();
            // In the order of the nodes, so that what is known when the work is ended early is a first part.
            let found = each.par_bridge().map(|(at, place)| {
                let start = Instant::now();
                let found = self.judge_one(at, given, effort)?;
                effort.watch.judged(&place, start.elapsed());
                Ok((at, found))
            });
            found.collect::<Result<BTreeMap<usize, Found>, JudgeError>>()
        };
        let jobs = effort.jobs_for(largest);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        // Without threads of its own, a program judges with those that all its parts share.
        let found = pool.map_or_else(|_| run(), |pool| pool.install(run))?;
        Ok(found.into_values().collect())
    }

    /// Returns how many elements the values of a node have that are in memory.
    fn elements(&self, at: usize, given: &Values) -> usize {
        let outputs = named_outputs(&self.layout.nodes()[at]);
        let values = self.layout.reads(at).iter().copied().chain(outputs).filter_map(|name| given.in_memory(name));
        values.flat_map(Value::tensors).map(Tensor::len).sum()
    }

    /// Returns the value of this name, if it is an input of the model or given.
    fn known(&self, name: &str, given: &Values) -> Result<Option<Value>, JudgeError> {
        if let Some(value) = self.inputs.get(name) {
            return Ok(Some(value.clone()));
        }
        match given.has(name) && self.layout.producer(name).is_some() {
            true => given.read_as(name, &self.kind(name, given)?),
            false => Ok(None),
        }
    }

    /// Returns the type of a value, which is needed to read its file. It is computed if nothing else says it.
    fn kind(&self, name: &str, given: &Values) -> Result<ValueKind, JudgeError> {
        if let Some(kind) = given.in_memory(name).map(Value::kind).or_else(|| self.kinds.get(name).cloned()) {
            return Ok(kind);
        }
        let computed = match self.layout.producer(name) {
            Some(at) => {
                let (part, inputs) = self.part(at, &[name], given)?;
                let outputs = self.reference.answer(&part.model, &inputs).ok();
                outputs.and_then(|outputs| outputs.first().map(Operand::kind))
            }
            None => None,
        };
        // Most values are tensors; the element type does not matter for reading one.
        Ok(computed.unwrap_or(ValueKind::Tensor(DType::Float)))
    }

    /// Returns the part of the model that computes these outputs of a node from known values, and these values.
    fn part(&self, at: usize, names: &[&str], given: &Values) -> Result<(Part, Vec<Value>), JudgeError> {
        let mut values: HashMap<String, Value> = HashMap::new();
        let mut failed = None;
        let part = self.layout.part(at, names, &mut |name| match self.known(name, given) {
            Ok(value) => {
                let kind = value.as_ref().map(Value::kind);
                values.extend(value.map(|value| (name.to_owned(), value)));
                kind
            }
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let inputs = part.inputs.iter().filter_map(|name| values.remove(name)).collect();
        Ok((part, inputs))
    }

    fn judge_one(&self, at: usize, given: &Values, effort: &Effort) -> Result<Found, JudgeError> {
        let node = &self.layout.nodes()[at];
        let names: Vec<&str> = named_outputs(node).filter(|name| given.has(name)).collect();
        let not_judged = |reason: &str, is_late| {
            let outcome = NodeOutcome::NotJudged { reason: reason.to_owned(), is_late };
            Found { together_with: vec![], steps: vec![], outcome }
        };
        if names.is_empty() {
            return Ok(not_judged(if is_constant(node) { "a constant" } else { NOT_GIVEN }, false));
        }
        if effort.stop.is_due() {
            return Ok(not_judged(LATE, true));
        }
        let (part, inputs) = self.part(at, &names, given)?;
        let before = part.nodes.iter().filter(|&&before| before != at && !is_constant(&self.layout.nodes()[before]));
        let together_with = before.map(|&before| self.layout.place(before)).collect();
        let mut steps = Vec::new();
        let outcome = match self.reference.evaluate_located(&part.model, &inputs) {
            Ok(evaluation) => {
                steps.extend(part.nodes.iter().copied().zip(evaluation.steps.iter().copied()));
                let mut values = Vec::new();
                for (name, operand) in names.iter().zip(&evaluation.outputs) {
                    values.extend(given.read_as(name, &operand.kind())?);
                }
                let (whole, outputs) =
                    judge_values(self.reference, (&part.model, &inputs[..]), evaluation, &names, values);
                NodeOutcome::Judged { verdict: whole.verdict, kind: whole.kind, detail: whole.detail(), outputs }
            }
            Err(stopped) if stopped.refusal.limit == Some(Limit::Time) => {
                NodeOutcome::NotJudged { reason: LATE.to_owned(), is_late: true }
            }
            Err(mut stopped) => {
                stopped.node = stopped.node.and_then(|inner| part.nodes.get(inner).copied());
                let reason = JudgeError::stopped(self.layout, self.reference.budget(), stopped).to_string();
                NodeOutcome::NotJudged { reason, is_late: false }
            }
        };
        Ok(Found { together_with, steps, outcome })
    }

    /// Returns the judgements of all nodes, with the wrong nodes that each depends on. `found` has the outcomes of the
    /// nodes from the first on, in their order.
    pub fn conclude(&self, found: Vec<Found>) -> JudgedNodes {
        let mut judged: Vec<NodeJudgement> = Vec::new();
        let mut steps = vec![0; found.len()];
        for (at, Found { together_with, steps: taken, outcome }) in found.into_iter().enumerate() {
            taken.into_iter().for_each(|(at, count)| steps[at] = count);
            let mut after_wrong: Vec<usize> = Vec::new();
            for before in self.layout.reads(at).iter().filter_map(|name| judged.get(self.layout.producer(name)?)) {
                after_wrong.extend(before.is_wrong().then_some(before.node.index));
                after_wrong.extend(&before.after_wrong);
            }
            after_wrong.sort_unstable();
            after_wrong.dedup();
            judged.push(NodeJudgement { node: self.layout.place(at), together_with, outcome, after_wrong });
        }
        JudgedNodes { nodes: judged, steps }
    }
}

/// Returns how far the judgement of these nodes got, if it ended early.
pub(super) fn incomplete(nodes: &[NodeJudgement]) -> Option<Incomplete> {
    let late = nodes.iter().filter(|node| matches!(node.outcome, NodeOutcome::NotJudged { is_late: true, .. })).count();
    let judged = nodes.iter().filter(|node| node.verdict().is_some()).count();
    (late > 0).then_some(Incomplete { judged, nodes: judged + late })
}

/// Returns whether a node is a `Constant`, which gives the same value for all inputs of the model.
fn is_constant(node: &NodeProto) -> bool {
    node.op_type.as_deref() == Some("Constant")
}
