//! Runs a model on a backend, as it is and with its intermediate values as outputs, and judges outputs and values.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use plumbline_backend::{Job, Observation};
use plumbline_generator::value_info;
use plumbline_judge::{Right, judge as judge_observation, same_bits};
use plumbline_oracle::{Oracle, RefusalKind};
use plumbline_tensor::{Model, Value, ValueKind};

use super::error::JudgeError;
use super::given::Values;
use super::locate::judge_nodes;
use super::report::{ModelJudgement, is_accepted};
use super::whole::{conclude, declared_kinds, judge, judge_with_values};
use crate::cases::case_of_model;
use crate::cases::{Layout, named_outputs};
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
/// intermediate values as outputs, tries each half of them, then each quarter, and so on.
///
/// # Errors
/// Fails if the backend answers, but its answer cannot be judged: the inputs do not fit the model, the model is
/// invalid, or nothing says which outputs are right.
pub fn judge_backend(
    subject: &Subject,
    model: &Model,
    inputs: &[Value],
    deadline: Duration,
) -> Result<Traced, JudgeError> {
    let reference = Oracle::new(subject.policy.clone());
    let names = model.output_names();
    let layout = Layout::new(model);
    let found = observe(subject, model, inputs, deadline);
    let mut trace = Trace { subject, model, inputs, deadline, values: BTreeMap::new(), runs: 0, omitted: vec![] };
    if may_answer_more(&found) {
        let kinds = value_kinds(&reference, model, inputs);
        let between = layout.nodes().iter().flat_map(named_outputs).filter(|name| !names.contains(name));
        let (known, unknown): (Vec<&str>, Vec<&str>) = between.partition(|name| kinds.contains_key(*name));
        let reason = "its type is not known: the model does not declare it, and the oracle has no answer";
        trace.omitted.extend(unknown.into_iter().map(|name| (name.to_owned(), reason.to_owned())));
        let more: Vec<(&str, &ValueKind)> = known.iter().filter_map(|name| Some((*name, kinds.get(*name)?))).collect();
        trace.collect(&more);
    }
    let given = || model.input_names().into_iter().zip(inputs.iter().cloned()).collect();
    let declared = declared_kinds(model.graph());
    let Observation::Outputs { values: outputs, .. } = &found else {
        let whole = judge_observation(&Right::from(vec![]), &names, &found);
        let all = Values::from(trace.values.clone());
        let judgement = ModelJudgement {
            verdict: whole.verdict,
            kind: whole.kind,
            detail: whole.detail(),
            accuracy: reference.accuracy().to_owned(),
            outputs: vec![],
            by_nodes: None,
            nodes: match trace.values.is_empty() {
                true => vec![],
                false => judge_nodes(&reference, &layout, given(), &all, &declared)?,
            },
            unknown_values: vec![],
        };
        return Ok(trace.finished(judgement, false, vec![]));
    };
    let changed = names.iter().zip(outputs).filter(|(name, output)| {
        let traced = trace.values.get(**name);
        traced.is_some_and(|traced| !same_bits(traced, output))
    });
    let changed: Vec<String> = changed.map(|(name, _)| (*name).to_owned()).collect();
    // Outputs that no run with intermediate values gave are taken from the run of the model as it is.
    for (name, output) in names.iter().zip(outputs) {
        trace.values.entry((*name).to_owned()).or_insert_with(|| output.clone());
    }
    let all = Values::from(trace.values.clone());
    let judgement = match judge(&reference, model, inputs, outputs) {
        Ok(mut judgement) => {
            judgement.nodes = judge_nodes(&reference, &layout, given(), &all, &declared)?;
            conclude(&mut judgement);
            judgement
        }
        // The oracle cannot compute the outputs from the inputs, so each output takes its judgement from its node.
        Err(JudgeError::Limit { .. } | JudgeError::Unknown { .. }) => {
            judge_with_values(&reference, model, inputs, outputs, &all)?
        }
        Err(error) => return Err(error),
    };
    Ok(trace.finished(judgement, true, changed))
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

impl Trace<'_> {
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

/// Returns the types of the values that nodes compute: from the oracle, as far as it can compute the values, and from
/// the declarations of the model for the other values.
fn value_kinds(reference: &Oracle, model: &Model, inputs: &[Value]) -> HashMap<String, ValueKind> {
    let declared = declared_kinds(model.graph()).into_iter();
    let mut kinds: HashMap<String, ValueKind> = declared.map(|(name, kind)| (name.to_owned(), kind)).collect();
    let computed = intermediate(reference, model, inputs);
    kinds.extend(computed.into_iter().map(|(name, operand)| (name, operand.kind())));
    kinds
}

impl Traced {
    /// Returns whether the backend answered, and everything that was judged is accepted.
    pub fn is_accepted(&self) -> bool {
        self.answered && is_accepted(self.judgement.verdict)
    }
}
