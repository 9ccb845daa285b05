//! The backends of a run. Each has a way to open it and a pool of open instances, at most one for each thread.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use plumbline_backend::{Backend, Identity, Job, Local, Observation, Profile, Runner};
use plumbline_executor::{ORACLE, Oracle};
use plumbline_oracle::Policy;
use plumbline_spec::Spec;

/// Opens a backend. The error is a sentence for people.
pub type Opener = Box<dyn Fn() -> Result<Box<dyn Runner>, String> + Send + Sync>;

/// The time that a case gets when the run's time is over: enough to be told that there is none.
const SHORTEST: Duration = Duration::from_millis(1);

/// What a run holds against what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The answers of the backend are held against the oracle.
    UnderTest,
    /// The published answers of a suite are held against the oracle.
    Oracle,
}

/// A backend under test.
pub struct Subject {
    /// The name and version of the backend.
    pub identity: Identity,
    /// What the backend declares about itself.
    pub profile: Profile,
    /// How the profile changes what the oracle accepts.
    pub policy: Policy,
    /// The name that selects it on the command line: `onnxruntime@1.23.2`.
    pub name: String,
    /// What is held against what.
    pub role: Role,
    /// Whether it can run a session more than once. A worker that speaks version 1 of the protocol cannot.
    pub runs_again: bool,
    open: Arc<Opener>,
    idle: Mutex<Vec<Box<dyn Runner>>>,
    /// When the run's time is over. A case that still runs then is ended.
    end: Mutex<Option<Instant>>,
    /// The same backend in processes of their own, which run failing cases again.
    apart: OnceLock<Box<Subject>>,
    /// Signatures of failures that came back there.
    confirmed: Mutex<BTreeSet<String>>,
}

impl Subject {
    /// Opens a backend for the first time, and reads its identity and profile.
    pub fn start(name: &str, open: Opener) -> Result<Subject, String> {
        let runner = open()?;
        let (identity, profile) = (runner.identity().clone(), runner.profile().clone());
        check_constant_inputs(&profile)?;
        let runs_again = runner.runs_again();
        let policy = Policy::new(&profile.numerics()).map_err(|error| error.to_string())?;
        let role = Role::UnderTest;
        let subject = Subject {
            identity,
            profile,
            policy,
            name: name.to_owned(),
            role,
            runs_again,
            open: Arc::new(open),
            idle: Mutex::new(vec![runner]),
            end: Mutex::default(),
            apart: OnceLock::new(),
            confirmed: Mutex::default(),
        };
        Ok(subject)
    }

    /// The oracle itself, which is held against the published answers of suites.
    pub fn oracle() -> Subject {
        let open: Opener = Box::new(|| Ok(Box::new(Local::new(Box::new(Oracle::default())))));
        let (identity, profile) = (Oracle::default().identity(), Profile::default());
        Subject {
            identity,
            profile,
            policy: Policy::default(),
            name: ORACLE.to_owned(),
            role: Role::Oracle,
            runs_again: false,
            open: Arc::new(open),
            idle: Mutex::new(vec![]),
            end: Mutex::default(),
            apart: OnceLock::new(),
            confirmed: Mutex::default(),
        }
    }

    /// Returns the same backend in processes of their own, in which nothing has gone wrong so far but what went wrong
    /// here as well.
    pub(crate) fn apart(&self) -> &Subject {
        self.apart.get_or_init(|| {
            Box::new(Subject {
                identity: self.identity.clone(),
                profile: self.profile.clone(),
                policy: self.policy.clone(),
                name: self.name.clone(),
                role: self.role,
                runs_again: self.runs_again,
                open: Arc::clone(&self.open),
                idle: Mutex::new(vec![]),
                end: Mutex::new(self.end()),
                apart: OnceLock::new(),
                confirmed: Mutex::default(),
            })
        })
    }

    /// Ends cases that still run at this time. What the backend does from then on says nothing about it.
    pub(crate) fn end_at(&self, end: Option<Instant>) {
        for subject in [Some(self), self.apart.get().map(|apart| &**apart)].into_iter().flatten() {
            *subject.end.lock().unwrap_or_else(PoisonError::into_inner) = end;
        }
    }

    fn end(&self) -> Option<Instant> {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a failure with this signature has come back in another process.
    pub(crate) fn is_confirmed(&self, signature: &str) -> bool {
        self.confirmed.lock().is_ok_and(|confirmed| confirmed.contains(signature))
    }

    /// Notes that a failure with this signature has come back in another process.
    pub(crate) fn confirm(&self, signature: String) {
        if let Ok(mut confirmed) = self.confirmed.lock() {
            confirmed.insert(signature);
        }
    }

    /// Runs cases and returns one observation for each, in the same order.
    pub fn run(&self, jobs: &[Job<'_>], deadline: Duration) -> Vec<Observation> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut runner = match idle.map_or_else(|| (self.open)(), Ok) {
            Ok(runner) => runner,
            Err(reason) => return jobs.iter().map(|_| Observation::NotRun { reason: reason.clone() }).collect(),
        };
        let observations = match self.end().map(|end| end.saturating_duration_since(Instant::now())) {
            // Near the end of the run's time, each session gets what is left.
            Some(left) if left / u32::try_from(jobs.len()).unwrap_or(u32::MAX).max(1) < deadline => {
                let mut observations = Vec::with_capacity(jobs.len());
                for session in jobs.chunk_by(|_, next| next.again) {
                    let left = self.end().map_or(deadline, |end| end.saturating_duration_since(Instant::now()));
                    let each = left / u32::try_from(session.len()).unwrap_or(u32::MAX).max(1);
                    observations.extend(runner.run_batch(session, each.clamp(SHORTEST, deadline.max(SHORTEST))));
                }
                observations
            }
            _ => runner.run_batch(jobs, deadline),
        };
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(runner);
        }
        observations
    }
}

/// Checks that the operators and inputs in a profile's `constant_inputs` exist in the specification.
pub(crate) fn check_constant_inputs(profile: &Profile) -> Result<(), String> {
    for (operator, inputs) in &profile.constant_inputs {
        let versions = Spec::embedded().operators().filter(|o| o.name == *operator).flat_map(|o| &o.versions);
        let versions: Vec<_> = versions.collect();
        if versions.is_empty() {
            return Err(format!("the profile's `constant_inputs` names `{operator}`, which is not an operator"));
        }
        let unknown = inputs.iter().find(|input| versions.iter().all(|v| v.input(input).is_none()));
        if let Some(input) = unknown {
            return Err(format!(
                "the profile's `constant_inputs` names `{input}`, which is not an input of `{operator}`"
            ));
        }
    }
    Ok(())
}
