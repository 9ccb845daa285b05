//! [`Rewriting`] lets a tool rewrite, annotate or check models, and the oracle run what it made of them.

use std::collections::BTreeMap;
use std::time::Duration;

use plumbline_tensor::onnx::ValueInfoProto;
use plumbline_tensor::{DType, Model, Tensor, Value, ValueKind};

use super::inferring;
use crate::adapter::Task;
use crate::worker::Worker;
use crate::{Identity, Job, Observation, OracleBackend, Profile, Refusal, RefusalKind, Runner, observe};

/// The model of each request to a tool. It only says that a request has one input and one output: the bytes of a model.
const REQUEST: &str = "<ir_version: 8, opset_import: [\"\" : 18]> rewritten (uint8[n] model) => (uint8[m] made) { made = Identity (model) }";

/// A tool that reads models.
///
/// If it rewrites them, the oracle runs the rewritten models and answers with the outputs that it prefers, so that an answer
/// which is not accepted shows an error of the tool. If it infers types and shapes, the answer has these types and shapes.
/// If it checks models, the answer to a model that it takes is that of the oracle, or zeros for an invalid one.
///
/// What the tool does with a model is found out in its worker, with its deadline. The oracle has limits of its own.
pub(super) struct Rewriting {
    worker: Worker,
    oracle: OracleBackend,
    request: Model,
    task: Task,
}

impl Rewriting {
    pub(super) fn new(worker: Worker, task: Task) -> Rewriting {
        // A test reads the text.
        let request = REQUEST.parse().unwrap_or_default();
        Rewriting { worker, oracle: OracleBackend::default(), request, task }
    }

    /// Lets the tool rewrite the model of each session, in this way of running jobs, and runs all jobs.
    fn run_rewritten(
        &mut self,
        jobs: &[Job<'_>],
        run: impl Fn(&mut Worker, &[Job<'_>]) -> Vec<Observation>,
    ) -> Vec<Observation> {
        let sessions = jobs.iter().filter(|job| !job.again);
        let models: Vec<[Value; 1]> = sessions.map(|job| [self.question(job.model)]).collect();
        let requests: Vec<Job> = models.iter().map(|inputs| Job::new(&self.request, inputs)).collect();
        let mut answers = run(&mut self.worker, &requests).into_iter();
        let missing = || Observation::NotRun { reason: "the session has no model".to_owned() };
        let mut session = Err(missing());
        let observed = jobs.iter().map(|job| {
            if !job.again {
                session = answers.next().map_or_else(|| Err(missing()), |answer| self.read(job.model, answer));
            }
            match &session {
                Ok((model, seconds)) => self.answer(model, job, if job.again { 0.0 } else { *seconds }),
                Err(observation) => observation.clone(),
            }
        });
        observed.collect()
    }

    /// Returns what the tool gets of a model.
    fn question(&self, model: &Model) -> Value {
        match self.task {
            Task::Rewrites | Task::Checks => value_of(model),
            Task::Infers => value_of(&inferring::without_types(model)),
        }
    }

    /// Reads the model that the tool made of another one and checks it. Otherwise returns what came in its place. Also
    /// returns the seconds that the tool took.
    fn read(&self, original: &Model, answer: Observation) -> Result<(Model, f64), Observation> {
        let Observation::Outputs { values, seconds } = answer else { return Err(answer) };
        let refused = |refusal| Observation::Refused { refusal, seconds };
        let bytes = values.first().and_then(Value::as_tensor).map(Tensor::bytes).unwrap_or_default();
        let model = Model::from_bytes(bytes)
            .map_err(|error| refused(Refusal::breaks_model(format!("the rewritten model cannot be read: {error}"))))?;
        match self.task {
            Task::Rewrites => interface(original, &model).map_err(refused)?,
            Task::Infers => interface(&inferring::without_types(original), &model).map_err(refused)?,
            Task::Checks => {}
        }
        Ok((model, seconds))
    }

    /// Returns the answer for the model that the tool made. `seconds` is the time that the tool took.
    fn answer(&self, model: &Model, job: &Job<'_>, seconds: f64) -> Observation {
        let without_types = (self.task == Task::Infers).then(|| inferring::without_types(job.model));
        let run = match self.task {
            Task::Rewrites => model,
            Task::Infers | Task::Checks => without_types.as_ref().unwrap_or(job.model),
        };
        let refused = |refusal| Observation::Refused { refusal, seconds };
        match observe(&self.oracle, run, job.inputs) {
            Observation::Outputs { values, .. } => match self.task {
                Task::Rewrites => match declared(job.model, model, &values) {
                    Ok(()) => Observation::Outputs { values, seconds },
                    Err(refusal) => refused(refusal),
                },
                Task::Infers => match inferring::as_inferred(model, job.inputs, values, job.model.output_names().len())
                {
                    Ok(values) => Observation::Outputs { values, seconds },
                    Err(refusal) => refused(refusal),
                },
                Task::Checks => Observation::Outputs { values, seconds },
            },
            Observation::Refused { refusal, .. } => match self.task {
                Task::Rewrites => refused(of_rewritten(job.model, model, refusal)),
                // The tool took an invalid model.
                Task::Infers | Task::Checks if refusal.kind == RefusalKind::Invalid => {
                    let values =
                        job.model.output_names().iter().map(|_| Value::Tensor(Tensor::from_i64s(&[]))).collect();
                    Observation::Outputs { values, seconds }
                }
                Task::Infers | Task::Checks => refused(Refusal { kind: RefusalKind::Unsupported, ..refusal }),
            },
            // A panic of the oracle is no crash of the tool.
            Observation::Crash { detail } => Observation::NotRun { reason: format!("the oracle: {detail}") },
            other => other,
        }
    }
}

/// Returns the bytes of a model as a tensor.
fn value_of(model: &Model) -> Value {
    let bytes = model.to_bytes();
    // A tensor of uint8 that has as many elements as there are bytes is always valid.
    let tensor = Tensor::from_bytes(DType::Uint8, vec![bytes.len()], bytes);
    Value::Tensor(tensor.unwrap_or_else(|_| Tensor::from_i64s(&[])))
}

/// Returns the refusal of a rewritten model as that of the tool that made it of the original: an invalid model is the
/// tool's fault, and so is one that calls a function which it has no more. What the oracle does not support, or what is
/// beyond its limits, is not.
fn of_rewritten(original: &Model, model: &Model, refusal: Refusal) -> Refusal {
    let has = |model: &Model| model.proto.functions.iter().any(|function| function.name == refusal.operator);
    let kind = match refusal.kind {
        RefusalKind::Invalid => RefusalKind::BreaksModel,
        RefusalKind::Unsupported if has(original) && !has(model) => RefusalKind::BreaksModel,
        _ if refusal.limit.is_some() => RefusalKind::Unsupported,
        kind => kind,
    };
    Refusal { kind, message: format!("the rewritten model: {}", refusal.message), ..refusal }
}

/// Checks that a rewritten model takes and returns values of the same names and types, in the same order. Inputs that have
/// an initializer may disappear.
fn interface(original: &Model, model: &Model) -> Result<(), Refusal> {
    let (graph, rewritten) = (original.graph(), model.graph());
    same("inputs", &original.input_names(), &model.input_names())?;
    same("outputs", &original.output_names(), &model.output_names())?;
    let kinds = |infos: &[ValueInfoProto], name: &str| infos.iter().find(|info| info.name() == name).and_then(kind_of);
    for name in original.input_names() {
        same_type("input", name, kinds(&graph.input, name), kinds(&rewritten.input, name))?;
    }
    for name in original.output_names() {
        same_type("output", name, kinds(&graph.output, name), kinds(&rewritten.output, name))?;
    }
    Ok(())
}

fn same(what: &str, names: &[&str], found: &[&str]) -> Result<(), Refusal> {
    if names == found {
        return Ok(());
    }
    let message = match names.iter().find(|name| !found.contains(name)) {
        Some(missing) => {
            format!("the rewritten model has no more `{missing}` among its {what}, which are: {}", found.join(", "))
        }
        None => format!("the rewritten model has other {what} than {}: {}", names.join(", "), found.join(", ")),
    };
    Err(Refusal::breaks_interface(message))
}

fn same_type(what: &str, name: &str, kind: Option<ValueKind>, found: Option<ValueKind>) -> Result<(), Refusal> {
    match (kind, found) {
        (Some(kind), Some(found)) if kind != found => Err(Refusal::breaks_interface(format!(
            "in the rewritten model, {what} `{name}` is {found}, and was {kind}"
        ))),
        _ => Ok(()),
    }
}

fn kind_of(info: &ValueInfoProto) -> Option<ValueKind> {
    info.r#type.as_ref().and_then(ValueKind::from_proto)
}

/// Checks that a rewritten model declares no other types and extents for its outputs than they have, unless it declares
/// the same as the original: then the outputs are wrong.
fn declared(original: &Model, model: &Model, values: &[Value]) -> Result<(), Refusal> {
    let outputs = model.graph().output.iter().zip(&original.graph().output).zip(values);
    for ((info, _), value) in outputs.filter(|((info, original), _)| info.r#type != original.r#type) {
        let wrong = |declared: String, found: String| {
            Err(Refusal::breaks_model(format!(
                "the rewritten model declares {declared} for output `{}`, which is {found}",
                info.name()
            )))
        };
        if let Some(kind) = kind_of(info).filter(|kind| *kind != value.kind()) {
            return wrong(kind.to_string(), value.kind().to_string());
        }
        let extents = info.r#type.as_ref().and_then(|type_| inferring::extents_of(type_, &BTreeMap::new()));
        let (Some(extents), Some(tensor)) = (extents, value.as_tensor()) else { continue };
        let shape = tensor.shape();
        let fits =
            |(extent, found): (&Option<i64>, &usize)| extent.is_none_or(|extent| i64::try_from(*found) == Ok(extent));
        if extents.len() != shape.len() || !extents.iter().zip(shape).all(fits) {
            return wrong(inferring::shape_text(&extents), format!("{shape:?}"));
        }
    }
    Ok(())
}

impl Runner for Rewriting {
    fn identity(&self) -> &Identity {
        self.worker.identity()
    }

    fn profile(&self) -> &Profile {
        self.worker.profile()
    }

    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        let observed = self.run_batch(&[Job::new(model, inputs)], deadline).pop();
        observed.unwrap_or_else(|| Observation::NotRun { reason: "there is no answer".to_owned() })
    }

    fn is_over(&self) -> bool {
        self.worker.is_over()
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.worker.resident_bytes()
    }

    fn kill(&mut self) -> bool {
        self.worker.kill()
    }

    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_rewritten(jobs, |worker, jobs| worker.run_batch(jobs, deadline))
    }

    fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_rewritten(jobs, |worker, jobs| worker.run_batch_once(jobs, deadline))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_requests_has_one_input_and_one_output() {
        let request: Model = REQUEST.parse().unwrap();
        assert_eq!((request.input_names(), request.output_names()), (vec!["model"], vec!["made"]));
        assert_eq!(value_of(&request).as_tensor().unwrap().bytes(), request.to_bytes());
    }

    #[test]
    fn a_rewritten_model_has_the_inputs_and_outputs_of_the_original() {
        let model =
            |text: &str| -> Model { format!("<ir_version: 8, opset_import: [\"\" : 18]> g {text}").parse().unwrap() };
        let original = model("(float[2] a, float[2] b) => (float[2] c) { c = Add (a, b) }");
        let checked = |text: &str| match interface(&original, &model(text)) {
            Ok(()) => None,
            Err(refusal) => Some((refusal.kind, refusal.message)),
        };
        let broken = |message: &str| Some((RefusalKind::BreaksInterface, message.to_owned()));
        assert_eq!(checked("(float[2] a, float[n] b) => (float c) { c = Sub (a, b) }"), None);
        assert_eq!(
            checked("(float[2] a) => (float[2] c) { c = Add (a, a) }"),
            broken("the rewritten model has no more `b` among its inputs, which are: a")
        );
        assert_eq!(
            checked("(float[2] b, float[2] a) => (float[2] c) { c = Add (a, b) }"),
            broken("the rewritten model has other inputs than a, b: b, a")
        );
        assert_eq!(
            checked("(float[2] a, double[2] b) => (float[2] c) { c = Add (a, a) }"),
            broken("in the rewritten model, input `b` is tensor(double), and was tensor(float)")
        );
        assert_eq!(
            checked("(float[2] a, float[2] b) => (int8[2] c) { c = Cast <to = 3> (a) }"),
            broken("in the rewritten model, output `c` is tensor(int8), and was tensor(float)")
        );
    }

    #[test]
    fn a_rewritten_model_declares_what_its_outputs_are() {
        let model = |output: &str| -> Model {
            let text = format!("g (float[2] a) => ({output}) {{ c = Neg (a) }}");
            format!("<ir_version: 8, opset_import: [\"\" : 18]> {text}").parse().unwrap()
        };
        let values = [Value::Tensor(Tensor::from_f32s(vec![2], &[1.0, 2.0]).unwrap())];
        for right in ["float[] c", "float[2] c", "float[n] c"] {
            assert_eq!(declared(&model("float[m] c"), &model(right), &values), Ok(()), "{right}");
        }
        for wrong in ["float c", "float[3] c", "float[2,1] c", "double[2] c"] {
            let refusal = declared(&model("float[m] c"), &model(wrong), &values).unwrap_err();
            assert_eq!(refusal.kind, RefusalKind::BreaksModel, "{wrong}");
            assert_eq!(declared(&model(wrong), &model(wrong), &values), Ok(()), "{wrong}");
        }
    }
}
