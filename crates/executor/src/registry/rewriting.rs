//! [`Rewriting`] lets a tool rewrite, annotate or check models, and the oracle run what it made of them.

use std::borrow::Cow;
use std::time::Duration;

use plumbline_tensor::{DType, Model, Tensor, Value};

use super::rewritten::{Answers, rewritten};
use crate::worker::Worker;
use crate::{Identity, Job, Observation, Profile, Runner};

/// The model of each request to a tool. It only says that a request has one input and one output: the bytes of a model.
const REQUEST: &str = "<ir_version: 8, opset_import: [\"\" : 18]> rewritten (uint8[n] model) => (uint8[m] made) { made = Identity (model) }";

/// The program of a tool that reads models.
pub(super) struct Tool {
    pub(super) worker: Worker,
    request: Model,
}

impl Tool {
    pub(super) fn new(worker: Worker) -> Tool {
        // A test reads the text.
        Tool { worker, request: REQUEST.parse().unwrap_or_default() }
    }

    /// Gives the tool these models, in this way of running jobs. Returns what it made of each.
    pub(super) fn ask<'a>(
        &mut self,
        models: impl Iterator<Item = Cow<'a, Model>>,
        run: impl Fn(&mut Worker, &[Job<'_>]) -> Vec<Observation>,
    ) -> Vec<Observation> {
        let models: Vec<[Value; 1]> = models.map(|model| [value_of(&model)]).collect();
        let requests: Vec<Job> = models.iter().map(|inputs| Job::new(&self.request, inputs)).collect();
        run(&mut self.worker, &requests)
    }
}

/// A tool that reads models. What the tool does with a model is found out in its worker, with its deadline.
pub(super) struct Rewriting {
    tool: Tool,
    answers: Answers,
}

impl Rewriting {
    pub(super) fn new(worker: Worker, answers: Answers) -> Rewriting {
        Rewriting { tool: Tool::new(worker), answers }
    }

    /// Lets the tool rewrite the model of each session, in this way of running jobs, and runs all jobs.
    fn run_rewritten(
        &mut self,
        jobs: &[Job<'_>],
        deadline: Duration,
        run: impl Fn(&mut Worker, &[Job<'_>]) -> Vec<Observation>,
    ) -> Vec<Observation> {
        let sessions = jobs.iter().filter(|job| !job.again);
        let questions = sessions.map(|job| self.answers.question(job.model));
        let mut answers = self.tool.ask(questions, run).into_iter();
        let missing = || Observation::NotRun { reason: "the session has no model".to_owned() };
        let mut session = Err(missing());
        let observed = jobs.iter().map(|job| {
            if !job.again {
                session = answers.next().map_or_else(|| Err(missing()), rewritten);
            }
            match &session {
                Ok((made, seconds)) => {
                    timed(self.answers.first_wrong(made, job, deadline), if job.again { 0.0 } else { *seconds })
                }
                Err(observation) => observation.clone(),
            }
        });
        observed.collect()
    }
}

/// Returns the observation with the seconds that the tool took.
fn timed(observed: Observation, seconds: f64) -> Observation {
    match observed {
        Observation::Outputs { values, .. } => Observation::Outputs { values, seconds },
        Observation::Refused { refusal, .. } => Observation::Refused { refusal, seconds },
        other => other,
    }
}

/// Returns the bytes of a model as a tensor.
fn value_of(model: &Model) -> Value {
    let bytes = model.to_bytes();
    // A tensor of uint8 that has as many elements as there are bytes is always valid.
    let tensor = Tensor::from_bytes(DType::Uint8, vec![bytes.len()], bytes);
    Value::Tensor(tensor.unwrap_or_else(|_| Tensor::from_i64s(&[])))
}

impl Runner for Rewriting {
    fn identity(&self) -> &Identity {
        self.tool.worker.identity()
    }

    fn profile(&self) -> &Profile {
        self.tool.worker.profile()
    }

    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        let observed = self.run_batch(&[Job::new(model, inputs)], deadline).pop();
        observed.unwrap_or_else(|| Observation::NotRun { reason: "there is no answer".to_owned() })
    }

    fn is_over(&self) -> bool {
        self.tool.worker.is_over()
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.tool.worker.resident_bytes()
    }

    fn kill(&mut self) -> bool {
        self.tool.worker.kill()
    }

    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_rewritten(jobs, deadline, |worker, jobs| worker.run_batch(jobs, deadline))
    }

    fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_rewritten(jobs, deadline, |worker, jobs| worker.run_batch_once(jobs, deadline))
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
}
