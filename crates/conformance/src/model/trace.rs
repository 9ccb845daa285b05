//! Runs a model on a backend, as it is and with its intermediate values as outputs, and judges outputs and values.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::time::Duration;

use plumbline_backend::{Job, Observation};
use plumbline_generator::value_info;
use plumbline_judge::{Right, judge as judge_observation, same_bits};
use plumbline_oracle::{Budget, Oracle, RefusalKind};
use plumbline_tensor::onnx::NodeProto;
use plumbline_tensor::{DType, Model, Value, ValueKind};

use super::effort::Effort;
use super::error::JudgeError;
use super::given::Values;
use super::locate::{JudgedNodes, Nodes, incomplete};
use super::report::{ModelJudgement, is_accepted};
use super::whole::{check_outputs, judge_outputs};
use crate::cases::{Layout, case_of_model, named_outputs, value_kinds};
use crate::examining::{PreparedCase, intermediate};
use crate::subjects::Subject;

/// A model is run at most this many times to get its intermediate values.
const MOST_RUNS: usize = 32;

/// What a backend did with a model, and with copies of the model that have more outputs.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The name and version of the backend.
    pub backend: String,
    /// The judgement of the outputs of the model as it is, and of each node on the intermediate values.
    pub judgement: ModelJudgement,
    /// Whether the backend answered the model as it is.
    pub answered: bool,
    /// The intermediate values and the outputs of the model, as far as the backend gave them. The outputs come from the
    /// first run that gave intermediate values or, if no run gave any, from the run of the model as it is.
    pub values: BTreeMap<String, Value>,
    /// How often the model was run with more outputs.
    pub runs: usize,
    /// The values that the backend did not give, each with the reason.
    pub omitted: Vec<(String, String)>,
    /// The outputs of the model that have other bits if intermediate values are outputs as well. The backend then
    /// computes the model differently, for example because it cannot fuse nodes whose values are outputs.
    pub changed_outputs: Vec<String>,
}

/// Runs a model on a backend and judges its outputs. Then runs it with the intermediate values as outputs, and judges
/// each node on the values that the backend itself had as the node's inputs. This second step is left out if the
/// backend does not support the model, takes too long or cannot run. If the backend does not answer the model with all
/// intermediate values as outputs, tries each half of them, then each quarter, and so on. If the values do not fit into
/// the memory of `effort` together, the model runs once for each part of the nodes.
///
/// # Errors
/// Fails if the backend answers, but its answer cannot be judged: the inputs do not fit the model, the model is
/// invalid, or nothing says which outputs are right.
pub fn judge_backend(
    subject: &Subject,
    model: &Model,
    inputs: &[Value],
    deadline: Duration,
    effort: &Effort,
) -> Result<Traced, JudgeError> {
    let reference = effort.limit(Oracle::new(subject.policy.clone()));
    let names = model.output_names();
    let layout = Layout::new(model);
    effort.watch.step("the backend runs the model");
    let found = observe(subject, model, inputs, deadline);
    let mut trace = Trace { subject, model, inputs, deadline, values: BTreeMap::new(), runs: 0, omitted: vec![] };
    let outputs = match &found {
        Observation::Outputs { values, .. } => Some(values),
        _ => None,
    };
    let mut nodes = JudgedNodes::default();
    let mut changed: BTreeSet<String> = BTreeSet::new();
    let mut kept: BTreeMap<String, Value> = BTreeMap::new();
    // A model that is invalid as a whole has no nodes to judge.
    if may_answer_more(&found) && plumbline_graph::names::check(model).is_ok() {
        let kinds = known_kinds(&reference, model, inputs);
        let between = layout.nodes().iter().flat_map(named_outputs).filter(|name| !names.contains(name));
        let reason = "its type is not known: the model does not declare it, and the oracle has no answer";
        let unknown = between.filter(|name| !kinds.contains_key(*name));
        trace.omitted.extend(unknown.map(|name| (name.to_owned(), reason.to_owned())));
        let given: HashMap<&str, Value> = model.input_names().into_iter().zip(inputs.iter().cloned()).collect();
        let every = Nodes { reference: &reference, layout: &layout, inputs: given, kinds: &kinds };
        let sizes = trace.sizes(&layout, &kinds);
        let slices = slices(&layout, &sizes, effort.bytes_in_run());
        effort.watch.nodes(layout.nodes().len());
        let mut judged = Vec::new();
        for slice in &slices {
            if !effort.stop.is_due() {
                trace.collect(&wanted(&layout, slice.clone(), &kinds, &names));
            }
            for (name, output) in names.iter().zip(outputs.into_iter().flatten()) {
                match trace.values.get(*name) {
                    Some(traced) if !same_bits(traced, output) => _ = changed.insert((*name).to_owned()),
                    Some(_) => {}
                    // Outputs that no run with intermediate values gave are taken from the run of the model as it is.
                    None => _ = trace.values.insert((*name).to_owned(), output.clone()),
                }
            }
            let all = Values::from(std::mem::take(&mut trace.values));
            judged.extend(every.judge(slice.clone(), &all, effort)?);
            let is_kept = |name: &str| effort.keeps_values || slices.len() == 1 || names.contains(&name);
            for (name, value) in all.into_values().filter(|(name, _)| is_kept(name)) {
                kept.entry(name).or_insert(value);
            }
        }
        let has_values = kept.keys().any(|name| !names.contains(&name.as_str())) || slices.len() > 1;
        if has_values || outputs.is_some() {
            nodes = every.conclude(judged);
        }
    }
    let changed: Vec<String> =
        names.iter().filter(|name| changed.contains(**name)).map(|name| (*name).to_owned()).collect();
    trace.values = kept;
    let Some(outputs) = outputs else {
        let whole = judge_observation(&Right::from(vec![]), &names, &found);
        let judgement = ModelJudgement {
            verdict: whole.verdict,
            kind: whole.kind,
            detail: whole.detail(),
            accuracy: reference.accuracy().to_owned(),
            outputs: vec![],
            by_nodes: None,
            incomplete: incomplete(&nodes.nodes),
            nodes: nodes.nodes,
            unknown_values: vec![],
        };
        return Ok(trace.finished(judgement, false, vec![]));
    };
    for (name, output) in names.iter().zip(outputs) {
        trace.values.entry((*name).to_owned()).or_insert_with(|| output.clone());
    }
    check_outputs(outputs, &names)?;
    let judgement = judge_outputs(&reference, (model, &layout), inputs, outputs.clone(), nodes, effort)?;
    Ok(trace.finished(judgement, true, changed))
}

/// Returns the parts of the nodes whose values, together with those that the nodes read, take at most so many bytes. A
/// part has at least one node. `sizes` has the bytes of each value.
fn slices(layout: &Layout, sizes: &HashMap<String, u64>, most: u64) -> Vec<Range<usize>> {
    let count = layout.nodes().len();
    let mut slices = Vec::new();
    let (mut start, mut held, mut bytes) = (0, HashSet::new(), 0u64);
    for at in 0..count {
        let outputs = named_outputs(&layout.nodes()[at]);
        let values: Vec<&str> = layout.reads(at).iter().copied().chain(outputs).collect();
        let size = |name: &&str| sizes.get(*name).copied().unwrap_or(0);
        let more: u64 = values.iter().filter(|name| !held.contains(**name)).map(size).sum();
        if at > start && bytes.saturating_add(more) > most {
            slices.push(start..at);
            (start, bytes) = (at, values.iter().map(size).sum());
            held = values.into_iter().collect();
        } else {
            bytes = bytes.saturating_add(more);
            held.extend(values);
        }
    }
    slices.push(start..count);
    slices
}

/// Returns the values that these nodes compute or read, with their types, except outputs of the model and what no node
/// computes.
fn wanted<'a>(
    layout: &Layout<'a>,
    nodes: Range<usize>,
    kinds: &'a HashMap<String, ValueKind>,
    names: &[&str],
) -> Vec<(&'a str, &'a ValueKind)> {
    let mut seen = HashSet::new();
    let mut wanted = Vec::new();
    for at in nodes {
        let reads = layout.reads(at).iter().copied().filter(|name| layout.producer(name).is_some());
        for name in reads.chain(named_outputs(&layout.nodes()[at])) {
            if !names.contains(&name)
                && seen.insert(name)
                && let Some(kind) = kinds.get(name)
            {
                wanted.push((name, kind));
            }
        }
    }
    wanted
}

/// Returns whether it makes sense to run a model with more outputs after this observation. A runtime that fails on the
/// model as it is may well answer it with more outputs, because it cannot fuse nodes whose values are outputs.
fn may_answer_more(found: &Observation) -> bool {
    match found {
        Observation::Outputs { .. } | Observation::Crash { .. } | Observation::Garbage { .. } => true,
        Observation::Refused { refusal, .. } => matches!(refusal.kind, RefusalKind::Failed | RefusalKind::Invalid),
        Observation::Timeout { .. } | Observation::NotRun { .. } => false,
    }
}

/// The runs of one model on one backend.
struct Trace<'a> {
    subject: &'a Subject,
    model: &'a Model,
    inputs: &'a [Value],
    deadline: Duration,
    values: BTreeMap<String, Value>,
    runs: usize,
    omitted: Vec<(String, String)>,
}

/// The values of a model with fewer nodes are small enough for one run.
const FEW_NODES: usize = 32;

impl Trace<'_> {
    /// Returns how many bytes each intermediate tensor has. Asks the backend for the shapes of all of them, in one run.
    /// Returns nothing if the model is small, or if the backend does not say.
    fn sizes(&mut self, layout: &Layout, kinds: &HashMap<String, ValueKind>) -> HashMap<String, u64> {
        if layout.nodes().len() < FEW_NODES {
            return HashMap::new();
        }
        let tensors = layout.nodes().iter().flat_map(named_outputs).filter_map(|name| match kinds.get(name) {
            Some(ValueKind::Tensor(dtype)) => Some((name, dtype.size() as u64)),
            _ => None,
        });
        let tensors: Vec<(&str, u64)> = tensors.collect();
        let mut extended = self.model.clone();
        let Some(graph) = &mut extended.proto.graph else { return HashMap::new() };
        let kind = ValueKind::Tensor(DType::Int64);
        let prefix = unused(layout, "plumbline_shape_");
        for (at, (name, _)) in tensors.iter().enumerate() {
            let shape = format!("{prefix}{at}");
            graph.output.push(value_info(&shape, &kind, None));
            graph.node.push(NodeProto {
                op_type: Some("Shape".to_owned()),
                input: vec![(*name).to_owned()],
                output: vec![shape],
                ..NodeProto::default()
            });
        }
        let Observation::Outputs { values, .. } = observe(self.subject, &extended, self.inputs, self.deadline) else {
            return HashMap::new();
        };
        let shapes = values.iter().rev().take(tensors.len()).rev();
        let size = |((name, size), shape): (&(&str, u64), &Value)| {
            let extents = shape.as_tensor()?.to_i64s().ok()?;
            let elements =
                extents.iter().try_fold(1u64, |all, extent| all.checked_mul(u64::try_from(*extent).ok()?))?;
            Some(((*name).to_owned(), elements.checked_mul(*size)?))
        };
        tensors.iter().zip(shapes).filter_map(size).collect()
    }

    /// Runs the model with these values as outputs. If the backend does not answer, does the same with each half of the
    /// values.
    fn collect(&mut self, more: &[(&str, &ValueKind)]) {
        if more.is_empty() {
            return;
        }
        let reason = if self.runs < MOST_RUNS {
            self.runs += 1;
            let extended = with_outputs(self.model, more);
            match observe(self.subject, &extended, self.inputs, self.deadline) {
                Observation::Outputs { values, .. } if values.len() == extended.output_names().len() => {
                    for (name, value) in extended.output_names().into_iter().zip(values) {
                        self.values.entry(name.to_owned()).or_insert(value);
                    }
                    return;
                }
                Observation::Outputs { values, .. } => format!("the backend gave {} outputs", values.len()),
                Observation::Refused { refusal, .. } => refusal.to_string(),
                Observation::Crash { detail } | Observation::Garbage { detail, .. } => detail,
                Observation::Timeout { after } => format!("no answer within {} s", after.as_secs_f64()),
                Observation::NotRun { reason } => reason,
            }
        } else {
            format!("the model was run {MOST_RUNS} times already")
        };
        if more.len() == 1 || self.runs >= MOST_RUNS {
            self.omitted.extend(more.iter().map(|(name, _)| ((*name).to_owned(), reason.clone())));
            return;
        }
        let (first, second) = more.split_at(more.len() / 2);
        self.collect(first);
        self.collect(second);
    }

    fn finished(self, judgement: ModelJudgement, answered: bool, changed_outputs: Vec<String>) -> Traced {
        Traced {
            backend: self.subject.identity.to_string(),
            judgement,
            answered,
            values: self.values,
            runs: self.runs,
            omitted: self.omitted,
            changed_outputs,
        }
    }
}

/// Runs a model once.
fn observe(subject: &Subject, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
    let case = case_of_model("judge".to_owned(), model.clone(), inputs.to_vec(), None);
    let case = PreparedCase::alone(case).for_profile(&subject.profile).case;
    let none = || Observation::NotRun { reason: "the backend gave no observation".to_owned() };
    subject.run(&[Job::new(&case.model, &case.inputs)], deadline).pop().unwrap_or_else(none)
}

/// Returns the model with more of its values as outputs.
fn with_outputs(model: &Model, more: &[(&str, &ValueKind)]) -> Model {
    let mut extended = model.clone();
    if let Some(graph) = &mut extended.proto.graph {
        graph.output.extend(more.iter().map(|(name, kind)| value_info(name, kind, None)));
    }
    extended
}

/// Returns the types of the values that nodes compute. Where neither the model nor the specification says one, it comes
/// from the oracle, as far as that can compute the values of a model of usual size.
fn known_kinds(reference: &Oracle, model: &Model, inputs: &[Value]) -> HashMap<String, ValueKind> {
    let mut kinds = value_kinds(model);
    let is_unknown = |name: &str| !kinds.contains_key(name);
    if model.graph().node.iter().flat_map(named_outputs).any(is_unknown) {
        let computed = intermediate(&reference.clone().with_budget(Budget::default()), model, inputs);
        for (name, operand) in computed {
            kinds.entry(name).or_insert_with(|| operand.kind());
        }
    }
    kinds
}

/// Returns a prefix that no value of the model has.
fn unused(layout: &Layout, prefix: &str) -> String {
    let mut prefix = prefix.to_owned();
    while layout.nodes().iter().flat_map(named_outputs).any(|name| name.starts_with(&prefix)) {
        prefix.push('_');
    }
    prefix
}

impl Traced {
    /// Returns whether the backend answered, and everything that was judged is accepted.
    pub fn is_accepted(&self) -> bool {
        self.answered && is_accepted(self.judgement.verdict)
    }
}
