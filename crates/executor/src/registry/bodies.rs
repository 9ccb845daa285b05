//! The setting `as-function-body` of any backend: each operator that ONNX defines by a function is replaced by this
//! function, and the backend runs the nodes of the function. The bodies are those of an installed package onnx.
//!
//! The answer is judged by what the operator allows. So that a failure is the backend's own, a case is unsupported if
//! ONNX's tools refuse the body, or if the body is wrong when the oracle runs it.

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

use plumbline_oracle::{Oracle, Policy};
use plumbline_tensor::{Model, Value};

use super::name::AS_FUNCTION_BODY;
use super::rewriting::Tool;
use super::rewritten::{accepts, rewritten};
use super::{BackendName, Registry};
use crate::adapter::{Adapter, TOOLS};
use crate::worker::Worker;
use crate::{Identity, Job, Observation, OracleBackend, Profile, Refusal, Runner, StartError, observe};

/// The tool that makes the models.
const TOOL: &str = "tool:function-bodies";

/// The nodes of a function stand in the place of its call: not every runtime has functions.
const SETTINGS: &str = "inline=on";

fn tool() -> Result<&'static Adapter, String> {
    let tool = TOOLS.iter().find(|tool| tool.adapter.name == TOOL);
    tool.map(|tool| &tool.adapter).ok_or_else(|| format!("there is no {TOOL}"))
}

/// Returns the release of the package onnx that a name asks for.
fn release(name: &BackendName) -> Option<&str> {
    name.body_release().filter(|release| !release.is_empty())
}

/// Checks the release that the name of a backend asks for, if it asks for bodies.
pub(super) fn check(name: &BackendName) -> Result<(), StartError> {
    let checked = tool().and_then(|tool| tool.check(release(name), Some(SETTINGS)));
    let misnamed = |reason| StartError::Misnamed { name: name.to_string(), reason };
    if name.body_release().is_some() { checked.map_err(misnamed) } else { Ok(()) }
}

/// Installs the package onnx that a name asks for.
pub(super) fn fetch(name: &BackendName, libraries: &Path) -> Result<(), StartError> {
    let fetched = tool().and_then(|tool| tool.fetch(libraries, release(name)));
    fetched.map_err(|reason| StartError::cannot_start(name, reason))
}

impl Registry {
    /// Returns the runner with function bodies in the place of operators.
    pub(super) fn with_bodies(
        &self,
        name: &BackendName,
        runner: Box<dyn Runner>,
    ) -> Result<Box<dyn Runner>, StartError> {
        check(name)?;
        let (libraries, release) = (&self.options.libraries, release(name));
        if self.options.fetch {
            fetch(name, libraries)?;
        }
        let command = tool().and_then(|tool| {
            tool.at_hand(libraries, release, Some(SETTINGS))?;
            tool.command(libraries, release, Some(SETTINGS))
        });
        let command = command.map_err(|reason| StartError::cannot_start(name, reason))?;
        let worker = self.worker(command, self.program_limits()).map_err(|error| error.of_backend(name))?;
        Ok(Box::new(Bodies::new(runner, worker)))
    }
}

/// A backend that gets function bodies in the place of operators.
struct Bodies {
    runner: Box<dyn Runner>,
    tool: Tool,
    identity: Identity,
    right: Right,
}

impl Bodies {
    fn new(runner: Box<dyn Runner>, worker: Worker) -> Bodies {
        let Identity { name, version } = runner.identity().clone();
        let release = worker.identity().version.split(',').next().unwrap_or_default();
        let setting = format!("{AS_FUNCTION_BODY}={release}");
        let parts = [version, setting].into_iter().filter(|part| !part.is_empty());
        let identity = Identity { name, version: parts.collect::<Vec<_>>().join(",") };
        Bodies { runner, tool: Tool::new(worker), identity, right: Right::default() }
    }

    /// Runs the jobs of each session whose model has a right body.
    fn run_bodies(
        &mut self,
        jobs: &[Job<'_>],
        ask: impl Fn(&mut Worker, &[Job<'_>]) -> Vec<Observation>,
        run: impl Fn(&mut dyn Runner, &[Job<'_>]) -> Vec<Observation>,
    ) -> Vec<Observation> {
        let sessions: Vec<&[Job]> = jobs.chunk_by(|_, next| next.again).collect();
        let models = sessions.iter().filter_map(|session| session.first()).map(|job| Cow::Borrowed(job.model));
        let mut made = self.tool.ask(models, ask).into_iter();
        let bodies: Vec<Result<Model, Observation>> = sessions
            .iter()
            .map(|session| {
                let missing = || Observation::NotRun { reason: "the session has no body".to_owned() };
                let body = made.next().map_or_else(|| Err(missing()), body_of)?;
                self.right.check(session, &body).map_err(unsupported)?;
                Ok(body)
            })
            .collect();
        let with_body = sessions.iter().zip(&bodies).filter_map(|(session, body)| Some((session, body.as_ref().ok()?)));
        let asked = with_body.flat_map(|(session, model)| session.iter().map(move |job| Job { model, ..*job }));
        let asked: Vec<Job> = asked.collect();
        let mut answers = if asked.is_empty() { vec![] } else { run(self.runner.as_mut(), &asked) }.into_iter();
        let observed = sessions.iter().zip(&bodies).flat_map(|(session, body)| session.iter().map(move |_| body));
        let missing = || Observation::NotRun { reason: "there is no answer".to_owned() };
        let observed = observed.map(|body| match body {
            Ok(_) => answers.next().unwrap_or_else(missing),
            Err(observation) => observation.clone(),
        });
        observed.collect()
    }
}

/// Returns the model that the tool made, or that the case is unsupported. What is wrong with a body is said by the tool
/// itself, as a backend of its own.
fn body_of(answer: Observation) -> Result<Model, Observation> {
    match rewritten(answer) {
        Ok((made, _)) => match made.into_iter().next() {
            Some(made) => made.map_err(|refusal| unsupported(refusal.message)),
            None => Err(unsupported("the tool made no model".to_owned())),
        },
        Err(Observation::Refused { refusal, .. }) => Err(unsupported(refusal.message)),
        Err(Observation::NotRun { reason }) => Err(Observation::NotRun { reason }),
        Err(_) => Err(unsupported(format!("{TOOL} did not answer"))),
    }
}

fn unsupported(message: String) -> Observation {
    let refusal = Refusal::unsupported(format!("as a function body: {message}"));
    Observation::Refused { refusal, seconds: 0.0 }
}

/// Knows which bodies are right.
struct Right {
    /// Says what the operators allow.
    operators: Oracle,
    /// Runs the bodies.
    bodies: OracleBackend,
}

impl Default for Right {
    fn default() -> Right {
        Right { operators: Oracle::new(Policy::of_cpu()), bodies: OracleBackend::default() }
    }
}

impl Right {
    /// Checks that the body of a session's model has right answers. The error says why not.
    fn check(&self, session: &[Job<'_>], body: &Model) -> Result<(), String> {
        session.iter().try_for_each(|job| self.check_job(job.model, job.inputs, body))
    }

    fn check_job(&self, model: &Model, inputs: &[Value], body: &Model) -> Result<(), String> {
        let Ok(right) = self.operators.evaluate(model, inputs) else {
            return Err("the case has no right answer, and a body need not refuse what its operator refuses".to_owned());
        };
        match observe(&self.bodies, body, inputs) {
            Observation::Outputs { values, .. } if accepts(&right.outputs, &values) => Ok(()),
            Observation::Outputs { .. } => Err("the operator does not allow the body's own answer".to_owned()),
            Observation::Refused { refusal, .. } => Err(format!("the body is refused: {}", refusal.message)),
            _ => Err("the body has no answer".to_owned()),
        }
    }
}

impl Runner for Bodies {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn profile(&self) -> &Profile {
        self.runner.profile()
    }

    fn run(&mut self, model: &Model, inputs: &[Value], deadline: Duration) -> Observation {
        let observed = self.run_batch(&[Job::new(model, inputs)], deadline).pop();
        observed.unwrap_or_else(|| Observation::NotRun { reason: "there is no answer".to_owned() })
    }

    fn runs_again(&self) -> bool {
        self.runner.runs_again()
    }

    fn is_over(&self) -> bool {
        self.runner.is_over() || self.tool.worker.is_over()
    }

    fn resident_bytes(&mut self) -> Option<u64> {
        self.runner.resident_bytes()
    }

    fn kill(&mut self) -> bool {
        self.runner.kill()
    }

    fn run_batch(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_bodies(
            jobs,
            |tool, jobs| tool.run_batch(jobs, deadline),
            |runner, jobs| runner.run_batch(jobs, deadline),
        )
    }

    fn run_batch_once(&mut self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        self.run_bodies(
            jobs,
            |tool, jobs| tool.run_batch(jobs, deadline),
            |runner, jobs| runner.run_batch_once(jobs, deadline),
        )
    }
}

#[cfg(test)]
mod tests {
    use plumbline_tensor::Tensor;

    use super::*;

    fn model(body: &str) -> Model {
        format!("<ir_version: 8, opset_import: [\"\" : 18]> g (float[2] a) => (float[2] b) {{ {body} }}")
            .parse()
            .unwrap()
    }

    #[test]
    fn a_body_that_is_wrong_itself_is_left_out() {
        let inputs = [Value::Tensor(Tensor::from_f32s(vec![2], &[1.5, -2.0]).unwrap())];
        let relu = model("b = Relu (a)");
        let check = |body: &str| Right::default().check(&[Job::new(&relu, &inputs)], &model(body));
        assert_eq!(check("z = Constant <value_float = 0.0> () b = Max (a, z)"), Ok(()));
        assert_eq!(check("b = Abs (a)"), Err("the operator does not allow the body's own answer".to_owned()));
        assert!(check("b = Nag (a)").unwrap_err().starts_with("the body is refused: "));
        let invalid = model("b = Softmax <axis = 3> (a)");
        let checked = Right::default().check(&[Job::new(&invalid, &inputs)], &relu);
        assert!(checked.unwrap_err().starts_with("the case has no right answer"));
    }
}
