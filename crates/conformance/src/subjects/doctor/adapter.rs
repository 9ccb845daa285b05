//! The backend that is checked, and what all checks together saw of it.

use std::time::{Duration, Instant};

use plumbline_backend::{GarbageKind, Job, Observation, Runner};
use plumbline_tensor::{DType, Model, Tensor, Value};

use super::model::Carrier;
use super::outcome::{Trouble, outputs};

/// The time after which no further check starts.
const TOTAL: Duration = Duration::from_secs(45);

/// The number of timeouts after which no further check starts.
const MOST_TIMEOUTS: usize = 2;

/// A backend that is checked.
pub struct Adapter {
    /// The backend.
    pub runner: Box<dyn Runner>,
    /// The operator that carries floats from input to output, once it is known.
    pub carrier: Option<Carrier>,
    /// What was wrong with invalid answers, except for a wrong number of outputs.
    pub garbage: Vec<(GarbageKind, String)>,
    /// The number of cases so far.
    pub cases: usize,
    deadline: Duration,
    begin: Instant,
    timeouts: usize,
    /// Why no further check can find anything, if a check has shown this.
    pub blocked: Option<String>,
}

impl Adapter {
    /// Returns an adapter that nothing is known about.
    pub fn new(runner: Box<dyn Runner>, deadline: Duration) -> Adapter {
        let (garbage, begin) = (Vec::new(), Instant::now());
        Adapter { runner, carrier: None, garbage, cases: 0, deadline, begin, timeouts: 0, blocked: None }
    }

    /// Says why no further check can run, if none can.
    pub fn obstacle(&self) -> Option<String> {
        if let Some(reason) = &self.blocked {
            return Some(reason.clone());
        }
        if self.timeouts >= MOST_TIMEOUTS {
            return Some(format!("{} earlier cases got no answer in time", self.timeouts));
        }
        (self.begin.elapsed() > TOTAL).then(|| format!("the earlier checks took more than {} s", TOTAL.as_secs()))
    }

    /// Runs jobs in one batch and returns one observation for each.
    pub fn run_batch(&mut self, jobs: &[Job<'_>]) -> Vec<Observation> {
        let observations = self.runner.run_batch(jobs, self.deadline);
        self.cases += jobs.len();
        for observation in &observations {
            match observation {
                Observation::Timeout { .. } => self.timeouts += 1,
                // An answer with a wrong number of outputs is a valid frame, and belongs to the check that saw it.
                Observation::Garbage { kind: GarbageKind::Count, .. } => {}
                Observation::Garbage { kind, detail } => self.garbage.push((*kind, detail.clone())),
                Observation::NotRun { reason } if self.runner.is_over() => {
                    self.blocked = Some(reason.clone());
                }
                _ => {}
            }
        }
        observations
    }

    /// Runs one case. `what` names it in messages.
    pub fn run(&mut self, model: &Model, inputs: &[Value], what: &str) -> Result<Vec<Value>, Trouble> {
        let mut observations = self.run_batch(&[Job::new(model, inputs)]);
        let missing = || Observation::NotRun { reason: "the backend returned no observation".to_owned() };
        outputs(observations.pop().unwrap_or_else(missing), what)
    }

    /// Returns the first operator that the backend runs with this tensor, and its output. If the backend runs no
    /// operator with it, returns the reason.
    pub fn carry(&mut self, tensor: &Tensor) -> Result<(Carrier, Vec<Value>), Trouble> {
        let (dtype, max_opset) = (tensor.dtype(), self.runner.profile().max_opset);
        let mut refused = String::new();
        for carrier in Carrier::ALL {
            let Some(opset) = carrier.opset(dtype) else { continue };
            if opset > max_opset {
                refused = format!("the model needs opset {opset}, the newest that the profile allows is {max_opset}");
                continue;
            }
            let model = carrier.model(dtype, tensor.shape());
            let what = format!("{dtype} (by {})", carrier.name());
            match self.run(&model, &[Value::Tensor(tensor.clone())], &what) {
                Ok(values) => return Ok((carrier, values)),
                Err(Trouble::Unsupported(message)) => refused = message,
                Err(problem) => return Err(problem),
            }
        }
        Err(Trouble::Unsupported(refused))
    }

    /// Returns the operator that carries floats. If no operator does, returns the reason.
    pub fn float_carrier(&mut self) -> Result<Carrier, String> {
        if let Some(carrier) = self.carrier {
            return Ok(carrier);
        }
        let probe = Tensor::from_f32s(vec![1], &[1.0]).expect("there is one element");
        match self.carry(&probe) {
            Ok((carrier, _)) => Ok(*self.carrier.insert(carrier)),
            Err(Trouble::Unsupported(_)) => Err(format!("{} of {} are unsupported", Carrier::names(), DType::Float)),
            Err(Trouble::Problem(problem)) => Err(problem.found),
        }
    }
}
