//! [`Answers`] runs what a tool made of models, and says what is wrong with it.

use std::borrow::Cow;
use std::time::Duration;

use plumbline_oracle::{Judged, Operand, Oracle, Policy};
use plumbline_tensor::{Model, Tensor, Value};

use super::foreign::{RUNTIME, Runtime, foreign_operator};
use super::inferring;
use super::interface::{declared, interface};
use crate::adapter::Task;
use crate::{Job, Observation, OracleBackend, Refusal, RefusalKind, observe};

/// The first byte of a refusal in the place of a rewritten model. No model begins with it. A byte for its kind follows
/// ([`LIMIT`] or another one), and then its message.
const REFUSED: u8 = 0xff;

/// The kind of a refusal that is a limit.
const LIMIT: u8 = 2;

/// What a tool made of a model. A tool may make several models of one, each of which has to be right.
pub(super) type Made = Vec<Result<Model, Refusal>>;

/// Runs rewritten models. The oracle answers with the outputs that it prefers, so that an answer which is not accepted
/// shows an error of the tool. ONNX Runtime runs the models with operators that only it has. Both have limits of their own.
pub(super) struct Answers {
    oracle: OracleBackend,
    /// Says what the original models allow.
    right: Oracle,
    runtime: Runtime,
    /// What the tool does with a model. Values of one that narrows are not judged: right values take their place.
    task: Task,
    /// Whether what a tool does not infer although it could be inferred is said, if everything else is right.
    coverage: bool,
}

impl Answers {
    pub(super) fn new(runtime: Runtime, task: Task) -> Answers {
        let (oracle, right) = (OracleBackend::default(), Oracle::new(Policy::of_cpu()));
        Answers { oracle, right, runtime, task, coverage: false }
    }

    /// Sets whether what a tool does not infer is said.
    pub(super) fn with_coverage(self, coverage: bool) -> Answers {
        Answers { coverage, ..self }
    }

    /// Runs what a tool made of a model until something is wrong, and returns that. Otherwise returns the last answer.
    pub(super) fn first_wrong(&mut self, made: &Made, job: &Job<'_>, deadline: Duration) -> Observation {
        if let [only] = made.as_slice() {
            return match self.task {
                Task::Rewrites => self.answer(only, job, deadline),
                Task::Narrows => {
                    let observed = self.answer(only, job, deadline);
                    self.with_right_values(observed, job)
                }
                Task::Infers | Task::Checks => self.said(only, job),
            };
        }
        let right = self.right.evaluate(job.model, job.inputs).ok().map(|evaluation| evaluation.outputs);
        let mut last = None;
        for each in made {
            let observed = self.answer(each, job, deadline);
            let is_wrong = match (&observed, &right) {
                (Observation::Outputs { values, .. }, Some(right)) => !accepts(right, values),
                // The original is invalid: the right answer is a refusal.
                (observed, None) => matches!(observed, Observation::Outputs { .. }),
                (Observation::Refused { refusal, .. }, _) => refusal.kind != RefusalKind::Unsupported,
                (Observation::NotRun { .. }, _) => false,
                _ => true,
            };
            if is_wrong {
                return of_opset(each, observed);
            }
            // An answer says more than that there is none.
            if last.is_none() || matches!(observed, Observation::Outputs { .. }) || right.is_none() {
                last = Some(observed);
            }
        }
        last.unwrap_or_else(|| Observation::NotRun { reason: "the tool made no model".to_owned() })
    }

    /// Replaces the values of a narrower type by right ones, where their types and shapes are right.
    fn with_right_values(&self, observed: Observation, job: &Job<'_>) -> Observation {
        let Observation::Outputs { values, seconds } = observed else { return observed };
        let fits = |(right, found): (&Value, &Value)| match (right, found) {
            (Value::Tensor(right), Value::Tensor(found)) => {
                right.dtype() == found.dtype() && right.shape() == found.shape()
            }
            (right, found) => right.kind() == found.kind(),
        };
        let right = observe(&self.oracle, job.model, job.inputs);
        match right {
            Observation::Outputs { values: right, .. }
                if right.len() == values.len() && right.iter().zip(&values).all(fits) =>
            {
                Observation::Outputs { values: right, seconds }
            }
            _ => Observation::Outputs { values, seconds },
        }
    }

    /// Returns what the tool gets of a model.
    pub(super) fn question<'a>(&self, model: &'a Model) -> Cow<'a, Model> {
        match self.task {
            Task::Rewrites | Task::Narrows | Task::Checks => Cow::Borrowed(model),
            Task::Infers => Cow::Owned(inferring::without_types(model)),
        }
    }

    /// Returns the answer of a tool that changes nothing about a model: the right values, with the types and shapes that
    /// the tool infers; and zeros for an invalid model that it takes.
    fn said(&self, made: &Result<Model, Refusal>, job: &Job<'_>) -> Observation {
        let asked = self.question(job.model);
        let model = match with_interface(made, &asked) {
            Ok(model) => model,
            Err(refusal) => return refused(refusal),
        };
        let outputs = job.model.output_names().len();
        match self.by_oracle(&asked, job) {
            Observation::Outputs { values, seconds } if self.task == Task::Infers => {
                let fixed = if self.coverage {
                    Some(inferring::fixed_extents(&self.oracle, &asked, job.inputs, &values))
                } else {
                    None
                };
                let left_out = fixed.and_then(|fixed| inferring::left_out(model, &values, &fixed));
                let inferred = inferring::as_inferred(model, job.inputs, values.clone(), outputs);
                match (inferred, left_out) {
                    (Err(refusal), _) => refused(refusal),
                    // What is wrong matters more than what is left out.
                    (Ok(inferred), Some(refusal)) if inferred == values[..outputs] => refused(refusal),
                    (Ok(values), _) => Observation::Outputs { values, seconds },
                }
            }
            Observation::Refused { refusal, seconds } if refusal.kind == RefusalKind::Invalid => {
                Observation::Outputs { values: vec![Value::Tensor(Tensor::from_i64s(&[])); outputs], seconds }
            }
            Observation::Refused { refusal, .. } => refused(Refusal { kind: RefusalKind::Unsupported, ..refusal }),
            other => other,
        }
    }

    /// Checks and runs a rewritten model.
    fn answer(&mut self, made: &Result<Model, Refusal>, job: &Job<'_>, deadline: Duration) -> Observation {
        let model = match with_interface(made, job.model) {
            Ok(model) => model,
            Err(refusal) => return refused(refusal),
        };
        if let Some(operator) = foreign_operator(job.model, model) {
            return self.answer_of_runtime(model, &operator, job, deadline);
        }
        match self.by_oracle(model, job) {
            Observation::Outputs { values, seconds } => match declared(job.model, model, &values) {
                Ok(()) => Observation::Outputs { values, seconds },
                Err(refusal) => refused(refusal),
            },
            Observation::Refused { refusal, .. } => refused(of_rewritten(job.model, model, refusal)),
            other => other,
        }
    }

    /// Runs a model on the oracle, with the inputs of a job.
    fn by_oracle(&self, model: &Model, job: &Job<'_>) -> Observation {
        match observe(&self.oracle, model, job.inputs) {
            // A panic of the oracle is no crash of the tool.
            Observation::Crash { detail } => Observation::NotRun { reason: format!("the oracle: {detail}") },
            other => other,
        }
    }

    /// Runs a rewritten model on ONNX Runtime, because of an operator that the oracle does not have. Where ONNX Runtime
    /// is wrong about the original, too, its answer says nothing about the tool.
    fn answer_of_runtime(&mut self, model: &Model, operator: &str, job: &Job<'_>, deadline: Duration) -> Observation {
        let unsupported = |reason: &str| {
            refused(Refusal::unsupported(format!("the rewritten model: {RUNTIME} {reason}")).at(operator))
        };
        let observed = self.runtime.run(model, job, deadline);
        if let Runtime::Missing(reason) = &self.runtime {
            return unsupported(&format!("does not start: {reason}"));
        }
        let right = self.right.evaluate(job.model, job.inputs).ok().map(|evaluation| evaluation.outputs);
        let is_right = |observed: &Observation| match (observed, &right) {
            (Observation::Outputs { values, .. }, Some(right)) => accepts(right, values),
            (Observation::Refused { .. }, None) => true,
            _ => false,
        };
        match observed {
            observed if is_right(&observed) => observed,
            _ if !is_right(&self.runtime.run(job.model, job, deadline)) => {
                unsupported("does not run the original right")
            }
            Observation::Refused { refusal, seconds } => {
                let message = format!("the rewritten model: {RUNTIME} refuses it: {}", refusal.message);
                Observation::Refused { refusal: Refusal::breaks_model(message).at(operator), seconds }
            }
            Observation::Outputs { values, seconds } => Observation::Outputs { values, seconds },
            // A crash of ONNX Runtime is no crash of the tool.
            _ => unsupported("does not answer"),
        }
    }
}

fn refused(refusal: Refusal) -> Observation {
    Observation::Refused { refusal, seconds: 0.0 }
}

/// Returns the model that a tool made, if it takes and returns what this one does.
fn with_interface<'a>(made: &'a Result<Model, Refusal>, asked: &Model) -> Result<&'a Model, Refusal> {
    let model = made.as_ref().map_err(Clone::clone)?;
    interface(asked, model).map(|()| model)
}

/// Names the opset of one of several rewritten models in a refusal.
fn of_opset(made: &Result<Model, Refusal>, observed: Observation) -> Observation {
    match (observed, made) {
        (Observation::Refused { refusal, seconds }, Ok(model)) => {
            let opset = model.proto.opset_import.iter().find(|opset| opset.domain().is_empty()).map(|o| o.version());
            let message = format!("to opset {}: {}", opset.unwrap_or_default(), refusal.message);
            Observation::Refused { refusal: Refusal { message, ..refusal }, seconds }
        }
        (observed, _) => observed,
    }
}

/// Returns whether all outputs are accepted. Of outputs that are no tensors, only the preferred answer is.
pub(super) fn accepts(right: &[Operand], values: &[Value]) -> bool {
    let accepted = |(right, value): (&Operand, &Value)| match (right, value) {
        (Operand::Tensor(expected), Value::Tensor(found)) => {
            let fits = expected.dtype() == found.dtype() && expected.shape() == found.shape();
            let is_accepted = |index| expected.judge(found, index) != Judged::Wrong;
            fits && (expected.random.is_some() || (0..found.len()).all(is_accepted))
        }
        (right, value) => right.to_value() == *value,
    };
    right.len() == values.len() && right.iter().zip(values).all(accepted)
}

/// Reads what the tool made of a model: a tensor with the bytes of another one, or a sequence of several. Otherwise returns
/// what came in its place. Also returns the seconds that the tool took.
pub(super) fn rewritten(answer: Observation) -> Result<(Made, f64), Observation> {
    let Observation::Outputs { mut values, seconds } = answer else { return Err(answer) };
    let values = match values.pop() {
        Some(Value::Sequence { items, .. }) => items,
        value => value.into_iter().collect(),
    };
    Ok((values.iter().map(|value| read(value.as_tensor().map(Tensor::bytes).unwrap_or_default())).collect(), seconds))
}

/// Reads a rewritten model, or a refusal in its place.
fn read(bytes: &[u8]) -> Result<Model, Refusal> {
    if let [REFUSED, kind, message @ ..] = bytes {
        let message = String::from_utf8_lossy(message).into_owned();
        return Err(if *kind == LIMIT { Refusal::limit(message) } else { Refusal::failed(message) });
    }
    Model::from_bytes(bytes)
        .map_err(|error| Refusal::breaks_model(format!("the rewritten model cannot be read: {error}")))
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

#[cfg(test)]
mod tests {
    use plumbline_tensor::{DType, ValueKind};

    use super::*;
    use crate::{Backend, Identity, Local, Profile, Runner};

    fn parsed(text: &str) -> Model {
        let opsets = "<ir_version: 8, opset_import: [\"\" : 18, \"com.microsoft\" : 1]>";
        format!("{opsets} g (float[2] a) => (float[2] b) {{ {text} }}").parse().unwrap()
    }

    fn observed(answers: &mut Answers, made: &Made) -> Observation {
        let inputs = [Value::Tensor(Tensor::from_f32s(vec![2], &[1.5, -2.0]).unwrap())];
        answers.first_wrong(made, &Job::new(&parsed("b = Abs (a)"), &inputs), Duration::from_secs(3))
    }

    fn values(numbers: &[f32]) -> Vec<Value> {
        vec![Value::Tensor(Tensor::from_f32s(vec![numbers.len()], numbers).unwrap())]
    }

    fn missing() -> Runtime {
        Runtime::Missing("it is not there".to_owned())
    }

    #[test]
    fn values_of_a_tool_that_narrows_are_not_judged() {
        let mut answers = Answers::new(missing(), Task::Narrows);
        let mut found = |text: &str| match observed(&mut answers, &vec![Ok(parsed(text))]) {
            Observation::Outputs { values, .. } => Ok(values),
            Observation::Refused { refusal, .. } => Err(refusal.kind),
            other => panic!("{other:?}"),
        };
        let half = "c = Cast <to = 10> (a) d = Abs (c) b = Cast <to = 1> (d)";
        assert_eq!(found(half), Ok(values(&[1.5, 2.0])));
        assert_eq!(found("b = Neg (a)"), Ok(values(&[1.5, 2.0])));
        assert_eq!(found("b = ReduceL1 (a)"), Ok(values(&[3.5])), "the shape is wrong");
        assert_eq!(found("b = Nag (a)"), Err(RefusalKind::BreaksModel));
        assert_ne!(found("b = Cast <to = 10> (a)"), Ok(values(&[1.5, 2.0])), "the type is wrong");
    }

    #[test]
    fn several_models_are_read_from_a_sequence() {
        let model = parsed("b = Abs (a)");
        let bytes = |bytes: Vec<u8>| Value::Tensor(Tensor::from_bytes(DType::Uint8, vec![bytes.len()], bytes).unwrap());
        let items = vec![bytes(model.to_bytes()), bytes(b"\xff\x02no".to_vec()), bytes(b"\xff\x01why".to_vec())];
        let element = ValueKind::Tensor(DType::Uint8);
        let answer = Observation::Outputs { values: vec![Value::Sequence { element, items }], seconds: 0.5 };
        let (made, seconds) = rewritten(answer).unwrap();
        assert_eq!((made.len(), seconds), (3, 0.5));
        assert!(made[0].as_ref().is_ok_and(|read| read.to_bytes() == model.to_bytes()));
        assert_eq!(made[1].as_ref().map_err(|no| (no.kind, &*no.message)).err(), Some((RefusalKind::Limit, "no")));
        assert_eq!(made[2].as_ref().map_err(|no| (no.kind, &*no.message)).err(), Some((RefusalKind::Failed, "why")));
    }

    #[test]
    fn the_first_of_several_models_that_is_wrong_is_answered() {
        let mut answers = Answers::new(missing(), Task::Rewrites);
        let (right, wrong, invalid) = (parsed("b = Abs (a)"), parsed("b = Neg (a)"), parsed("b = Nag (a)"));
        let outputs = |observed| match observed {
            Observation::Outputs { values, .. } => values,
            other => panic!("{other:?}"),
        };
        let same = vec![Ok(right.clone()), Ok(parsed("c = Neg (a) b = Max (a, c)"))];
        assert_eq!(outputs(observed(&mut answers, &same)), values(&[1.5, 2.0]));
        let one_wrong = vec![Ok(right.clone()), Ok(wrong), Ok(invalid.clone())];
        assert_eq!(outputs(observed(&mut answers, &one_wrong)), values(&[-1.5, 2.0]));
        let one_invalid = vec![Ok(right.clone()), Ok(invalid), Ok(right.clone())];
        let Observation::Refused { refusal, .. } = observed(&mut answers, &one_invalid) else { panic!() };
        assert_eq!(refusal.kind, RefusalKind::BreaksModel);
        assert!(refusal.message.starts_with("to opset 18: "), "{}", refusal.message);
        let Observation::Refused { refusal, .. } = observed(&mut answers, &vec![Ok(right), Err(Refusal::failed("no"))])
        else {
            panic!()
        };
        assert_eq!((refusal.kind, &*refusal.message), (RefusalKind::Failed, "no"));
    }

    /// A runtime that answers a model with `com.microsoft.Twice` with some numbers, and any other model with others.
    struct Fake(Vec<f32>, Vec<f32>, Profile);

    struct Prepared(Vec<Value>);

    impl crate::Prepared for Prepared {
        fn run(&mut self, _: &[Value]) -> Result<Vec<Value>, Refusal> {
            Ok(self.0.clone())
        }
    }

    impl Backend for Fake {
        fn identity(&self) -> Identity {
            Identity { name: "fake".to_owned(), version: "1".to_owned() }
        }

        fn profile(&self) -> &Profile {
            &self.2
        }

        fn prepare(&self, model: &Model) -> Result<Box<dyn crate::Prepared>, Refusal> {
            let numbers = if foreign_operator(model, model).is_some() { &self.0 } else { &self.1 };
            Ok(Box::new(Prepared(values(numbers))))
        }
    }

    #[test]
    fn a_runtime_runs_operators_that_the_oracle_does_not_have() {
        let made = vec![Ok(parsed("b = com.microsoft.Twice (a)"))];
        let kind = |foreign: &[f32], original: &[f32]| {
            let fake = Fake(foreign.to_vec(), original.to_vec(), Profile::default());
            let runner: Box<dyn Runner> = Box::new(Local::new(Box::new(fake)));
            match observed(&mut Answers::new(Runtime::Started(runner), Task::Rewrites), &made) {
                Observation::Outputs { values, .. } => Ok(values),
                Observation::Refused { refusal, .. } => Err(refusal.kind),
                other => panic!("{other:?}"),
            }
        };
        let (right, wrong) = ([1.5, 2.0], [1.5, 2.5]);
        assert_eq!(kind(&right, &right), Ok(values(&right)));
        assert_eq!(kind(&wrong, &right), Ok(values(&wrong)), "the tool is wrong");
        assert_eq!(kind(&wrong, &wrong), Err(RefusalKind::Unsupported), "the runtime is wrong");
        let Observation::Refused { refusal, .. } = observed(&mut Answers::new(missing(), Task::Rewrites), &made) else {
            panic!()
        };
        assert_eq!(refusal.kind, RefusalKind::Unsupported);
    }
}
