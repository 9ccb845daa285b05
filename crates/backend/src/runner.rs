//! The outcome of a case ([`Observation`]), and [`Runner`], which runs cases on backends in this process and in others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use plumbline_tensor::{Model, Value};

use crate::plain::plain;
use crate::{Backend, Identity, Prepared, Profile, Refusal};

/// The ways in which a reply is no answer to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GarbageKind {
    /// It has too few or too many outputs.
    Count,
    /// The request was answered before.
    Twice,
    /// It has the number of another request.
    OtherRequest,
    /// Its bytes do not begin a frame.
    NoFrame,
    /// The fields of its frame are not those of its kind.
    Fields,
    /// The JSON of its refusal cannot be read.
    Refusal,
    /// The type of a value is not one of ONNX.
    ValueType,
    /// The bytes of a value cannot be read.
    Value,
    /// Something else is wrong with its frame.
    Frame,
}

/// The outcome of a case on a backend. It does not say whether an answer is correct.
#[derive(Clone, Debug, PartialEq)]
pub enum Observation {
    /// The backend answered with one value for each output of the model.
    Outputs {
        /// The values, in the order of [`Model::output_names`].
        values: Vec<Value>,
        /// Seconds the backend took, without the cost of the protocol.
        seconds: f64,
    },
    /// The backend refused the case.
    Refused {
        /// The refusal.
        refusal: Refusal,
        /// Seconds the backend took.
        seconds: f64,
    },
    /// The backend panicked or reported a fault, or its process died, closed its stdout, or was killed because it used
    /// too much memory.
    Crash {
        /// The signal or exit status with the last lines of stderr, the memory that was used, or the message of the
        /// panic or fault.
        detail: String,
    },
    /// The backend did not answer before the deadline, and its process was killed.
    Timeout {
        /// The deadline.
        after: Duration,
    },
    /// The backend sent something other than one answer to the case: a wrong number of outputs, the answer to another
    /// case, a second answer, or bytes that are not an answer.
    Garbage {
        /// What is wrong with the answer.
        kind: GarbageKind,
        /// The same in words.
        detail: String,
    },
    /// The backend did not receive the case: the case cannot be sent, its session has ended, or the backend cannot be
    /// started or may not be restarted.
    NotRun {
        /// Why the case did not run.
        reason: String,
    },
}

/// One case for a runner to run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The model to run.
    pub model: &'a Model,
    /// The inputs of the model, in the order of [`Model::input_names`].
    pub inputs: &'a [Value],
    /// Whether this job runs the session of the previous job in the batch once more. If so, both jobs have the same
    /// `model`.
    pub again: bool,
    /// Whether this job has two runs of the session at the same time ([`Prepared::run_at_once`]). `inputs` then holds the
    /// inputs of both, one after the other, and the observation has the outputs of both. Such a job has `again`.
    pub at_once: bool,
}

impl<'a> Job<'a> {
    /// Returns a job with a session of its own.
    pub fn new(model: &'a Model, inputs: &'a [Value]) -> Job<'a> {
        Job { model, inputs, again: false, at_once: false }
    }

    /// Returns a job that runs the session of the previous job once more.
    pub fn again(model: &'a Model, inputs: &'a [Value]) -> Job<'a> {
        Job { model, inputs, again: true, at_once: false }
    }

    /// Returns a job with two runs of the session of the previous job at the same time.
    pub fn at_once(model: &'a Model, inputs: &'a [Value]) -> Job<'a> {
        Job { model, inputs, again: true, at_once: true }
    }

    /// Returns the number of outputs that the observation has.
    pub(crate) fn outputs(&self) -> usize {
        self.model.output_names().len() * if self.at_once { 2 } else { 1 }
    }
}

/// Runs cases on one backend, and survives the backend's failures.
pub trait Runner: Send {
    /// Returns the name and version of the backend.
    fn identity(&self) -> &Identity;

    /// Returns what the backend declares about itself.
    fn profile(&self) -> &Profile;

    /// Runs one case.
    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation;

    /// Returns whether the runner can run a session more than once ([`Job::again`]).
    fn runs_again(&self) -> bool {
        true
    }

    /// Returns the resident memory of the backend's process and its descendants, in bytes. `None` if the backend runs
    /// in this process, if its process has ended, or if the system does not report it.
    fn resident_bytes(&mut self) -> Option<u64> {
        None
    }

    /// Returns whether no further case will run, because the backend's process cannot be started again.
    fn is_over(&self) -> bool {
        false
    }

    /// Kills the backend's process; the next case starts a new one. Returns false if the backend runs in this process.
    fn kill(&mut self) -> bool {
        false
    }

    /// Runs many cases and returns one observation for each, in the same order. The deadline applies to each case, and
    /// counts from the end of the case before it.
    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation>;

    /// Does the same for jobs whose failures will be examined further: a process that dies may have been damaged by
    /// earlier batches, and nothing is repeated in a new one to find out. A runner around another one has to pass this on.
    fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_batch(jobs, deadline)
    }
}

/// Runs a backend of safe Rust in this process. A panic becomes an [`Observation::Crash`]; deadlines are not enforced.
pub struct Local {
    backend: Box<dyn Backend>,
    identity: Identity,
    profile: Profile,
}

impl Local {
    /// Returns a runner of this backend.
    pub fn new(backend: Box<dyn Backend>) -> Local {
        let (Identity { name, version }, profile) = (backend.identity(), backend.profile().clone());
        let identity = Identity { name: plain(name.as_bytes()), version: plain(version.as_bytes()) };
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
            let attempt = match (job.again, job.at_once) {
                (true, true) => session.run_at_once(job.inputs),
                (true, false) => session.run_again(job.inputs),
                (false, _) => session.start(self.backend.as_ref(), job.model, job.inputs),
            };
            attempt.observed(job.outputs())
        });
        observed.collect()
    }
}

/// Runs one case on a backend of this process: prepares the model, runs it, catches panics, and checks the number of
/// outputs.
pub fn observe(backend: &dyn Backend, model: &Model, inputs: &[Value]) -> Observation {
    Session::default().start(backend, model, inputs).observed(model.output_names().len())
}

/// What the backend returned for a case, before it becomes an [`Observation`].
pub(crate) struct Attempt {
    /// The backend's answer, or the message of its panic.
    pub result: Result<Result<Vec<Value>, Refusal>, String>,
    /// Seconds that the case took.
    pub seconds: f64,
}

impl Attempt {
    /// Runs a piece of the backend's code and catches its panics.
    fn run(run: impl FnOnce() -> Result<Vec<Value>, Refusal>) -> Attempt {
        let start = Instant::now();
        // If the run panics, its half-done state is dropped with the session, so nothing observes it afterwards.
        let result = catch_unwind(AssertUnwindSafe(run));
        let seconds = start.elapsed().as_secs_f64();
        Attempt { result: result.map_err(|payload| panic_message(payload.as_ref()).to_owned()), seconds }
    }

    fn observed(self, outputs: usize) -> Observation {
        let seconds = self.seconds;
        match self.result {
            Ok(Ok(values)) => counted(values, outputs, seconds),
            Ok(Err(refusal)) => {
                let operator = refusal.operator.map(|operator| plain(operator.as_bytes()));
                let message = plain(refusal.message.as_bytes());
                Observation::Refused { refusal: Refusal { operator, message, ..refusal }, seconds }
            }
            Err(panic) => Observation::Crash { detail: format!("panicked: {}", plain(panic.as_bytes())) },
        }
    }
}

/// The model that a backend prepared last, as long as it can run again.
#[derive(Default)]
pub(crate) struct Session {
    prepared: Option<Box<dyn Prepared>>,
}

impl Session {
    /// Prepares a model and runs it.
    pub fn start(&mut self, backend: &dyn Backend, model: &Model, inputs: &[Value]) -> Attempt {
        self.prepared = None;
        let mut made = None;
        let attempt = Attempt::run(|| made.insert(backend.prepare(model)?).run(inputs));
        self.keep(made, attempt)
    }

    /// Runs the last prepared model once more.
    pub fn run_again(&mut self, inputs: &[Value]) -> Attempt {
        self.run_with(|prepared| prepared.run(inputs))
    }

    /// Runs the last prepared model twice at the same time. `inputs` holds the inputs of both runs, and the attempt has
    /// the outputs of both, one after the other.
    pub fn run_at_once(&mut self, inputs: &[Value]) -> Attempt {
        let (first, second) = inputs.split_at(inputs.len() / 2);
        self.run_with(|prepared| Ok(prepared.run_at_once([first, second])?.concat()))
    }

    fn run_with(&mut self, run: impl FnOnce(&mut dyn Prepared) -> Result<Vec<Value>, Refusal>) -> Attempt {
        let mut made = self.prepared.take();
        let attempt = Attempt::run(|| match &mut made {
            Some(prepared) => run(prepared.as_mut()),
            None => Err(Refusal::failed("the session cannot run again, because its previous run returned no outputs")),
        });
        self.keep(made, attempt)
    }

    /// Keeps the prepared model if the run returned outputs.
    fn keep(&mut self, made: Option<Box<dyn Prepared>>, attempt: Attempt) -> Attempt {
        self.prepared = made.filter(|_| matches!(attempt.result, Ok(Ok(_))));
        attempt
    }
}

/// Returns [`Observation::Outputs`] if there is one value for each output, otherwise [`Observation::Garbage`].
pub(crate) fn counted(values: Vec<Value>, wanted: usize, seconds: f64) -> Observation {
    if values.len() == wanted {
        Observation::Outputs { values, seconds }
    } else {
        let detail = format!("returned {} outputs, but the model has {wanted}", values.len());
        Observation::Garbage { kind: GarbageKind::Count, detail }
    }
}

/// Returns the message of a panic.
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
        let mock = Mock::new(mode, Box::new(Simple::default())).expect("the mode is known");
        Local::new(Box::new(mock)).run(&model, &[Value::Tensor(Tensor::from_i64(7))], Duration::from_secs(1))
    }

    #[test]
    fn answers_and_panics_of_a_backend_in_this_process_are_observed() {
        let right = vec![Value::Tensor(Tensor::from_i64(7))];
        assert!(matches!(run("ok"), Observation::Outputs { values, .. } if values == right));
        assert!(matches!(run("lie"), Observation::Outputs { values, .. } if values != right));
        assert_eq!(run("panic"), Observation::Crash { detail: "panicked: mock: panic on purpose".to_owned() });
        let short = "returned 0 outputs, but the model has 1".to_owned();
        assert_eq!(run("short"), Observation::Garbage { kind: GarbageKind::Count, detail: short });
    }

    #[test]
    fn control_characters_of_a_backend_in_this_process_are_escaped() {
        let mock = Mock::new("escape", Box::new(Simple::default())).expect("the mode is known");
        assert_eq!(Local::new(Box::new(mock)).identity().to_string(), "mock:escape \\u{1b}]0;1.0\\u{7}");
        let Observation::Refused { refusal, .. } = run("escape") else { panic!("it refuses") };
        assert_eq!(refusal.message, "mock: \\u{1b}[2Jclears the screen, rings\\u{7} and ends\\0here");
    }
}
