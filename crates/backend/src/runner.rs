//! What came of a case: [`Observation`], and [`Runner`], which covers backends in this process and in others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use plumbline_tensor::{Model, Value};

use crate::{Backend, Identity, Prepared, Profile, Refusal};

/// What was seen when a backend was given a case. Says nothing about right and wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Observation {
    /// It answered: one value for each output of the model.
    Outputs {
        /// The values, in the order of [`Model::output_names`].
        values: Vec<Value>,
        /// Seconds the backend took, without what the protocol costs.
        seconds: f64,
    },
    /// It said no.
    Refused {
        /// Its no.
        refusal: Refusal,
        /// Seconds the backend took.
        seconds: f64,
    },
    /// Its process died, or it panicked.
    Crash {
        /// Signal or exit status, and the last lines of its stderr.
        detail: String,
    },
    /// It did not answer before the deadline; its process was killed.
    Timeout {
        /// The deadline.
        after: Duration,
    },
    /// It answered, but not what was asked: too few outputs, another case, bytes that are no answer.
    Garbage {
        /// What is wrong with the answer.
        detail: String,
    },
    /// It was not asked: the case cannot be handed over, or the backend cannot be started again.
    NotRun {
        /// Why.
        reason: String,
    },
}

/// A case as a runner takes it.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its inputs, in the order of [`Model::input_names`].
    pub inputs: &'a [Value],
    /// Whether it is another run of the session that the job before it in the same batch made ready, on these inputs. The model is that job's.
    pub again: bool,
}

impl<'a> Job<'a> {
    /// A case in a session of its own.
    pub fn new(model: &'a Model, inputs: &'a [Value]) -> Job<'a> {
        Job { model, inputs, again: false }
    }

    /// Another run of the session of the job before it.
    pub fn again(model: &'a Model, inputs: &'a [Value]) -> Job<'a> {
        Job { model, inputs, again: true }
    }
}

/// Runs cases on one backend, and survives it.
pub trait Runner: Send {
    /// Who the backend is.
    fn identity(&self) -> &Identity;

    /// What the backend declares about itself.
    fn profile(&self) -> &Profile;

    /// Runs one case.
    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation;

    /// Whether it runs a session more than once ([`Job::again`]).
    fn runs_again(&self) -> bool {
        true
    }

    /// Runs many cases; one observation each, in the same order. The deadline is that of each case, counted
    /// from when the case before it was done.
    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation>;
}

/// Runs a backend of safe Rust in this process. A panic is a [`Observation::Crash`]; a deadline cannot be kept.
pub struct Local {
    backend: Box<dyn Backend>,
    identity: Identity,
    profile: Profile,
}

impl Local {
    /// A runner of this backend.
    pub fn new(backend: Box<dyn Backend>) -> Local {
        let (identity, profile) = (backend.identity(), backend.profile().clone());
        Local { backend, identity, profile }
    }
}

impl Runner for Local {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn run(&mut self, model: &Model, inputs: &[Value], _deadline: Duration) -> Observation {
        observe(self.backend.as_ref(), model, inputs)
    }

    fn run_batch(&mut self, jobs: &[Job<'_>], _deadline: Duration) -> Vec<Observation> {
        let mut session = Session::default();
        let observed = jobs.iter().map(|job| {
            let attempt = match job.again {
                true => session.run_again(job.inputs),
                false => session.start(self.backend.as_ref(), job.model, job.inputs),
            };
            attempt.observed(job.model)
        });
        observed.collect()
    }
}

/// Runs one case on a backend of this process: prepares, runs, catches panics, counts the outputs.
pub fn observe(backend: &dyn Backend, model: &Model, inputs: &[Value]) -> Observation {
    Session::default().start(backend, model, inputs).observed(model)
}

/// A case as it went, before anything is said about it.
pub(crate) struct Attempt {
    /// What the backend answered, or the words it panicked with.
    pub result: Result<Result<Vec<Value>, Refusal>, String>,
    /// Seconds it took.
    pub seconds: f64,
}

impl Attempt {
    /// Runs something of a backend, and catches panics.
    fn of(run: impl FnOnce() -> Result<Vec<Value>, Refusal>) -> Attempt {
        let start = Instant::now();
        // What the run leaves half-done is dropped with its session: nobody sees it afterwards.
        let result = catch_unwind(AssertUnwindSafe(run));
        let seconds = start.elapsed().as_secs_f64();
        Attempt { result: result.map_err(|payload| panic_message(payload.as_ref()).to_owned()), seconds }
    }

    fn observed(self, model: &Model) -> Observation {
        let seconds = self.seconds;
        match self.result {
            Ok(Ok(values)) => counted(values, model, seconds),
            Ok(Err(refusal)) => Observation::Refused { refusal, seconds },
            Err(panic) => Observation::Crash { detail: format!("panicked: {panic}") },
        }
    }
}

/// The model that a backend made ready last, for as long as it can run again.
#[derive(Default)]
pub(crate) struct Session {
    prepared: Option<Box<dyn Prepared>>,
}

impl Session {
    /// Prepares a model and runs it.
    pub fn start(&mut self, backend: &dyn Backend, model: &Model, inputs: &[Value]) -> Attempt {
        self.prepared = None;
        let mut made = None;
        let attempt = Attempt::of(|| made.insert(backend.prepare(model)?).run(inputs));
        self.keep(made, attempt)
    }

    /// Runs the model again that was made ready last.
    pub fn run_again(&mut self, inputs: &[Value]) -> Attempt {
        let mut made = self.prepared.take();
        let attempt = Attempt::of(|| match &mut made {
            Some(prepared) => prepared.run(inputs),
            None => Err(Refusal::failed("there is no session to run again: the run before it did not answer")),
        });
        self.keep(made, attempt)
    }

    /// Keeps what was made ready, unless the run did not answer.
    fn keep(&mut self, made: Option<Box<dyn Prepared>>, attempt: Attempt) -> Attempt {
        self.prepared = made.filter(|_| matches!(attempt.result, Ok(Ok(_))));
        attempt
    }
}

/// Outputs of the right number, or garbage.
pub(crate) fn counted(values: Vec<Value>, model: &Model, seconds: f64) -> Observation {
    let wanted = model.output_names().len();
    if values.len() == wanted {
        Observation::Outputs { values, seconds }
    } else {
        Observation::Garbage { detail: format!("answered {} outputs, the model has {wanted}", values.len()) }
    }
}

/// The words of a panic.
pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(no message)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::{Mock, Simple};
    use plumbline_tensor::{Tensor, onnx};

    fn run(mode: &str) -> Observation {
        let node = onnx::NodeProto { op_type: Some("Identity".to_owned()), ..Default::default() };
        let output = onnx::ValueInfoProto { name: Some("y".to_owned()), ..Default::default() };
        let graph = onnx::GraphProto { node: vec![node], output: vec![output], ..Default::default() };
        let model = Model { proto: onnx::ModelProto { graph: Some(graph), ..Default::default() } };
        let mock = Mock::new(mode, Box::new(Simple::default())).expect("a known mode");
        Local::new(Box::new(mock)).run(&model, &[Value::Tensor(Tensor::from_i64(7))], Duration::from_secs(1))
    }

    #[test]
    fn a_backend_in_this_process_is_observed_like_one_in_another() {
        let right = vec![Value::Tensor(Tensor::from_i64(7))];
        assert!(matches!(run("ok"), Observation::Outputs { values, .. } if values == right));
        assert!(matches!(run("lie"), Observation::Outputs { values, .. } if values != right));
        assert_eq!(run("panic"), Observation::Crash { detail: "panicked: mock: out of ideas".to_owned() });
        let short = "answered 0 outputs, the model has 1".to_owned();
        assert_eq!(run("short"), Observation::Garbage { detail: short });
    }
}
