//! [`Stamped`] replaces the versions of a model that is too new for a worker by older ones, where that is possible.

use std::borrow::Cow;
use std::time::Duration;

use plumbline_spec::Spec;
use plumbline_tensor::{Model, Value};

use crate::stamp::{Known, stamp};
use crate::worker::Worker;
use crate::{Identity, Job, Observation, Profile, Runner};

/// A worker that reads models up to the opset of `ai.onnx` and the IR version in its profile. If a model declares newer
/// versions, they are replaced by those of the profile, provided that the model keeps its meaning. Otherwise the worker
/// gets the model as it is, and is expected to refuse it.
pub(super) struct Stamped {
    worker: Worker,
    known: Known,
}

impl Stamped {
    pub(super) fn new(worker: Worker) -> Stamped {
        let Profile { max_opset, max_ir_version, .. } = *worker.profile();
        let known = Known { opsets: [("ai.onnx".to_owned(), max_opset)].into(), ir_version: max_ir_version };
        Stamped { worker, known }
    }

    fn stamped<'a>(&self, model: &'a Model) -> Cow<'a, Model> {
        stamp(model, Spec::embedded, &self.known).unwrap_or(Cow::Borrowed(model))
    }

    /// Hands the jobs to the worker, with stamped models, in this way of running them.
    fn run_stamped(
        &mut self,
        jobs: &[Job<'_>],
        run: impl Fn(&mut Worker, &[Job<'_>]) -> Vec<Observation>,
    ) -> Vec<Observation> {
        let models: Vec<Cow<Model>> = jobs.iter().map(|job| self.stamped(job.model)).collect();
        let stamped: Vec<Job> = jobs.iter().zip(&models).map(|(job, model)| Job { model, ..*job }).collect();
        run(&mut self.worker, &stamped)
    }
}

impl Runner for Stamped {
    fn identity(&self) -> &Identity {
        self.worker.identity()
    }

    fn profile(&self) -> &Profile {
        self.worker.profile()
    }

    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        let model = self.stamped(model);
        self.worker.run(&model, inputs, deadline)
    }

    fn runs_again(&self) -> bool {
        self.worker.runs_again()
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
        self.run_stamped(jobs, |worker, jobs| worker.run_batch(jobs, deadline))
    }

    fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_stamped(jobs, |worker, jobs| worker.run_batch_once(jobs, deadline))
    }
}
