//! Runs the models of the probes.

use std::time::Instant;

use plumbline_backend::{Observation, Runner};
use plumbline_graph::RefusalKind;
use plumbline_tensor::{DType, Tensor, Value};

use super::{Deviation, Row, Time};
use crate::subjects::parse;

/// The opset of the models. It is old enough for most runtimes.
pub(super) const OPSET: i64 = 13;

/// A backend that answers probes.
pub(super) struct Prober<'a> {
    runner: &'a mut dyn Runner,
    time: Time,
}

/// Why a probe has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The backend does not have the operator or the type.
    Unsupported,
    /// The backend refused the model.
    Refused(String),
    /// There was no time left to ask.
    OutOfTime,
    /// The backend crashed, was too slow, or answered something else.
    Broken(String),
}

impl Silence {
    /// Returns the reason in words.
    pub fn text(&self) -> String {
        match self {
            Silence::Unsupported => "unsupported".to_owned(),
            Silence::OutOfTime => "not probed: no time was left".to_owned(),
            Silence::Refused(why) => format!("refused: {}", first_line(why)),
            Silence::Broken(what) => format!("no answer: {}", first_line(what)),
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(100).collect()
}

impl<'a> Prober<'a> {
    pub fn new(runner: &'a mut dyn Runner, time: Time) -> Prober<'a> {
        Prober { runner, time }
    }

    /// Runs a graph in ONNX's text syntax and returns its first output.
    pub fn tensor(&mut self, graph: &str, inputs: &[Tensor]) -> Result<Tensor, Silence> {
        let left = self.time.until.map_or(self.time.model, |until| until.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Err(Silence::OutOfTime);
        }
        let inputs: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
        match self.runner.run(&parse(OPSET, graph), &inputs, left.min(self.time.model)) {
            Observation::Outputs { mut values, .. } if !values.is_empty() => match values.swap_remove(0) {
                Value::Tensor(tensor) => Ok(tensor),
                other => Err(Silence::Broken(format!("a value of type {}", other.kind()))),
            },
            Observation::Outputs { .. } => Err(Silence::Broken("no output".to_owned())),
            Observation::Refused { refusal, .. } if refusal.kind == RefusalKind::Unsupported => {
                Err(Silence::Unsupported)
            }
            Observation::Refused { refusal, .. } => Err(Silence::Refused(refusal.to_string())),
            Observation::Crash { detail } => Err(Silence::Broken(format!("a crash: {detail}"))),
            Observation::Timeout { after } => Err(Silence::Broken(format!("none within {} s", after.as_secs_f64()))),
            Observation::Garbage { detail, .. } => Err(Silence::Broken(detail)),
            Observation::NotRun { reason } => Err(Silence::Broken(reason)),
        }
    }

    /// Runs a graph and returns the elements of its first output as numbers.
    pub fn numbers(&mut self, graph: &str, inputs: &[Tensor]) -> Result<Vec<f64>, Silence> {
        let tensor = self.tensor(graph, inputs)?;
        match tensor.dtype().is_float() {
            true => Ok(tensor.to_f64s()),
            false => Err(Silence::Broken(format!("elements of type {}", tensor.dtype()))),
        }
    }
}

/// Returns a tensor of these numbers, which the type represents.
pub(super) fn numbers(dtype: DType, shape: &[usize], numbers: &[f64]) -> Tensor {
    Tensor::from_f64s(dtype, shape.to_vec(), numbers).expect("probes have as many numbers as their shapes say")
}

/// What a probe found, in words, with the deviation if there is one; or why there is no answer.
pub(super) type Found = Result<(String, Option<Deviation>), Silence>;

/// Returns a row. A probe without an answer has no deviation.
pub(super) fn row(subject: impl Into<String>, found: Found) -> Row {
    let (found, deviation) = found.unwrap_or_else(|silence| (silence.text(), None));
    Row { subject: subject.into(), found, deviation }
}
